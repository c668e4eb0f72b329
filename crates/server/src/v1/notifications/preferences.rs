//! `/notifications/preferences`

use super::choices::{SentChoices, ShownChoices};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, routes},
    wire::{Data, body, reply},
};
use octavo_app::{
    Call, Draft,
    notifications::{self, PreferencesChange},
};
use octavo_core_model::{
    Timestamp,
    notification::{DailyTime, MailPreferences},
};

body! {
    /// A change of preferences. What is left out stays as it is.
    pub(crate) PreferencesBody {
        example: { "email": { "COMMENT": "daily" }, "dailyAt": "07:30" };
        /// When mails are sent, by the type of notification; null returns a type to its default.
        email "email": optional SentChoices,
        /// When the mail of the day is sent, in the caller's time zone.
        daily_at "dailyAt": optional DailyTime = "07:30",
        /// Until then no mail is sent; null ends the pause.
        paused_until "pausedUntil": nullable Timestamp = null,
    }
}

reply! {
    /// What a user gets by mail.
    pub(crate) PreferencesReply {
        /// When mails are sent, by the type of notification.
        email "email": required ShownChoices,
        /// When the mail of the day is sent, in the caller's time zone.
        daily_at "dailyAt": required DailyTime = "08:00",
        /// Until then no mail is sent.
        paused_until "pausedUntil": nullable Timestamp = null,
    }
}

routes! {
    /// Shows what the caller gets by mail.
    ///
    /// Every type of notification is listed, with its default if nothing was decided.
    GET "/notifications/preferences" as getNotificationPreferences => get {
        caller: SignedIn,
        limits: [],
        takes: (),
        answers: { 200: Data<PreferencesReply> },
        refusals: [],
        events: [],
    }

    /// Changes what the caller gets by mail.
    ///
    /// A merge patch, also of the types in `email`. Notifications in the product are not affected.
    PATCH "/notifications/preferences" as updateNotificationPreferences => update {
        caller: SignedIn,
        limits: [],
        takes: (body: Body<PreferencesBody>),
        answers: { 200: Data<PreferencesReply> },
        refusals: [],
        events: [],
    }
}

async fn get(dispatcher: Dispatcher, call: Call) -> Answer {
    let shape = |preferences| ok(PreferencesReply::from(preferences));
    dispatcher.read(call, |view| Box::pin(notifications::find_preferences(view)), shape).await
}

async fn update(dispatcher: Dispatcher, call: Call, body: Draft<PreferencesBody>) -> Answer {
    let change = body.map(|body| PreferencesChange {
        choices: body.email.map(|choices| choices.0).unwrap_or_default(),
        daily_at: body.daily_at,
        paused_until: body.paused_until,
    });
    let shape = |preferences| ok(PreferencesReply::from(preferences));
    dispatcher.write(call, move |unit| Box::pin(notifications::change_preferences(unit, change)), shape).await
}

impl From<MailPreferences> for PreferencesReply {
    fn from(preferences: MailPreferences) -> Self {
        let (daily_at, paused_until) = (preferences.daily_at, preferences.paused_until);
        Self { email: ShownChoices(preferences), daily_at, paused_until }
    }
}
