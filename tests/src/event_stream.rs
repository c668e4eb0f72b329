//! Server-sent events, as they arrive.

use crate::{Answer, Tenant, wire::Wire};
use serde_json::Value;

/// A stream that is open.
#[derive(Debug)]
pub struct EventStream {
    wire: Wire,
    tenant: Tenant,
    head: Answer,
    unread: String,
}

/// One frame. Fields that it lacks are `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub id: Option<String>,
    pub event: Option<String>,
    pub data: Option<Value>,
    pub retry: Option<String>,
}

impl Frame {
    pub fn is(&self, event: &str) -> bool {
        self.event.as_deref() == Some(event)
    }

    #[track_caller]
    pub fn data(&self) -> &Value {
        self.data.as_ref().unwrap_or_else(|| panic!("no data in {self:?}"))
    }

    fn parse(text: &str) -> Self {
        let mut frame = Self { id: None, event: None, data: None, retry: None };
        for line in text.lines() {
            let (name, value) = line.split_once(": ").unwrap_or_else(|| panic!("no field: {line}"));
            let value = value.to_owned();
            match name {
                "id" => frame.id = Some(value),
                "event" => frame.event = Some(value),
                "retry" => frame.retry = Some(value),
                "data" => frame.data = Some(serde_json::from_str(&value).unwrap()),
                _ => panic!("an unknown field: {line}"),
            }
        }
        frame
    }
}

impl EventStream {
    #[track_caller]
    pub(crate) fn begin(mut wire: Wire, tenant: Tenant) -> Self {
        let mut head = wire.begin().unwrap();
        if head.status != 200 {
            let length = head.named("content-length").parse().unwrap();
            head.body = wire.exactly(length).unwrap();
            panic!("no stream: {} {}", head.status, head.text());
        }
        Self { wire, tenant, head, unread: String::new() }
    }

    /// Status and headers.
    pub fn head(&self) -> &Answer {
        &self.head
    }

    /// The next frame; `None` at the end of the stream.
    #[track_caller]
    pub fn next_frame(&mut self) -> Option<Frame> {
        loop {
            if let Some((frame, rest)) = self.unread.split_once("\n\n") {
                let (frame, rest) = (Frame::parse(frame), rest.to_owned());
                self.unread = rest;
                return Some(frame);
            }
            let piece = self.wire.piece().unwrap();
            if piece.is_empty() {
                assert_eq!(self.unread, "", "the stream ended within a frame");
                return None;
            }
            self.unread.push_str(&String::from_utf8(self.tenant.to_test(piece)).unwrap());
        }
    }

    /// The next frame that is neither `retry` nor a heartbeat.
    #[track_caller]
    pub fn next_event(&mut self) -> Frame {
        loop {
            let frame = self.next_frame().expect("the stream goes on");
            if frame.retry.is_none() && !frame.is("heartbeat") {
                return frame;
            }
        }
    }

    /// The reason for which the service closes the stream. Events before that are skipped.
    #[track_caller]
    pub fn close_reason(&mut self) -> String {
        loop {
            let frame = self.next_event();
            if frame.is("close") {
                assert_eq!(self.next_frame(), None, "nothing follows");
                return frame.data()["reason"].as_str().unwrap().to_owned();
            }
        }
    }
}
