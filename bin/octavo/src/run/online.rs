//! `octavo check-config --online`: tries the services in the settings.

use super::Failure;
use crate::{settings::Settings, wiring};
use octavo_counters::RedisCounters;
use serde_json::{Value, json};

/// What was tried, and why it failed if it did.
pub(super) struct OnlineCheck {
    name: &'static str,
    failure: Option<String>,
}

/// Tries everything, one thing after the other.
pub(super) async fn try_all(settings: &Settings) -> Vec<OnlineCheck> {
    let mut trials = vec![
        OnlineCheck { name: "database", failure: database(settings).await.err() },
        OnlineCheck { name: "mail", failure: mail(settings).await.err() },
    ];
    if let Some(url) = &settings.redis_url {
        trials.push(OnlineCheck { name: "redis", failure: redis(url.expose()).await.err() });
    }
    trials
}

async fn database(settings: &Settings) -> Result<(), String> {
    let status = octavo_storage::migration_status(wiring::database_url(settings).expose()).await;
    status.map(drop).map_err(|error| error.to_string())
}

async fn mail(settings: &Settings) -> Result<(), String> {
    let origin = settings.public_origin(settings.listen).to_string();
    let mailer = wiring::mailer(settings, &origin).map_err(|Failure(reason)| reason)?;
    if mailer.probe().await { Ok(()) } else { Err("the way out for mail is closed".to_owned()) }
}

async fn redis(url: &str) -> Result<(), String> {
    let redis = RedisCounters::new(url, "octavo").map_err(|error| error.to_string())?;
    if redis.ping().await { Ok(()) } else { Err("Redis does not answer".to_owned()) }
}

pub(super) fn as_json(trials: &[OnlineCheck]) -> Value {
    trials
        .iter()
        .map(|trial| json!({ "name": trial.name, "ok": trial.failure.is_none(), "error": trial.failure }))
        .collect()
}

pub(super) fn as_text(trials: &[OnlineCheck]) -> String {
    let line = |trial: &OnlineCheck| match &trial.failure {
        None => format!("{}: ok\n", trial.name),
        Some(reason) => format!("{}: {reason}\n", trial.name),
    };
    trials.iter().map(line).collect()
}

pub(super) fn failed(trials: &[OnlineCheck]) -> bool {
    trials.iter().any(|trial| trial.failure.is_some())
}
