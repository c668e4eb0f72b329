//! The log: which lines are written, and their format.

mod filter;
mod format;
mod layer;
mod line;
#[cfg(test)]
mod tests;

pub use filter::{InvalidLogFilter, LogFilter};
pub use format::LogFormat;
pub use layer::LogLayer;
pub use line::Form;

use octavo_core_model::Timestamp;
use std::{
    io::{self, IsTerminal, Write},
    panic::PanicHookInfo,
    time::{SystemTime, UNIX_EPOCH},
};
use tracing_subscriber::{Layer, layer::SubscriberExt};

/// Sends the events of this process to stderr from now on, including panics.
pub fn install(filter: &LogFilter, format: LogFormat) {
    let form = match format {
        LogFormat::Text => Form::Text,
        LogFormat::Auto if io::stderr().is_terminal() => Form::Text,
        LogFormat::Json | LogFormat::Auto => Form::Json,
    };
    let layer = LogLayer::new(form, now, to_stderr).with_filter(filter.targets());
    // Called once, by `main`; a second call has no effect.
    let _ = tracing::subscriber::set_global_default(tracing_subscriber::registry().with(layer));
    std::panic::set_hook(Box::new(log_panic));
}

#[expect(
    clippy::disallowed_methods,
    reason = "a log line tells when it was written, whatever time a test gives to the rest"
)]
fn now() -> Timestamp {
    let millis = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
}

/// One write per line, so that lines of several threads are not mixed. If stderr is closed, nothing can be reported.
fn to_stderr(line: &[u8]) {
    let _ = io::stderr().lock().write_all(line);
}

/// Logs a panic as a line. Its text is logged only if it is a literal: a formatted one may quote user input.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let reason = panic.payload().downcast_ref::<&'static str>().copied();
    let place = panic.location().map(ToString::to_string);
    tracing::error!(target: "octavo", place, reason, "a task panicked");
}
