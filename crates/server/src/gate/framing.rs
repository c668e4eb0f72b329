//! The framing of a request: headers that must not be repeated, and the body.

use super::{body_memory::BodyMemory, idempotency::IDEMPOTENCY_KEY};
use crate::{
    refusal::Refusal,
    request::{Bounds, Unread, Upload},
    route::Route,
    settings::{Settings, Timeouts},
    wire::{self, Encoding, FORM, JSON},
};
use actix_web::{
    HttpRequest,
    error::PayloadError,
    http::{
        Method,
        header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, TRANSFER_ENCODING},
    },
    web::{Bytes, BytesMut, Payload},
};
use futures_util::StreamExt;
use octavo_app::QuotaShare;
use octavo_core_model::fault::{Issue, Violation};
use serde_json::Value;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// The body of a request as bytes and as JSON.
#[derive(Debug, Default)]
pub(super) struct DecodedBody {
    pub raw: Bytes,
    /// `None` if there is no body.
    pub value: Option<Value>,
    /// The encoding; `None` if no header names it.
    pub encoding: Option<Encoding>,
    /// The body as a stream, on routes that read it as it arrives.
    pub upload: Option<Upload>,
    /// The memory that the body has taken; `None` if the body is small.
    pub memory: Option<QuotaShare>,
}

/// The body of a request that is arriving.
pub(super) struct IncomingBody {
    /// `None` once it was handed over.
    payload: Option<Payload>,
    /// The client may send any amount of data: the body is chunked and its last chunk was not seen, or the rest of it
    /// is not wanted.
    unread: Unread,
}

impl IncomingBody {
    pub(super) fn of(request: &HttpRequest, payload: Payload) -> Self {
        let unread = Unread::new(request.headers().contains_key(TRANSFER_ENCODING));
        Self { payload: Some(payload), unread }
    }

    /// Whether the client may still send any amount of data. The HTTP implementation drops the rest of a body with a
    /// length, but would read this one to its end.
    pub(super) fn is_left_open(&self) -> bool {
        self.unread.get()
    }

    /// Hands the body over to be read as it arrives. From then on the unread rest is not waited for, because it may
    /// be long.
    fn hand_over(&mut self, headers: &HeaderMap, max: usize, idle: Duration) -> Option<Upload> {
        self.unread.set(announces_body(headers));
        let bounds = Bounds { max, declared: declared_length(headers), idle };
        self.payload.take().map(|payload| Upload::new(payload, self.unread.clone(), bounds))
    }
}

/// Headers that must not be repeated, because they identify the caller or the call.
pub(super) fn check_single(headers: &HeaderMap, checks_key: bool) -> Result<(), Refusal> {
    if headers.get_all(AUTHORIZATION).nth(1).is_some() {
        return Err(Violation::new("Authorization", Issue::Duplicate).into());
    }
    if checks_key && headers.get_all(IDEMPOTENCY_KEY).nth(1).is_some() {
        let sent = headers.get_all(IDEMPOTENCY_KEY).map(|value| String::from_utf8_lossy(value.as_bytes()));
        return Err(Violation::new("Idempotency-Key", Issue::Duplicate).with(sent.collect()).into());
    }
    Ok(())
}

/// Reads the body of a call, if it has one that matters.
pub(super) async fn read_content(
    request: &HttpRequest,
    inbound: &mut IncomingBody,
    route: &Route,
    settings: &Settings,
    began: Instant,
    mut memory: BodyMemory<'_>,
) -> Result<DecodedBody, Refusal> {
    let headers = request.headers();
    let encoding = encoding(headers);
    let wrong = Refusal::WrongMediaType(route.bodies());
    let ignored = [Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method());
    if !route.takes_bytes() && (ignored || !announces_body(headers)) {
        return Ok(DecodedBody { encoding, ..DecodedBody::default() });
    }
    let max = route.max_body().unwrap_or(settings.body_max_bytes);
    if declared_length(headers).is_some_and(|length| length > max as u64) {
        return Err(Refusal::BodyTooLarge { max });
    }
    if !has_identity_encoding(headers) {
        return Err(Refusal::EncodedBody);
    }
    if route.takes_bytes() {
        let content_type = headers.get(CONTENT_TYPE).map(|value| value.to_str().unwrap_or_default());
        if !route.bodies().admits(content_type) {
            return Err(wrong);
        }
        return Ok(DecodedBody {
            upload: inbound.hand_over(headers, max, settings.timeouts.idle),
            ..DecodedBody::default()
        });
    }
    let taken = encoding.filter(|encoding| route.bodies().takes(*encoding));
    if taken.is_none() && declared_length(headers).is_some() {
        return Err(wrong);
    }
    let raw = collect(inbound, max, settings.timeouts, began, &mut memory).await?;
    if raw.is_empty() {
        return Ok(DecodedBody { encoding, ..DecodedBody::default() });
    }
    let value = match taken {
        Some(Encoding::Json) => wire::parse(&raw),
        Some(Encoding::Form) => wire::parse_form(&raw),
        None => return Err(wrong),
    };
    let value = value.map_err(|unreadable| Refusal::from(Violation::from(unreadable)))?;
    Ok(DecodedBody { raw, value: Some(value), encoding, upload: None, memory: memory.into_share() })
}

