//! Requests.

use crate::{Answer, EventStream, Tenant, conventions, wire::Wire};
use serde_json::Value;
use std::{
    fmt::Write,
    io,
    net::{Ipv4Addr, SocketAddr},
};

/// The prefix of the API.
pub const BASE: &str = "/api/v1";

/// A place that answers requests.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    address: SocketAddr,
    tenant: Tenant,
}

impl Site {
    pub fn at(address: SocketAddr) -> Self {
        Self { address, tenant: Tenant::ALONE }
    }

    /// The same place as seen by one of its tenants.
    pub(crate) fn as_tenant(self, tenant: Tenant) -> Self {
        Self { tenant, ..self }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address from which the server sees calls.
    pub fn client_address(&self) -> Ipv4Addr {
        self.tenant.client_address()
    }

    /// The default origin of links and tokens.
    pub fn public_origin(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn wire(&self) -> Wire {
        Wire::connect_from(self.client_address(), self.address).expect("the server accepts connections")
    }

    /// A request with exactly this path.
    pub fn bare(&self, method: &str, target: &str) -> Request {
        Request { site: *self, method: method.to_owned(), target: target.to_owned(), headers: Vec::new(), body: None }
    }

    /// A request whose path is relative to the API's prefix.
    pub fn request(&self, method: &str, path: &str) -> Request {
        self.bare(method, &format!("{BASE}{path}"))
    }

    pub fn get(&self, path: &str) -> Request {
        self.request("GET", path)
    }

    pub fn post(&self, path: &str, body: &Value) -> Request {
        self.request("POST", path).json(body)
    }

    pub fn delete(&self, path: &str) -> Request {
        self.request("DELETE", path)
    }
}

#[derive(Clone, Debug)]
#[must_use]
pub struct Request {
    site: Site,
    method: String,
    target: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Option<Vec<u8>>,
}

impl Request {
    /// Adds a header, even if there already is one with this name.
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.headers.push((name.to_owned(), value.as_ref().to_owned()));
        self
    }

    pub fn bearer(self, token: &str) -> Self {
        self.header("Authorization", format!("Bearer {token}"))
    }

    /// Sets the idempotency key.
    pub fn key(self, key: &str) -> Self {
        self.header("Idempotency-Key", key)
    }

    /// Sets the client address that a trusted proxy reports.
    pub fn forwarded_for(self, address: &str) -> Self {
        self.header("X-Forwarded-For", address)
    }

    pub fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string())
    }

    pub fn body(self, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.header("Content-Type", content_type).untyped_body(body)
    }

    /// A body without a content type.
    pub fn untyped_body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Sends it over a new connection, and checks the rules for every answer.
    #[track_caller]
    pub fn send(&self) -> Answer {
        match self.try_send() {
            Ok(answer) => answer,
            Err(fault) => panic!("{} {}: {fault}", self.method, self.target),
        }
    }

    /// Like `send`, for a server that may be down.
    #[track_caller]
    pub fn try_send(&self) -> io::Result<Answer> {
        let answer = self.exchange()?;
        conventions::check(&self.method, &self.target, &answer);
        Ok(answer)
    }

    /// Sends it to another service, without checking our rules.
    pub fn exchange(&self) -> io::Result<Answer> {
        let Site { address, tenant } = self.site;
        let mut wire = Wire::connect_from(tenant.client_address(), address)?;
        // A server may refuse and close the connection before it has read everything; its answer is what counts.
        let sent = wire.send(tenant.to_server(self.bytes()));
        let answer = wire.receive(&self.method).map_err(|fault| sent.err().unwrap_or(fault))?;
        Ok(answer.with_addresses_of(tenant))
    }

    /// Sends it and reads only the head of the answer, whose body may not end.
    #[track_caller]
    pub fn exchange_head(&self) -> Answer {
        let Site { address, tenant } = self.site;
        let mut wire = Wire::connect_from(tenant.client_address(), address).unwrap();
        wire.send(tenant.to_server(self.bytes())).unwrap();
        wire.begin().unwrap()
    }

    /// Opens a stream of events.
    #[track_caller]
    pub fn stream(&self) -> EventStream {
        let Site { address, tenant } = self.site;
        let mut wire = Wire::connect_from(tenant.client_address(), address).unwrap();
        wire.send(tenant.to_server(self.bytes())).unwrap();
        EventStream::begin(wire, tenant)
    }

    /// The bytes of the request.
    pub fn bytes(&self) -> Vec<u8> {
        let mut head = String::new();
        let _ = write!(head, "{} {} HTTP/1.1\r\n", self.method, self.target);
        let mut bytes = head.into_bytes();
        let mut line = |name: &str, value: &[u8]| {
            bytes.extend_from_slice(name.as_bytes());
            bytes.extend_from_slice(b": ");
            bytes.extend_from_slice(value);
            bytes.extend_from_slice(b"\r\n");
        };
        if !self.has("Host") {
            line("Host", self.site.address.to_string().as_bytes());
        }
        if !self.has("Connection") {
            line("Connection", b"close");
        }
        for (name, value) in &self.headers {
            line(name, value);
        }
        if let Some(body) = &self.body
            && !self.has("Content-Length")
            && !self.has("Transfer-Encoding")
        {
            line("Content-Length", body.len().to_string().as_bytes());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(self.body.as_deref().unwrap_or_default());
        bytes
    }

    fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(present, _)| present.eq_ignore_ascii_case(name))
    }
}
