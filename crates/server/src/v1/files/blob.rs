//! `/files/blob/{token}`: bytes for holders of a signed address.

use super::portion::{Portion, RangeRequest};
use crate::{
    answer::{Answer, FileBody, FileBytes, disposition, put_header},
    backend::Backend,
    dispatcher::Dispatcher,
    refusal::Refusal,
    request::{AdmittedRequest, Inputs, Part},
    route::{CrossOrigin, Nothing, RouteReply, routes},
    streaming::{Broken, ByteStream},
    wire::{Documented, MediaDoc, ParameterDoc},
};
use actix_web::{
    http::{
        StatusCode,
        header::{
            ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_RANGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
            CROSS_ORIGIN_RESOURCE_POLICY, ETAG, HeaderMap, HeaderValue,
        },
    },
    web::Bytes,
};
use futures_util::{StreamExt, stream};
use octavo_app::{
    Call, Engine,
    files::{self, Download},
};
use octavo_core_model::{Fault, StoreError, fault::Denial};
use serde_json::{Value, json};
use std::{ops::Range, sync::Arc};

/// How much of a file is in memory at a time.
const CHUNK: u64 = 256 * 1024;

/// The policy of files: they must not run, load or send anything when a browser shows them.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
);

routes! {
    /// Sends a file.
    ///
    /// Requires no credential but the address, which the service has signed for somebody who may read the file. Parts
    /// can be requested with `Range`; `If-Range` and `If-None-Match` are supported. Pages of every origin may read it.
    GET "/files/blob/{token}" as downloadFile => send {
        caller: Anyone,
        limits: [],
        takes: (token: Token, asked: RangeRequest),
        answers: { 200: FileContent, 206: FileContent, 304: Nothing },
        refusals: [
            Fault::Forbidden(Denial::SignatureInvalid),
            Fault::Forbidden(Denial::SignatureExpired),
            Fault::ContentGone,
            Fault::OutOfRange { size: 12000 },
        ],
        events: [],
        free: true,
        cross_origin: CrossOrigin::Anybody,
    }
}

/// The bytes of a file.
#[derive(Debug)]
struct FileContent;

impl Documented for FileContent {
    fn schema() -> Value {
        json!({ "type": "string", "format": "binary" })
    }

    fn example() -> Value {
        "...".into()
    }
}

impl RouteReply for FileContent {
    const MEDIA: &'static str = "application/octet-stream";

    fn alternatives() -> Vec<MediaDoc> {
        let text = |media| MediaDoc { media, schema: json!({ "type": "string" }), example: "...".into() };
        vec![text("application/x-ndjson"), text("text/plain")]
    }
}

/// The signed part of the address.
#[derive(Debug)]
struct Token;

impl Part for Token {
    type Extracted = String;

    fn extract(admitted: &mut AdmittedRequest) -> String {
        admitted.next_segment().unwrap_or_default().to_owned()
    }

    fn describe(inputs: &mut Inputs) {
        inputs.path.push((json!({ "type": "string" }), json!("c2lnbmVk")));
    }
}

impl Part for RangeRequest {
    type Extracted = Self;

    fn extract(admitted: &mut AdmittedRequest) -> Self {
        let header = |name| admitted.header(name).map(str::to_owned);
        Self { range: header("range"), if_range: header("if-range"), if_none_match: header("if-none-match") }
    }

    fn describe(inputs: &mut Inputs) {
        for (name, about, example) in [
            ("Range", "The part that is wanted, such as `bytes=0-499`.", "bytes=0-499"),
            ("If-Range", "The part only if the file still has this `ETag`, else all of it.", "\"60303ae2\""),
            ("If-None-Match", "Nothing if the file still has this `ETag` (304).", "\"60303ae2\""),
        ] {
            let (about, schema, example) = (about.to_owned(), json!({ "type": "string" }), json!(example));
            inputs.headers.push(ParameterDoc { name, about, required: false, schema, example });
        }
    }
}

