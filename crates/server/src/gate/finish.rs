//! The end of a call: the response, the log line and the metrics.

use super::{log, request_context::RequestContext, response};
use crate::{answer::Answer, backend::Backend, refusal::Refusal};
use actix_web::{HttpResponse, http::StatusCode};
use octavo_core_model::{Bucket, Fault};

/// Turns the answer into a response, and writes the log line and the metrics.
pub(super) fn finish(mut context: RequestContext, backend: &Backend, answer: Answer) -> HttpResponse {
    if let Some((bucket, retry_after)) = refused_by_use_case(&answer) {
        context.limits_met.refuse(bucket, backend.settings.rate_limits.of(bucket), retry_after, context.now);
        backend.metrics.rate_limited(bucket);
    }
    let problem = match &answer {
        Answer::Refused(refusal) => Some(refusal.problem()),
        Answer::Reply(_) | Answer::Document(_) | Answer::Screen(_) | Answer::File(_) | Answer::Preflight(_) => None,
    };
    let response = response::response(&mut context, backend, answer, problem.as_ref());
    let took = context.began.elapsed();
    log::line(&context, response.status(), took, problem.as_ref());
    let used_up = problem.and_then(|problem| problem.load);
    if let Some(limit) = used_up {
        backend.metrics.refused_by_load(limit);
    }
    backend.overloads.call_ended(used_up);
    let route = context.route.map(|route| (&route.method, route.path));
    backend.metrics.request_ended(&context.method, route, response.status(), took);
    response
}

/// The bucket that is named for a limit that the use case found to be exceeded, and how long the caller has to wait.
fn refused_by_use_case(answer: &Answer) -> Option<(Bucket, u64)> {
    match answer {
        Answer::Refused(Refusal::Fault(Fault::TooManyFailures { retry_after })) => Some((Bucket::Login, *retry_after)),
        Answer::Refused(Refusal::Fault(
            Fault::TooMuchWritten { bucket, retry_after } | Fault::TooManyStreams { bucket, retry_after },
        )) => Some((*bucket, *retry_after)),
        Answer::Screen(screen) if screen.status == StatusCode::TOO_MANY_REQUESTS => {
            Some((Bucket::Login, screen.retry_after?))
        }
        _ => None,
    }
}
