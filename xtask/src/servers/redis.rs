//! A Redis server that stores nothing.

use super::server::Server;
use super::supervisor::Order;
use super::{Started, apt, on_a_free_port};
use crate::process;
use anyhow::{Context as _, Result};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) fn start(scratch: &Path) -> Result<Started> {
    let program = program()?;
    let folder = scratch.join(format!("octavo-redis-{}", std::process::id()));
    let (port, server) = on_a_free_port(|port| {
        fs::create_dir_all(&folder)?;
        let order = Order {
            program: program.clone(),
            arguments: arguments(&folder, port),
            stop: "TERM",
            account: None,
            folder: folder.clone(),
        };
        Server::start(&order, || answers(port).unwrap_or(false))
    })?;
    Ok(Started { url: format!("redis://127.0.0.1:{port}/"), origin: program.display().to_string(), server })
}

fn arguments(folder: &Path, port: u16) -> Vec<String> {
    let port = port.to_string();
    let folder = folder.to_string_lossy();
    let words = ["--bind", "127.0.0.1", "--port", &port, "--dir", &folder, "--save", "", "--appendonly", "no"];
    words.map(str::to_owned).to_vec()
}

fn answers(port: u16) -> Result<bool> {
    let limit = Duration::from_secs(1);
    let mut stream = TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)), limit)?;
    stream.set_read_timeout(Some(limit))?;
    stream.write_all(b"PING\r\n")?;
    let mut reply = [0; 5];
    stream.read_exact(&mut reply)?;
    Ok(&reply == b"+PONG")
}

/// The server program, which is installed first if necessary. Forks with the same protocol are accepted.
fn program() -> Result<PathBuf> {
    let installed = || ["redis-server", "valkey-server"].into_iter().find_map(process::program);
    if let Some(found) = installed() {
        return Ok(found);
    }
    apt::install("redis-server")?;
    installed().context("installed, but redis-server is not in PATH")
}