async fn send(dispatcher: Dispatcher, call: Call, token: String, asked: RangeRequest) -> Answer {
    let backend = Arc::clone(dispatcher.backend());
    let find = |engine: Arc<Engine>, call| async move {
        engine.read(call, move |view| Box::pin(async move { files::open(view, &token).await })).await
    };
    let download = match dispatcher.ask(call, find).await {
        Ok(download) => download,
        Err(refusal) => return refusal.into(),
    };
    match answer(&backend, download, &asked).await {
        Ok(bytes) => Answer::File(bytes),
        Err(fault) => Refusal::Fault(fault).into(),
    }
}

async fn answer(backend: &Arc<Backend>, download: Download, asked: &RangeRequest) -> Result<FileBytes, Fault> {
    let size = download.content.pieces.size();
    let etag = format!("\"{}\"", download.content.sha256);
    let portion = asked.portion(&etag, size)?;
    let mut headers = headers(backend, &download, &etag);
    let (status, part) = match portion {
        Portion::Unchanged => {
            return Ok(FileBytes { status: StatusCode::NOT_MODIFIED, headers, body: FileBody::Whole(Bytes::new()) });
        }
        Portion::Whole => (StatusCode::OK, 0..size),
        Portion::Part(part) => {
            put_header(&mut headers, CONTENT_RANGE, &format!("bytes {}-{}/{size}", part.start, part.end - 1));
            (StatusCode::PARTIAL_CONTENT, part)
        }
    };
    let body = body(backend, download, part).await?;
    Ok(FileBytes { status, headers, body })
}

fn headers(backend: &Backend, download: &Download, etag: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let content = &download.content;
    // Any text is sent as plain text, whatever a browser would do with its real type.
    let media = if content.media.starts_with("text/") { "text/plain; charset=utf-8" } else { content.media.as_str() };
    let disposition = disposition(download.disposition.name(), &content.name);
    let left = download.until.since(backend.now()).as_secs();
    put_header(&mut headers, CONTENT_TYPE, media);
    put_header(&mut headers, CONTENT_DISPOSITION, &disposition);
    put_header(&mut headers, ETAG, etag);
    put_header(&mut headers, CACHE_CONTROL, &format!("private, max-age={left}, immutable"));
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    headers
}

/// The bytes, read while they are sent. The first ones are read in advance, so that a missing file is refused
/// properly.
async fn body(backend: &Arc<Backend>, download: Download, part: Range<u64>) -> Result<FileBody, Fault> {
    let size = part.end - part.start;
    let reading = Reading { backend: Arc::clone(backend), download, left: part };
    let Some((first, reading)) = reading.next().await? else { return Ok(FileBody::Whole(Bytes::new())) };
    let rest = stream::unfold(Some(reading), |reading| async {
        match reading?.next().await {
            Ok(Some((bytes, reading))) => Some((Ok(bytes), Some(reading))),
            Ok(None) => None,
            Err(_) => Some((Err(Broken("the file ended early")), None)),
        }
    });
    let all = stream::once(std::future::ready(Ok(first))).chain(rest);
    Ok(FileBody::Streamed(ByteStream::sized(size, all)))
}

struct Reading {
    backend: Arc<Backend>,
    download: Download,
    left: Range<u64>,
}

impl Reading {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, Fault> {
        if self.left.is_empty() {
            return Ok(None);
        }
        let pieces = &self.download.content.pieces;
        let (piece, begin) = pieces.locate(self.left.start).ok_or(Fault::ContentGone)?;
        let in_piece = pieces.0.get(piece).copied().unwrap_or_default() - begin;
        let length = CHUNK.min(in_piece).min(self.left.end - self.left.start);
        let read = self.backend.blobs.read(self.download.folder, piece, begin..begin + length).await;
        let read = read.map_err(|_| Fault::Store(StoreError::Unavailable))?;
        let bytes = read.filter(|bytes| bytes.len() as u64 == length).ok_or(Fault::ContentGone)?;
        self.left.start += length;
        Ok(Some((bytes.into(), self)))
    }
}
