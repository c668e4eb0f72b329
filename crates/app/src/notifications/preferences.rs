//! What a user wants to get by mail.

use super::mail;
use crate::{
    access,
    outcome::{AppResult, Draft},
    scope::{Scope, Unit, View},
};
use octavo_core_model::{
    Timestamp,
    id::UserId,
    notification::{DailyTime, MailChoice, MailPreferences, NotificationType},
};
use octavo_ports::store::Reads;

/// A change of preferences; what is left out stays as it is.
#[derive(Clone, Debug, Default)]
pub struct PreferencesChange {
    /// Decisions about types; `None` for their default.
    pub choices: Vec<(NotificationType, Option<MailChoice>)>,
    pub daily_at: Option<DailyTime>,
    /// `Some(None)` ends a pause.
    pub paused_until: Option<Option<Timestamp>>,
}

pub async fn find_preferences(view: &mut View) -> AppResult<MailPreferences> {
    let user = access::user(view).await?;
    of(view, user.id).await
}

async fn of<T: Reads + ?Sized>(scope: &mut Scope<T>, user: UserId) -> AppResult<MailPreferences> {
    let decided = scope.tx.notifications().list_preferences(&[user]).await?.pop();
    Ok(decided.map(|(_, decided)| decided).unwrap_or_default())
}

pub async fn change_preferences(unit: &mut Unit, change: Draft<PreferencesChange>) -> AppResult<MailPreferences> {
    let user = access::locked_user(unit).await?;
    unit.claim().await?;
    let PreferencesChange { choices, daily_at, paused_until } = change?;
    let before = of(unit, user.id).await?;
    let mut preferences = before.clone();
    for (kind, choice) in choices {
        preferences.decide(kind, choice);
    }
    preferences.daily_at = daily_at.unwrap_or(preferences.daily_at);
    preferences.paused_until = paused_until.unwrap_or(preferences.paused_until);
    if preferences != before {
        unit.tx.notifications().save_preferences(user.id, &preferences).await?;
    }
    if preferences.daily_at != before.daily_at {
        mail::move_digest(unit, &user, Some(preferences.daily_at)).await?;
    }
    Ok(preferences)
}
