//! A server with just enough SMTP to accept a letter, or to refuse it as a test wants.

use std::sync::{Arc, Mutex};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufStream},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

/// The answers of the server. The fields are whole answers, such as `250 OK`.
#[derive(Clone, Copy)]
pub(super) struct Replies {
    pub(super) banner: &'static str,
    pub(super) offers: &'static [&'static str],
    pub(super) login: &'static str,
    pub(super) sender: &'static str,
    pub(super) recipient: &'static str,
    pub(super) letter: &'static str,
    /// Empty: closes the connection without an answer.
    pub(super) farewell: &'static str,
    /// Uses TLS from the first byte.
    pub(super) encrypted: bool,
}

pub(super) const POLITE: Replies = Replies {
    banner: "220 ready",
    offers: &[],
    login: "235 welcome",
    sender: "250 OK",
    recipient: "250 OK",
    letter: "250 taken",
    farewell: "221 bye",
    encrypted: false,
};

/// What arrived: the commands in order, and the letters.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub(super) commands: Vec<String>,
    pub(super) letters: Vec<String>,
    pub(super) handshakes: usize,
}

pub(super) struct Server {
    pub(super) port: u16,
    record: Arc<Mutex<Record>>,
}

impl Server {
    pub(super) async fn start(manners: Replies) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let record = Arc::new(Mutex::new(Record::default()));
        let kept = Arc::clone(&record);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A client that disconnects ends its conversation, not the server.
                let _ = serve(stream, manners, &kept).await;
            }
        });
        Self { port, record }
    }

    pub(super) fn record(&self) -> Record {
        self.record.lock().unwrap().clone()
    }
}

async fn serve(stream: TcpStream, manners: Replies, record: &Mutex<Record>) -> std::io::Result<()> {
    if manners.encrypted {
        return converse(encrypt(stream, record).await?, manners, record, true).await.map(drop);
    }
    if let Some(stream) = converse(stream, manners, record, true).await? {
        converse(encrypt(stream, record).await?, Replies { offers: &[], ..manners }, record, false).await?;
    }
    Ok(())
}

async fn encrypt(stream: TcpStream, record: &Mutex<Record>) -> std::io::Result<impl AsyncRead + AsyncWrite + Unpin> {
    let certificate = CertificateDer::from_pem_slice(include_bytes!("keys/certificate.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("keys/server.pem")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let stream = TlsAcceptor::from(Arc::new(config)).accept(stream).await?;
    record.lock().unwrap().handshakes += 1;
    Ok(stream)
}

/// Answers commands until the client leaves; returns the stream if the client asks for TLS.
async fn converse<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    manners: Replies,
    record: &Mutex<Record>,
    greets: bool,
) -> std::io::Result<Option<S>> {
    let mut stream = BufStream::new(stream);
    if greets {
        say(&mut stream, manners.banner).await?;
    }
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(None);
        }
        let command = line.trim_end().to_owned();
        record.lock().unwrap().commands.push(command.clone());
        let verb = command.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        match verb.as_str() {
            "EHLO" => {
                for offer in manners.offers {
                    say(&mut stream, &format!("250-{offer}")).await?;
                }
                say(&mut stream, "250 8BITMIME").await?;
            }
            "STARTTLS" => {
                say(&mut stream, "220 go ahead").await?;
                return Ok(Some(stream.into_inner()));
            }
            "AUTH" => say(&mut stream, manners.login).await?,
            "MAIL" => say(&mut stream, manners.sender).await?,
            "RCPT" => say(&mut stream, manners.recipient).await?,
            "DATA" => {
                say(&mut stream, "354 go on").await?;
                let letter = read_letter(&mut stream).await?;
                record.lock().unwrap().letters.push(letter);
                say(&mut stream, manners.letter).await?;
            }
            "QUIT" if manners.farewell.is_empty() => return Ok(None),
            "QUIT" => return say(&mut stream, manners.farewell).await.map(|()| None),
            _ => say(&mut stream, "250 OK").await?,
        }
    }
}

async fn read_letter(stream: &mut (impl AsyncRead + Unpin)) -> std::io::Result<String> {
    let mut letter = Vec::new();
    while !letter.ends_with(b"\r\n.\r\n") {
        letter.push(stream.read_u8().await?);
    }
    Ok(String::from_utf8(letter).unwrap())
}

async fn say(stream: &mut (impl AsyncWrite + Unpin), line: &str) -> std::io::Result<()> {
    stream.write_all(format!("{line}\r\n").as_bytes()).await?;
    stream.flush().await
}
