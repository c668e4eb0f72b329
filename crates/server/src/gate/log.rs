//! Writes one log line for every request.

use super::request_context::RequestContext;
use crate::{load::LoadLimit, refusal::Problem, request::principal::Principal};
use actix_web::http::StatusCode;
use std::time::Duration;
use tracing::{Level, event};

const TARGET: &str = "octavo::request";

/// Writes the line. It contains the template of the path and no query, because paths and queries may contain private
/// data.
pub(super) fn line(context: &RequestContext, status: StatusCode, took: Duration, problem: Option<&Problem>) {
    let cause = problem.and_then(|problem| problem.cause);
    let limit = problem.and_then(|problem| problem.load).map(LoadLimit::name);
    macro_rules! write_line {
        ($level:expr) => {
            event!(
                target: TARGET,
                $level,
                requestId = %context.id,
                clientRequestId = context.client_request.as_deref(),
                workspaceId = context.workspace.map(tracing::field::display),
                actorType = context.principal.map_or("ANONYMOUS", Principal::kind),
                actorId = context.principal.map(Principal::actor_id),
                clientAddress = %context.address,
                method = %context.method,
                route = context.route.map_or("unmatched", |route| route.path),
                status = status.as_u16(),
                durationMs = millis(took),
                cause,
                limit,
                "request"
            )
        };
    }
    match level(context, status, problem) {
        Level::ERROR => write_line!(Level::ERROR),
        Level::DEBUG => write_line!(Level::DEBUG),
        _ => write_line!(Level::INFO),
    }
}

/// Faults of the service are errors. A refusal because of load is none: it has a line as any other answer, and the
/// overload as a whole is logged as a warning. For a probe, 503 is an answer as intended: it is asked every few seconds,
/// and the reason is logged where it arises.
fn level(context: &RequestContext, status: StatusCode, problem: Option<&Problem>) -> Level {
    let intended = context.route.map_or(Level::INFO, |route| route.options.logged_at);
    let is_load = problem.is_some_and(|problem| problem.load.is_some());
    let is_unready_probe = intended == Level::DEBUG && status == StatusCode::SERVICE_UNAVAILABLE;
    if status.is_server_error() && !is_load && !is_unready_probe { Level::ERROR } else { intended }
}

/// Milliseconds with three decimals.
fn millis(took: Duration) -> f64 {
    let micros = u32::try_from(took.as_micros()).unwrap_or(u32::MAX);
    f64::from(micros) / 1000.0
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::{gate::limits::LimitOutcome, refusal::Refusal, route::Area, v1};
    use actix_web::http::Method;
    use octavo_core_model::{
        Fault, StoreError, Timestamp,
        fault::ComputeFault,
        id::{RequestId, UserId, WorkspaceId},
    };
    use octavo_testkit::LogRecorder;
    use std::{collections::BTreeMap, net::IpAddr, time::Instant};

    type Fields = BTreeMap<String, String>;

    fn logged(change: impl FnOnce(&mut RequestContext), status: u16, refusal: Option<Refusal>) -> (Level, Fields) {
        let mut context = RequestContext {
            id: RequestId::new(1, [1; 10]),
            now: Timestamp::from_millis(1),
            began: Instant::now(),
            address: IpAddr::from([192, 0, 2, 1]),
            method: Method::GET,
            client_request: None,
            route: None,
            on_screen: false,
            oauth_form: false,
            has_basic: false,
            principal: None,
            workspace: None,
            limits_met: LimitOutcome::default(),
            login_charge: None,
            origin: None,
            if_none_match: None,
            counted: None,
            body_reading: None,
            content: octavo_app::HeldContent::uncounted(),
        };
        change(&mut context);
        let recorder = LogRecorder::start();
        let problem = refusal.map(|refusal| refusal.problem());
        line(&context, StatusCode::from_u16(status).unwrap(), Duration::from_micros(1250), problem.as_ref());
        let mut lines = recorder.take();
        assert_eq!(lines.len(), 1);
        let line = lines.pop().unwrap();
        (line.level, line.fields)
    }

    #[test]
    fn a_line_names_the_route_and_the_caller_and_no_path() {
        let route = v1::AREAS.iter().flat_map(Area::routes).find(|route| route.path == "/sessions/{sessionId}");
        let (user, workspace) = (UserId::new(1, [2; 10]), WorkspaceId::new(1, [3; 10]));
        let signed_in = |context: &mut RequestContext| {
            context.route = route;
            context.principal = Some(Principal::User(user));
            context.workspace = Some(workspace);
            context.client_request = Some("from-the-client".to_owned());
        };
        let (level, line) = logged(signed_in, 204, None);
        assert_eq!(level, Level::INFO);
        for (field, value) in [
            ("requestId", RequestId::new(1, [1; 10]).to_string()),
            ("clientRequestId", "from-the-client".to_owned()),
            ("workspaceId", workspace.to_string()),
            ("actorType", "USER".to_owned()),
            ("actorId", user.to_string()),
            ("clientAddress", "192.0.2.1".to_owned()),
            ("method", "GET".to_owned()),
            ("route", "/sessions/{sessionId}".to_owned()),
            ("status", "204".to_owned()),
            ("durationMs", "1.25".to_owned()),
        ] {
            assert_eq!(line[field], value);
        }
    }

    #[test]
    fn a_health_probe_stays_out_of_the_info_log_unless_the_service_is_broken() {
        for path in ["/health", "/health/ready", "/health/deep"] {
            let route = v1::AREAS.iter().flat_map(Area::routes).find(|route| route.path == path);
            assert!(route.is_some(), "{path}");
            for (status, expected) in [(200, Level::DEBUG), (503, Level::DEBUG), (500, Level::ERROR)] {
                let (level, line) = logged(|context| context.route = route, status, None);
                assert_eq!((level, line["route"].as_str()), (expected, path), "{status}");
            }
        }
    }

    #[test]
    fn a_fault_of_the_service_is_an_error_with_its_cause() {
        let (level, line) = logged(|_| {}, 500, Some(Fault::Internal("a broken invariant").into()));
        assert_eq!((level, line["cause"].as_str()), (Level::ERROR, "a broken invariant"));
        assert_eq!((line["route"].as_str(), line["actorType"].as_str()), ("unmatched", "ANONYMOUS"));
        for absent in ["clientRequestId", "workspaceId", "actorId"] {
            assert!(!line.contains_key(absent), "{absent}");
        }
    }

    #[test]
    fn a_refusal_because_of_load_is_no_error() {
        let level = |refusal: Refusal| {
            let status = refusal.problem().status.as_u16();
            assert_eq!(status, 503, "{refusal:?}");
            logged(|_| {}, status, Some(refusal)).0
        };
        assert_eq!(level(Refusal::Overloaded), Level::INFO);
        for fault in [
            Fault::HasherBusy,
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::MemoryFull),
            Fault::Compute(ComputeFault::TablesFull),
            Fault::Store(StoreError::Busy),
        ] {
            assert_eq!(level(fault.clone().into()), Level::INFO, "{fault:?}");
        }
        for fault in [
            Fault::Compute(ComputeFault::Timeout),
            Fault::Store(StoreError::Unavailable),
            Fault::Store(StoreError::Collision),
            Fault::Store(StoreError::Timeout),
        ] {
            assert_eq!(level(fault.clone().into()), Level::ERROR, "{fault:?}");
        }
    }
}
