//! One keep-alive connection.

use super::http::{Head, Request, read_head, write_request};
use super::runtime;
use anyhow::{Result, bail};
use std::net::{Ipv4Addr, SocketAddr};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// The status and body of a reply, borrowed from the connection's buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reply<'a> {
    pub(super) status: u16,
    body: &'a [u8],
}

impl Reply<'_> {
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(self.body).into_owned()
    }
}

impl Connection {
    /// Connects from a separate address for each client, so that a server that counts by address can distinguish
    /// them.
    pub(super) async fn open(server: SocketAddr, own_address: Ipv4Addr) -> Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.set_nodelay(true)?;
        socket.bind((own_address, 0).into())?;
        Ok(socket.connect(server).await?)
    }

    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, buffer: Vec::with_capacity(16 * 1024) }
    }

    pub(super) async fn exchange(&mut self, request: &[u8]) -> Result<Reply<'_>> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        loop {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                bail!("the server closed a connection");
            }
            let Some(Head { status, body: (start, end) }) = read_head(&self.buffer)? else { continue };
            while self.buffer.len() < end {
                if self.stream.read_buf(&mut self.buffer).await? == 0 {
                    bail!("the server closed a connection within a reply");
                }
            }
            return Ok(Reply { status, body: &self.buffer[start..end] });
        }
    }
}

/// Sends one request on a new connection.
pub(crate) fn exchange(server: SocketAddr, request: &Request<'_>) -> Result<(u16, String)> {
    runtime()?.block_on(async {
        let mut connection = Connection::new(Connection::open(server, Ipv4Addr::LOCALHOST).await?);
        let reply = connection.exchange(&write_request(request)).await?;
        Ok((reply.status, reply.text()))
    })
}