fn announces_body(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING) || declared_length(headers).is_some_and(|length| length > 0)
}

fn declared_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.trim().parse().ok()
}

fn has_identity_encoding(headers: &HeaderMap) -> bool {
    headers.get_all(CONTENT_ENCODING).all(|value| value.as_bytes().eq_ignore_ascii_case(b"identity"))
}

/// `application/json`, any type with the suffix `+json`, or the type of HTML forms.
pub(super) fn encoding(headers: &HeaderMap) -> Option<Encoding> {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok())?;
    let media = value.split(';').next().unwrap_or_default().trim();
    let ends_in_json = media.len() > 5 && media.as_bytes()[media.len() - 5..].eq_ignore_ascii_case(b"+json");
    if media.eq_ignore_ascii_case(JSON) || (ends_in_json && media.contains('/')) {
        Some(Encoding::Json)
    } else {
        media.eq_ignore_ascii_case(FORM).then_some(Encoding::Form)
    }
}

/// Reads the body into memory. The caller is not known yet, so the memory counts for the network of the client.
async fn collect(
    inbound: &mut IncomingBody,
    max: usize,
    timeouts: Timeouts,
    began: Instant,
    memory: &mut BodyMemory<'_>,
) -> Result<Bytes, Refusal> {
    let Some(payload) = &mut inbound.payload else { return Ok(Bytes::new()) };
    let mut first: Option<Bytes> = None;
    let mut rest = BytesMut::new();
    let mut arrived = 0;
    loop {
        let left = timeouts.request.saturating_sub(began.elapsed());
        let next = timeout(timeouts.idle.min(left), payload.next()).await.map_err(|_| Refusal::TooSlow)?;
        let chunk = match next {
            None => break,
            Some(Ok(chunk)) => chunk,
            Some(Err(PayloadError::Overflow)) => return Err(Refusal::BodyTooLarge { max }),
            Some(Err(_)) => return Err(Refusal::MalformedRequest("body")),
        };
        arrived += chunk.len();
        if arrived > max {
            return Err(Refusal::BodyTooLarge { max });
        }
        if !memory.grow_to(arrived) {
            inbound.unread.set(true);
            return Err(Refusal::Overloaded);
        }
        match &first {
            // Most bodies arrive in one piece and need no copy.
            None => first = Some(chunk),
            Some(head) => {
                if rest.is_empty() {
                    rest.extend_from_slice(head);
                }
                rest.extend_from_slice(&chunk);
            }
        }
    }
    inbound.unread.set(false);
    Ok(if rest.is_empty() { first.unwrap_or_default() } else { rest.freeze() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    #[test]
    fn a_body_goes_by_its_type_or_its_suffix() {
        let encoding_of = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(value));
            encoding(&headers)
        };
        for json in ["application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json", "a/b+JSON"]
        {
            assert_eq!(encoding_of(json), Some(Encoding::Json), "{json}");
        }
        for form in ["application/x-www-form-urlencoded", "Application/X-WWW-Form-Urlencoded; charset=utf-8"] {
            assert_eq!(encoding_of(form), Some(Encoding::Form), "{form}");
        }
        for other in ["text/plain", "multipart/form-data; boundary=x", "json", "+json", "application/jsonp", ""] {
            assert_eq!(encoding_of(other), None, "{other}");
        }
        assert_eq!(encoding(&HeaderMap::new()), None);
    }
}
