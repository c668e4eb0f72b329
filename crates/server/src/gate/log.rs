//! One line in the log for every request.

use super::trail::Trail;
use actix_web::http::StatusCode;
use std::time::Duration;
use tracing::{Level, event};

const TARGET: &str = "octavo::request";

/// Writes the line. Paths are logged as templates and queries not at all: both may hold what is nobody's business.
pub(super) fn line(trail: &Trail, status: StatusCode, took: Duration, cause: Option<&str>) {
    macro_rules! write_line {
        ($level:expr) => {
            event!(
                target: TARGET,
                $level,
                requestId = %trail.id,
                clientRequestId = trail.client_request.as_deref(),
                workspaceId = trail.workspace.map(tracing::field::display),
                actorType = if trail.caller.is_some() { "USER" } else { "ANONYMOUS" },
                actorId = trail.caller.map(tracing::field::display),
                clientAddress = %trail.address,
                method = %trail.method,
                route = trail.route.map_or("unmatched", |route| route.path),
                status = status.as_u16(),
                durationMs = millis(took),
                cause,
                "request"
            )
        };
    }
    if status.is_server_error() {
        write_line!(Level::ERROR);
    } else {
        write_line!(Level::INFO);
    }
}

/// Milliseconds with three digits behind the point.
fn millis(took: Duration) -> f64 {
    let micros = u32::try_from(took.as_micros()).unwrap_or(u32::MAX);
    f64::from(micros) / 1000.0
}
