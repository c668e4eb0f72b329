//! Compresses answers for clients that accept it.
//!
//! Only answers that are completely in memory are compressed. Streamed answers are files, of which clients request
//! ranges, or events, which must not be delayed. The middleware of actix compresses small answers too, refuses
//! requests with texts of its own, and does not tell the encoders the size of the content: for a few kilobytes they
//! would then allocate windows of megabytes.
//!
//! Files that are part of the program are stored compressed, because the best compression takes seconds. They are sent as
//! they are, or decompressed for clients that do not accept brotli.

use crate::shared_encodings::SharedEncodings;
use actix_web::{
    HttpResponse,
    body::{BodySize, BoxBody, MessageBody},
    http::{
        StatusCode,
        header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, VARY},
    },
    web::{Bytes, block},
};
use brotli::enc::BrotliEncoderParams;
use flate2::{Compression, write::GzEncoder};
use std::{
    io::{self, Write},
    sync::Arc,
};

/// Up to this size, compression saves less than it costs.
const SMALL: u64 = 1024;

/// From this size on, an answer is compressed on another thread, so that other connections of this thread do not wait.
const LARGE: u64 = 32 * 1024;

// Higher levels take two to a hundred times as long and save a few per cent: 10 KB of JSON take 25 to 45 microseconds
// at these levels, and 3 ms with brotli at quality 5.
const ZSTD_LEVEL: i32 = 3;
const BROTLI_QUALITY: i32 = 3;
const GZIP_LEVEL: u32 = 5;

/// The compression formats, the one with the best ratio of savings to cost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    Zstd,
    Brotli,
    Gzip,
}

impl Coding {
    const ALL: [Self; 3] = [Self::Zstd, Self::Brotli, Self::Gzip];

    /// The index of the format in [`Coding::ALL`] and in [`SharedEncodings`].
    const fn index(self) -> usize {
        match self {
            Self::Zstd => 0,
            Self::Brotli => 1,
            Self::Gzip => 2,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    fn encode(self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut encoded = self.encode_with_spare_capacity(bytes)?;
        // A slow client would keep the spare capacity allocated too.
        encoded.shrink_to_fit();
        Ok(encoded)
    }

    /// Encodes into a buffer with spare capacity, because the encoders allocate more than they need.
    fn encode_with_spare_capacity(self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Zstd => zstd::bulk::compress(bytes, ZSTD_LEVEL),
            Self::Brotli => {
                let window = bytes.len().next_power_of_two().ilog2().clamp(16, 22);
                let params = BrotliEncoderParams {
                    quality: BROTLI_QUALITY,
                    lgwin: i32::try_from(window).unwrap_or_default(),
                    size_hint: bytes.len(),
                    ..BrotliEncoderParams::default()
                };
                let mut encoded = Vec::with_capacity(bytes.len() / 2);
                brotli::BrotliCompress(&mut &*bytes, &mut encoded, &params)?;
                Ok(encoded)
            }
            Self::Gzip => {
                let room = Vec::with_capacity(bytes.len() / 2);
                let mut encoder = GzEncoder::new(room, Compression::new(GZIP_LEVEL));
                encoder.write_all(bytes)?;
                encoder.finish()
            }
        }
    }
}

/// The weights of a client's `Accept-Encoding`, in thousandths; 0 refuses a format.
#[derive(Clone, Copy, Debug, Default)]
struct Accepted {
    weights: [Option<u16>; Coding::ALL.len()],
    identity: Option<u16>,
    others: Option<u16>,
}

impl Accepted {
    fn read(headers: &HeaderMap) -> Self {
        let mut accepted = Self::default();
        let lines = headers.get_all(ACCEPT_ENCODING).filter_map(|line| line.to_str().ok());
        for item in lines.flat_map(|line| line.split(',')) {
            let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
            let Some(weight) = weight(parameters) else { continue };
            let name = name.trim();
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            if let Some(at) = Coding::ALL.iter().position(|coding| is(coding.name())) {
                accepted.weights[at] = Some(weight);
            } else if is("x-gzip") {
                accepted.weights[2] = Some(weight);
            } else if is("identity") {
                accepted.identity = Some(weight);
            } else if is("*") {
                accepted.others = Some(weight);
            }
        }
        accepted
    }

    /// Whether the client refuses an uncompressed answer.
    fn refuses_identity(&self) -> bool {
        self.identity.or(self.others) == Some(0)
    }

