//! What is known about a request while it is served. Headers, log line and metrics are written from it.

use super::{address::client_address, basic, framing, limits::LimitOutcome, request_id};
use crate::{
    answer::Answer,
    backend::Backend,
    metrics,
    refusal::Refusal,
    request::{BodyReading, principal::Principal},
    route::{CrossOrigin, PathRoutes, Route},
    wire::{Bodies, Encoding},
};
use actix_web::{
    HttpRequest,
    http::{
        Method,
        header::{ACCEPT, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH, ORIGIN},
    },
};
use octavo_app::HeldContent;
use octavo_core_model::{
    Bucket, Fault, Timestamp,
    id::{RequestId, WorkspaceId},
};
use octavo_ports::{compute::WorkOwner, counters::LimitRequest};
use std::{
    net::{IpAddr, Ipv4Addr},
    time::Instant,
};

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

#[derive(Debug)]
pub(super) struct RequestContext {
    pub id: RequestId,
    pub now: Timestamp,
    pub began: Instant,
    pub address: IpAddr,
    pub method: Method,
    /// The client's own id of the request; it is only logged.
    pub client_request: Option<String>,
    pub route: Option<&'static Route>,
    /// The call is for a page, so every answer to it is a page too.
    pub on_screen: bool,
    /// A form for a route that also accepts JSON: its refusals follow RFC 6749.
    pub oauth_form: bool,
    /// The `Authorization` header contains the credentials of an app.
    pub has_basic: bool,
    /// The owner of the valid credential.
    pub principal: Option<Principal>,
    pub workspace: Option<WorkspaceId>,
    pub limits_met: LimitOutcome,
    /// The charge to the bucket for sign-ins, if the call is one.
    pub login_charge: Option<LimitRequest>,
    /// The value of `Access-Control-Allow-Origin`, if a page of another origin may read the answer.
    pub origin: Option<HeaderValue>,
    /// The entity tags of answers that the client already has.
    pub if_none_match: Option<String>,
    /// Counts the call as running; a streamed answer takes this over.
    pub counted: Option<metrics::InFlight>,
    /// How the body was read; `None` if it was not.
    pub body_reading: Option<BodyReading>,
    /// The page content that the call has in memory.
    pub content: HeldContent,
}

impl RequestContext {
    pub(super) fn begin(request: &HttpRequest, backend: &Backend) -> Self {
        let headers = request.headers();
        let now = backend.now();
        let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
        let address = client_address(peer, headers, &backend.settings.trusted_proxies);
        Self {
            id: request_id::fresh(now),
            now,
            began: Instant::now(),
            address,
            method: request.method().clone(),
            client_request: client_request(headers),
            route: None,
            on_screen: false,
            oauth_form: false,
            has_basic: false,
            principal: None,
            workspace: None,
            limits_met: LimitOutcome::default(),
            login_charge: None,
            origin: headers.get(ORIGIN).and_then(|origin| backend.settings.cors.allows(origin)),
            if_none_match: if_none_match(headers),
            counted: Some(backend.metrics.request_began()),
            body_reading: None,
            content: backend.content_memory.of_call(WorkOwner::network_of(address)),
        }
    }

    /// Records the route. Pages of other origins learn nothing about routes that are not open to them.
    pub(super) fn arrive(&mut self, entry: &PathRoutes, route: Option<&'static Route>) {
        self.route = route;
        self.on_screen = route.map_or_else(|| entry.is_screen(), Route::is_screen);
        match route.map_or_else(|| entry.cross_origin(), Route::cross_origin) {
            CrossOrigin::Nobody => self.origin = None,
            CrossOrigin::Listed => {}
            CrossOrigin::Anybody => self.origin = Some(HeaderValue::from_static("*")),
        }
    }

    /// Records that there is no route. A person who followed a wrong link gets a page; programs, which do not ask for
    /// one, get JSON.
    pub(super) fn arrive_nowhere(&mut self, request: &HttpRequest) {
        let mut accepted = request.headers().get_all(ACCEPT).filter_map(|line| line.to_str().ok());
        self.on_screen = self.reads()
            && !request.uri().path().starts_with("/api/")
            && accepted.any(|line| line.to_ascii_lowercase().contains("text/html"));
    }

    /// Whether the call only reads.
    pub(super) fn reads(&self) -> bool {
        [Method::GET, Method::HEAD].contains(&self.method)
    }

    /// Records how the body is encoded, if the answer depends on it.
    pub(super) fn note_form(&mut self, headers: &HeaderMap) {
        let takes_both = self.route.is_some_and(|route| route.bodies() == Bodies::JsonOrForm);
        self.oauth_form = takes_both && framing::encoding(headers) == Some(Encoding::Form);
        self.has_basic = basic::is_sent(headers);
    }

    /// Takes back the charge to the bucket for sign-ins if the hasher was busy: the password was not compared.
    pub(super) async fn refund_login(&mut self, backend: &Backend, answer: &Answer) {
        let is_busy = matches!(answer, Answer::Refused(Refusal::Fault(Fault::HasherBusy)));
        let Some(charge) = self.login_charge.take().filter(|_| is_busy) else { return };
        // If the counters are down now, the charge stays until its window has passed.
        let Ok(states) = backend.counters.refund(&[charge], self.now).await else { return };
        if let [state] = states[..] {
            self.limits_met.replace_state(Bucket::Login, state);
        }
    }
}

fn if_none_match(headers: &HeaderMap) -> Option<String> {
    headers.contains_key(IF_NONE_MATCH).then(|| {
        let lines = headers.get_all(IF_NONE_MATCH).filter_map(|line| line.to_str().ok());
        lines.collect::<Vec<_>>().join(",")
    })
}

/// The client's own id of the request, if it is short and plain enough for the log.
fn client_request(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(X_REQUEST_ID)?.to_str().ok()?;
    let is_plain = (8..=64).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    is_plain.then(|| id.to_owned())
}
