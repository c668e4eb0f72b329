//! HTTP/1.1 on a plain socket, byte by byte.
//!
//! An ordinary client would refuse to send many of these requests, and would normalise the answers.

use crate::Answer;
use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream},
    time::{Duration, Instant},
};
use tokio::net::TcpSocket;

/// No answer takes this long, except those that a test waits for deliberately.
const PATIENCE: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub struct Wire {
    stream: BufReader<TcpStream>,
}

impl Wire {
    pub fn connect(address: SocketAddr) -> io::Result<Self> {
        Self::on(TcpStream::connect_timeout(&address, PATIENCE)?)
    }

    /// Connects from a separate address for each caller, so that a server that counts by address can distinguish
    /// them.
    pub fn connect_from(own: Ipv4Addr, address: SocketAddr) -> io::Result<Self> {
        if own == Ipv4Addr::LOCALHOST {
            return Self::connect(address);
        }
        // The standard library cannot bind a socket before connecting.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let stream = runtime.block_on(async {
            let socket = TcpSocket::new_v4()?;
            socket.bind((own, 0).into())?;
            tokio::time::timeout(PATIENCE, socket.connect(address)).await?
        })?;
        let stream = stream.into_std()?;
        stream.set_nonblocking(false)?;
        Self::on(stream)
    }

    fn on(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self { stream: BufReader::new(stream) })
    }

    pub fn send(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.stream.get_mut().write_all(bytes.as_ref())
    }

    /// Closes the sending side.
    pub fn finish(&mut self) -> io::Result<()> {
        self.stream.get_mut().shutdown(Shutdown::Write)
    }

    /// Waits until the server asks for the announced body: then it has read the head.
    pub fn is_asked_for_body(&mut self) -> io::Result<bool> {
        Ok(self.head()?.0 == 100)
    }

    /// Reads one answer; `method` decides whether it has a body.
    pub fn receive(&mut self, method: &str) -> io::Result<Answer> {
        loop {
            let (status, headers) = self.head()?;
            if (100..200).contains(&status) {
                continue;
            }
            let answer = Answer { status, headers, body: Vec::new() };
            let is_endless = answer.header("content-type") == Some("text/event-stream");
            let body = if is_endless || method == "HEAD" || status == 204 || status == 304 {
                Vec::new()
            } else {
                self.body(&answer)?
            };
            return Ok(Answer { body, ..answer });
        }
    }

    /// Reads the head of an answer whose body arrives piece by piece.
    pub fn begin(&mut self) -> io::Result<Answer> {
        let (status, headers) = self.head()?;
        Ok(Answer { status, headers, body: Vec::new() })
    }

    /// Reads this many bytes of a body.
    pub fn exactly(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads the next piece of a body; empty at its end.
    pub fn piece(&mut self) -> io::Result<Vec<u8>> {
        let mut piece = Vec::new();
        self.chunk(&mut piece)?;
        Ok(piece)
    }

    /// Whether the other side closes within the limit, whatever it sends before that.
    pub fn closes_within(&mut self, limit: Duration) -> bool {
        let started = Instant::now();
        let mut rest = [0; 1024];
        while let Some(left) = limit.checked_sub(started.elapsed()).filter(|left| !left.is_zero()) {
            self.stream.get_ref().set_read_timeout(Some(left)).unwrap();
            match self.stream.read(&mut rest) {
                Ok(0) => return true,
                Ok(_) => {}
                Err(fault) if is_timeout(&fault) => return false,
                // A reset counts as closed too.
                Err(_) => return true,
            }
        }
        false
    }

    fn head(&mut self) -> io::Result<(u16, Vec<(String, String)>)> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            if self.stream.read_until(b'\n', &mut head)? == 0 {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "closed before an answer was complete"));
            }
        }
        let mut fields = [httparse::EMPTY_HEADER; 100];
        let mut response = httparse::Response::new(&mut fields);
        response.parse(&head).map_err(|fault| malformed(&format!("{fault}: {}", String::from_utf8_lossy(&head))))?;
        let headers = response.headers.iter();
        let headers = headers.map(|field| (field.name.to_owned(), String::from_utf8_lossy(field.value).into_owned()));
        Ok((response.code.unwrap_or_default(), headers.collect()))
    }

    fn body(&mut self, head: &Answer) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        if head.header("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
            while self.chunk(&mut body)? {}
        } else if let Some(length) = head.header("content-length") {
            body.resize(length.parse().map_err(|_| malformed(length))?, 0);
            self.stream.read_exact(&mut body)?;
        } else {
            self.stream.read_to_end(&mut body)?;
        }
        Ok(body)
    }

    /// Appends one chunk. Returns false if it was the last one.
    fn chunk(&mut self, body: &mut Vec<u8>) -> io::Result<bool> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let size = line.trim_end().split(';').next().unwrap_or_default();
        let size = usize::from_str_radix(size, 16).map_err(|_| malformed(&line))?;
        let start = body.len();
        body.resize(start + size, 0);
        self.stream.read_exact(&mut body[start..])?;
        line.clear();
        self.stream.read_line(&mut line)?;
        Ok(size > 0)
    }
}

pub fn is_timeout(fault: &io::Error) -> bool {
    matches!(fault.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

fn malformed(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("not HTTP: {what}"))
}
