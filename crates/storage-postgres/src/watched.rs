//! Connections whose bytes are watched for the codes of errors.

use futures_util::{FutureExt, future::BoxFuture};
use octavo_storage_common::error_codes::remember;
use std::{
    error::Error,
    io,
    pin::Pin,
    task::{Context, Poll},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::{
    Socket,
    tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream},
};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Parses the bytes that a server sends, and reads its errors.
#[derive(Debug, Default)]
struct Watch {
    /// The kind and length of the current message, as far as received.
    head: Vec<u8>,
    /// How many bytes of the message are still to come.
    left: usize,
    /// The bytes of an error received so far.
    error: Option<Vec<u8>>,
}

const HEAD: usize = 5;
const LONGEST_ERROR: usize = 16 * 1024;

impl Watch {
    fn inspect(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.left == 0 {
                let (head, rest) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
                self.head.extend_from_slice(head);
                bytes = rest;
                if let [kind, length @ ..] = self.head.as_slice()
                    && let Ok(length) = <[u8; 4]>::try_from(length)
                {
                    // The length includes its own four bytes.
                    self.left = (u32::from_be_bytes(length) as usize).saturating_sub(4);
                    self.error = (*kind == b'E' && self.left <= LONGEST_ERROR).then(Vec::new);
                    self.head.clear();
                }
                continue;
            }
            let (part, rest) = bytes.split_at(bytes.len().min(self.left));
            self.left -= part.len();
            bytes = rest;
            if let Some(error) = &mut self.error {
                error.extend_from_slice(part);
                if self.left == 0 {
                    remember(error);
                    self.error = None;
                }
            }
        }
    }
}

/// Opens watched connections, with TLS if it is configured. Without TLS they take the same path, with a handshake
/// that does nothing.
#[derive(Clone)]
pub(crate) struct Watched(pub(super) Option<MakeRustlsConnect>);

type Fault = Box<dyn Error + Send + Sync>;
type Encrypted = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream;
type Handshake = <MakeRustlsConnect as MakeTlsConnect<Socket>>::TlsConnect;

impl MakeTlsConnect<Socket> for Watched {
    type Stream = WatchedStream;
    type TlsConnect = Connect;
    type Error = Fault;

    fn make_tls_connect(&mut self, domain: &str) -> Result<Connect, Fault> {
        let Some(tls) = &mut self.0 else { return Ok(Connect(None)) };
        let handshake = MakeTlsConnect::<Socket>::make_tls_connect(tls, domain)?;
        Ok(Connect(Some(handshake)))
    }
}

pub(crate) struct Connect(Option<Handshake>);

impl TlsConnect<Socket> for Connect {
    type Stream = WatchedStream;
    type Error = Fault;
    type Future = BoxFuture<'static, Result<WatchedStream, Fault>>;

    fn connect(self, socket: Socket) -> Self::Future {
        async move {
            let stream = match self.0 {
                Some(handshake) => Stream::Encrypted(Box::new(handshake.connect(socket).await?)),
                None => Stream::Plain(socket),
            };
            Ok(WatchedStream { stream, watch: Watch::default() })
        }
        .boxed()
    }
}

enum Stream {
    Plain(Socket),
    Encrypted(Box<Encrypted>),
}

pub(crate) struct WatchedStream {
    stream: Stream,
    watch: Watch,
}

impl TlsStream for WatchedStream {
    fn channel_binding(&self) -> ChannelBinding {
        match &self.stream {
            Stream::Plain(_) => ChannelBinding::none(),
            Stream::Encrypted(stream) => stream.channel_binding(),
        }
    }
}

impl AsyncRead for WatchedStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let polled = match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(cx, buf),
            Stream::Encrypted(stream) => Pin::new(stream).poll_read(cx, buf),
        };
        self.watch.inspect(&buf.filled()[before..]);
        polled
    }
}

impl AsyncWrite for WatchedStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(cx, bytes),
            Stream::Encrypted(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Stream::Encrypted(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Stream::Encrypted(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::StoreError;
    use octavo_storage_common::error_codes::meaning_of;

    fn message(kind: u8, body: &[u8]) -> Vec<u8> {
        let length = u32::try_from(body.len() + 4).unwrap_or_default();
        [&[kind], &length.to_be_bytes()[..], body].concat()
    }

    fn error(code: &str, text: &str) -> Vec<u8> {
        message(b'E', format!("SFEHLER\0VERROR\0C{code}\0M{text}\0Fproc.c\0\0").as_bytes())
    }

    #[test]
    fn errors_are_known_by_their_codes_in_any_language_however_they_arrive() {
        for size in [1, 2, 7, usize::MAX] {
            // What an error means is remembered for the whole process, so each round has texts of its own.
            let sent = [
                message(b'D', b"\0\x01E\0\0\0\x20C40P01\0"),
                message(b'Z', b""),
                error("40P01", &format!("Verklemmung entdeckt {size}")),
                message(b'N', format!("C57014\0Mnur ein Hinweis {size}\0\0").as_bytes()),
                error("57014", &format!("storniere Anfrage {size}")),
                error("23505", &format!("doppelter Schl\u{fc}ssel {size}")),
                error("55P03", &format!("Sperre nicht verf\u{fc}gbar {size}")),
            ]
            .concat();
            let meaning = |text: &str| meaning_of(&format!("{text} {size}"));
            let mut watch = Watch::default();
            for part in sent.chunks(size) {
                watch.inspect(part);
            }
            assert_eq!(meaning("Verklemmung entdeckt"), Some(StoreError::Collision), "in pieces of {size}");
            assert_eq!(meaning("storniere Anfrage"), Some(StoreError::Timeout));
            assert_eq!(meaning("Sperre nicht verf\u{fc}gbar"), Some(StoreError::Busy));
            assert_eq!(meaning("doppelter Schl\u{fc}ssel"), None);
            assert_eq!(meaning("nur ein Hinweis"), None, "a notice is no error");
        }
    }
}
