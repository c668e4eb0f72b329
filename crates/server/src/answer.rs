//! The answers that handlers return.

use crate::{
    entity_tag,
    refusal::Refusal,
    screen::Screen,
    shared_encodings::SharedEncodings,
    streaming::ByteStream,
    wire::{Data, Writable, Written},
};
use actix_web::{
    http::{
        Method, StatusCode,
        header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
    },
    web::Bytes,
};
use octavo_app::{AppResult, Interrupt, Reply};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::{borrow::Cow, collections::BTreeSet, sync::Arc};

#[derive(Debug)]
#[expect(private_interfaces, reason = "screens are made in this crate only")]
pub enum Answer {
    Reply(Reply),
    /// A text or a file that is not the JSON of a use case.
    Document(Document),
    /// A page for browsers, or a redirect to one.
    Screen(Box<Screen>),
    /// The bytes of a file.
    File(FileBytes),
    Refused(Refusal),
    /// The answer to OPTIONS.
    Preflight(Preflight),
}

impl Answer {
    /// Whether the call was served.
    pub(crate) fn is_success(&self) -> bool {
        match self {
            Self::Reply(reply) => reply.status < 400,
            Self::Screen(screen) => !screen.status.is_client_error() && !screen.status.is_server_error(),
            Self::Document(_) | Self::File(_) | Self::Preflight(_) => true,
            Self::Refused(_) => false,
        }
    }

    /// How many bytes of memory the body takes up. Documents are shared by all calls.
    pub(crate) fn body_bytes(&self) -> u64 {
        let bytes = match self {
            Self::Reply(reply) => reply.body.len(),
            Self::Screen(screen) => screen.content.bytes(),
            Self::File(FileBytes { body: FileBody::Whole(bytes), .. }) => bytes.len(),
            Self::File(_) | Self::Document(_) | Self::Refused(_) | Self::Preflight(_) => 0,
        };
        bytes as u64
    }
}

/// What may be sent to a path.
#[derive(Debug)]
pub struct Preflight {
    pub verbs: Vec<Method>,
    /// The verbs that pages of other origins may use.
    pub verbs_for_other_origins: Vec<Method>,
    /// The request headers that the routes of the path use.
    pub headers: BTreeSet<&'static str>,
}

/// A text or a file that is not the reply of a use case.
#[derive(Clone, Debug)]
pub struct Document {
    pub media: &'static str,
    pub body: Bytes,
    /// The content security policy.
    pub policy: Cow<'static, str>,
    /// The entity tag, for conditional requests.
    pub etag: Option<String>,
    /// The body is compressed with brotli. It is decompressed for clients that do not accept that.
    pub is_brotli: bool,
    /// Where encodings of the body are kept, if it is the same for many calls.
    pub encodings: Option<Arc<SharedEncodings>>,
}

/// The bytes of a file or a part of them, with their headers.
#[derive(Debug)]
pub struct FileBytes {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: FileBody,
}

#[derive(Debug)]
pub enum FileBody {
    Whole(Bytes),
    Streamed(ByteStream),
}

/// The characters of a file name that need no encoding in a header.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// The `Content-Disposition` of a file: whether the browser shows or saves it, and its name.
pub fn disposition(kind: &str, name: &str) -> String {
    let plain: String = name.chars().map(|sign| if is_plain(sign) { sign } else { '_' }).collect();
    format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{}", utf8_percent_encode(name, PLAIN))
}

fn is_plain(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || " -._()".contains(sign)
}

/// The headers of a document that the browser saves instead of showing.
pub fn attachment(media: &'static str, name: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media));
    put_header(&mut headers, CONTENT_DISPOSITION, &disposition("attachment", name));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers
}

/// Sets a header whose value was built here; an invalid value is left out.
pub(crate) fn put_header(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Self {
        Self::Reply(reply)
    }
}

impl From<Document> for Answer {
    fn from(document: Document) -> Self {
        Self::Document(document)
    }
}

impl From<Screen> for Answer {
    fn from(screen: Screen) -> Self {
        Self::Screen(Box::new(screen))
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<AppResult<Reply>> for Answer {
    fn from(result: AppResult<Reply>) -> Self {
        match result {
            Ok(reply) | Err(Interrupt::Replay(reply)) => Self::Reply(reply),
            Err(Interrupt::Fault(fault)) => Self::Refused(fault.into()),
        }
    }
}

/// 200 with `{ data }`.
pub fn ok<T: Writable>(value: T) -> Reply {
    Reply::json(200, &Data(value))
}

/// 200 with `{ data }` and an entity tag, for conditional requests.
pub fn versioned<T: Writable>(version: i64, value: T) -> Reply {
    let reply = ok(value);
    Reply { etag: Some(entity_tag::of_version(version, &reply.body)), ..reply }
}

/// 201 with `{ data }`.
pub fn created<T: Writable>(value: T) -> Reply {
    Reply::json(201, &Data(value))
}

/// 202 with `{ data }`.
pub fn accepted<T: Writable>(value: T) -> Reply {
    Reply::json(202, &Data(value))
}

/// 200 with the value itself, without an envelope.
pub fn plain(value: &impl Writable) -> Answer {
    Reply::json(200, &Written(value)).into()
}
