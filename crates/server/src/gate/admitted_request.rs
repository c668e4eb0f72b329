//! A call that passed the gate, before its handler runs.

use super::{principal, upload::Upload};
use crate::{
    backend::Backend,
    dispatcher::Dispatcher,
    keys_in_use::KeyLease,
    route::{Encoding, PathRoutes, Route},
    wire::Pager,
};
use actix_web::{HttpRequest, http::header::HeaderMap};
use octavo_app::Call;
use octavo_sealing::Keyring;
use serde_json::Value;
use std::sync::Arc;

#[derive(Debug)]
pub struct AdmittedRequest {
    pub(super) backend: Arc<Backend>,
    pub(super) route: &'static Route,
    pub(super) entry: Arc<PathRoutes>,
    pub(super) request: HttpRequest,
    pub(super) body: Option<Value>,
    pub(super) encoding: Option<Encoding>,
    pub(super) upload: Option<Upload>,
    pub(super) call: Call,
    pub(super) key_lease: Option<KeyLease>,
    pub(super) segments_taken: usize,
    pub(super) pager: Option<Pager>,
}

impl AdmittedRequest {
    /// The next parameter of the path, as it was sent.
    pub fn next_segment(&mut self) -> Option<&str> {
        let number = self.segments_taken;
        self.segments_taken += 1;
        self.entry.parameter(self.request.uri().path(), number)
    }

    pub fn query(&self) -> &str {
        self.request.uri().query().unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.request.headers().get(name)?.to_str().ok()
    }

    pub const fn body(&self) -> Option<&Value> {
        self.body.as_ref()
    }

    pub(crate) const fn body_mut(&mut self) -> Option<&mut Value> {
        self.body.as_mut()
    }

    /// The encoding of the body; `None` if no header names it.
    pub const fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    pub fn headers(&self) -> &HeaderMap {
        self.request.headers()
    }

    pub fn origin(&self) -> &str {
        &self.backend.settings.origin
    }

    /// The owner of the call, to keep data of one caller from another.
    pub fn holder(&self) -> String {
        principal::holder(&self.call, self.body.as_ref())
    }

    pub fn workspace(&self) -> String {
        principal::workspace(&self.call).map(|id| id.to_string()).unwrap_or_default()
    }

    pub fn route_name(&self) -> String {
        format!("{} {}", self.route.method, self.request.uri().path())
    }

    pub fn keyring(&self) -> Arc<Keyring> {
        self.backend.engine().keyring()
    }

    /// Tells the dispatcher how to paginate the list.
    pub fn page_with(&mut self, pager: Pager) {
        self.pager = Some(pager);
    }

    /// All inputs are parsed: returns what the handler needs.
    pub fn start(self) -> (Dispatcher, Call) {
        (Dispatcher::new(self.backend, self.key_lease, self.pager, self.body), self.call)
    }
}