    /// Whether the client accepts the format, whatever else it prefers.
    fn accepts(&self, coding: Coding) -> bool {
        let own = Coding::ALL.into_iter().zip(self.weights).find(|(known, _)| *known == coding);
        own.and_then(|(_, weight)| weight).or(self.others).is_some_and(|weight| weight > 0)
    }

    /// The format that the client prefers, unless it prefers an uncompressed answer.
    fn best(&self) -> Option<Coding> {
        let mut best: Option<(Coding, u16)> = None;
        for (coding, weight) in Coding::ALL.into_iter().zip(self.weights) {
            let weight = weight.or(self.others).unwrap_or(0);
            if weight > best.map_or(0, |(_, best)| best) {
                best = Some((coding, weight));
            }
        }
        let identity = self.identity.unwrap_or(0);
        best.filter(|(_, weight)| *weight >= identity).map(|(coding, _)| coding)
    }
}

/// Whether the client prefers compressed answers.
pub(super) fn is_wanted(headers: &HeaderMap) -> bool {
    Accepted::read(headers).best().is_some()
}

/// The `q` parameter of a format; `None` if it is not a valid weight.
fn weight(parameters: &str) -> Option<u16> {
    let mut named = parameters.split(';').filter_map(|parameter| parameter.split_once('='));
    let Some((_, text)) = named.find(|(name, _)| name.trim().eq_ignore_ascii_case("q")) else { return Some(1000) };
    let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let is_fraction = fraction.len() <= 3 && fraction.bytes().all(|digit| digit.is_ascii_digit());
    let thousandths = || format!("{fraction:0<3}").parse().ok();
    match whole {
        "0" if is_fraction => thousandths(),
        "1" if is_fraction && thousandths() == Some(0) => Some(1000),
        _ => None,
    }
}

/// Compresses an answer if the client accepts that and it is worth it.
pub(super) async fn compress(request: &HeaderMap, response: HttpResponse) -> HttpResponse {
    let BodySize::Sized(size) = response.body().size() else { return response };
    if size == 0 || response.status() == StatusCode::PARTIAL_CONTENT || !is_text(response.headers()) {
        return response;
    }
    let encodings = response.extensions().get::<Arc<SharedEncodings>>().cloned();
    let encodings = encodings.as_deref();
    let (mut response, body) = response.into_parts();
    let bytes = match body.try_into_bytes() {
        Ok(bytes) => bytes,
        // It is streamed.
        Err(body) => return response.set_body(body),
    };
    vary(response.headers_mut());
    let accepted = Accepted::read(request);
    let mut size = size;
    let mut bytes = bytes;
    if response.headers().contains_key(CONTENT_ENCODING) {
        if accepted.accepts(Coding::Brotli) {
            return response.set_body(BoxBody::new(bytes));
        }
        let Some(decoded) = decoded(bytes.clone(), encodings).await else {
            return response.set_body(BoxBody::new(bytes));
        };
        response.headers_mut().remove(CONTENT_ENCODING);
        bytes = decoded;
        size = bytes.len() as u64;
    }
    let coding = accepted.best().filter(|_| size > SMALL || accepted.refuses_identity());
    let Some(coding) = coding else { return response.set_body(BoxBody::new(bytes)) };
    let encoded = encoded(coding, &bytes, encodings).await;
    let smaller = |encoded: &Bytes| encoded.len() < bytes.len() || accepted.refuses_identity();
    let Some(encoded) = encoded.filter(smaller) else { return response.set_body(BoxBody::new(bytes)) };
    let mut response = response.set_body(BoxBody::new(encoded));
    response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
    response
}

/// The index of the decompressed body in [`SharedEncodings`], after those of all formats.
const PLAIN: usize = Coding::ALL.len();

/// Decompresses what is stored with brotli.
async fn decoded(bytes: Bytes, encodings: Option<&SharedEncodings>) -> Option<Bytes> {
    if let Some(made) = encodings.and_then(|encodings| encodings.get(PLAIN)) {
        return Some(made);
    }
    let decode = move || {
        let mut decoded = Vec::new();
        brotli::BrotliDecompress(&mut &*bytes, &mut decoded).map(|()| decoded)
    };
    let decoded = Bytes::from(block(decode).await.ok()?.ok()?);
    if let Some(encodings) = encodings {
        encodings.keep(PLAIN, &decoded);
    }
    Some(decoded)
}

async fn encoded(coding: Coding, bytes: &Bytes, encodings: Option<&SharedEncodings>) -> Option<Bytes> {
    if let Some(made) = encodings.and_then(|encodings| encodings.get(coding.index())) {
        return Some(made);
    }
    let encoded = if (bytes.len() as u64) < LARGE {
        coding.encode(bytes).ok()?
    } else {
        let bytes = bytes.clone();
        block(move || coding.encode(&bytes)).await.ok()?.ok()?
    };
    let encoded = Bytes::from(encoded);
    if let Some(encodings) = encodings {
        encodings.keep(coding.index(), &encoded);
    }
    Some(encoded)
}

/// Images and fonts are already compressed.
fn is_text(headers: &HeaderMap) -> bool {
    let media = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default();
    media.starts_with("text/") || ["json", "yaml", "xml", "javascript"].iter().any(|kind| media.ends_with(kind))
}

/// Declares that the answer depends on `Accept-Encoding`.
fn vary(headers: &mut HeaderMap) {
    let names = |line: &HeaderValue| line.to_str().is_ok_and(|line| line.contains("Accept-Encoding"));
    if !headers.get_all(VARY).any(names) {
        headers.append(VARY, HeaderValue::from_static("Accept-Encoding"));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use std::io::Read;

    fn accepted(lines: &[&'static str]) -> Accepted {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(ACCEPT_ENCODING, HeaderValue::from_static(line));
        }
        Accepted::read(&headers)
    }

    #[test]
    fn the_coding_that_the_client_prefers_is_chosen() {
        for (lines, best) in [
            (&[][..], None),
            (&[""], None),
            (&["identity"], None),
            (&["gzip"], Some(Coding::Gzip)),
            (&["X-GZIP"], Some(Coding::Gzip)),
            (&["gzip, deflate, br, zstd"], Some(Coding::Zstd)),
            (&["gzip, deflate", "br"], Some(Coding::Brotli)),
            (&["gzip;q=1.0, br;q=0.5, zstd; q=0.999"], Some(Coding::Gzip)),
            (&["br;q=0.001"], Some(Coding::Brotli)),
            (&["br;q=0"], None),
            (&["*"], Some(Coding::Zstd)),
            (&["*;q=0.5, zstd;q=0"], Some(Coding::Brotli)),
            (&["*;q=0"], None),
            (&["identity;q=0.5, gzip;q=0.4"], None),
            (&["identity;q=0.5, gzip;q=0.5"], Some(Coding::Gzip)),
            (&["deflate, compress"], None),
            (&["gzip;q=2, br;q=0.1234, zstd;q=x"], None),
        ] {
            assert_eq!(accepted(lines).best(), best, "{lines:?}");
        }
    }

    #[test]
    fn a_format_is_accepted_even_if_another_is_preferred() {
        for (line, is_accepted) in [
            ("zstd, br;q=0.1", true),
            ("*;q=0.5", true),
            ("identity, br;q=0.5", true),
            ("gzip, zstd", false),
            ("*, br;q=0", false),
            ("", false),
        ] {
            assert_eq!(accepted(&[line]).accepts(Coding::Brotli), is_accepted, "{line}");
        }
    }

    #[test]
    fn the_identity_coding_can_be_refused() {
        for (line, refused) in [
            ("gzip", false),
            ("identity;q=0", true),
            ("gzip, identity;q=0.0", true),
            ("*;q=0", true),
            ("*;q=0, identity;q=0.1", false),
            ("identity;q=0.001", false),
        ] {
            assert_eq!(accepted(&[line]).refuses_identity(), refused, "{line}");
        }
    }

    #[test]
    fn what_is_encoded_can_be_decoded() {
        let long = "{\"data\":[0,1,2]}".repeat(20_000);
        for text in ["", "x", &long[..2000], &long] {
            let bytes = text.as_bytes();
            let zstd = zstd::stream::decode_all(&*Coding::Zstd.encode(bytes).unwrap()).unwrap();
            let mut brotli = Vec::new();
            brotli::BrotliDecompress(&mut &*Coding::Brotli.encode(bytes).unwrap(), &mut brotli).unwrap();
            let mut gzip = Vec::new();
            let encoded = Coding::Gzip.encode(bytes).unwrap();
            flate2::read::GzDecoder::new(&*encoded).read_to_end(&mut gzip).unwrap();
            assert!(zstd == bytes && brotli == bytes && gzip == bytes, "{}", text.len());
        }
    }
}
