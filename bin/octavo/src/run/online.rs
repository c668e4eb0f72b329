//! `octavo check-config --online`: tries the services in the settings.

use crate::{settings::Settings, wiring};
use anyhow::{Result, ensure};
use octavo_counters::RedisCounters;
use serde_json::{Value, json};

/// What was tried, and why it failed if it did.
pub(super) struct OnlineCheck {
    name: &'static str,
    failure: Option<String>,
}

/// Tries each service in turn.
pub(super) async fn try_all(settings: &Settings) -> Vec<OnlineCheck> {
    let mut trials = vec![
        OnlineCheck { name: "database", failure: reason(database(settings).await) },
        OnlineCheck { name: "mail", failure: reason(mail(settings).await) },
    ];
    if let Some(url) = &settings.redis_url {
        trials.push(OnlineCheck { name: "redis", failure: reason(redis(url.expose()).await) });
    }
    trials
}

/// The reason why a trial failed, on one line.
fn reason(trial: Result<()>) -> Option<String> {
    trial.err().map(|error| format!("{error:#}"))
}

async fn database(settings: &Settings) -> Result<()> {
    let status = octavo_storage::migration_status(wiring::database_url(settings).expose()).await;
    status?;
    Ok(())
}

async fn mail(settings: &Settings) -> Result<()> {
    let mailer = wiring::mailer(settings, settings.listen)?;
    ensure!(mailer.probe().await, "the way out for mail is closed");
    Ok(())
}

async fn redis(url: &str) -> Result<()> {
    let redis = RedisCounters::new(url, "octavo")?;
    ensure!(redis.ping().await, "Redis does not answer");
    Ok(())
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
