//! A proxy between a server and its database that a test can cut.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs},
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    thread,
    time::Duration,
};

/// How often a pump checks the state while it waits for bytes.
const LOOK: Duration = Duration::from_millis(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum State {
    Open,
    /// New connections are closed immediately.
    Cut,
    /// Connections stay open, but nothing passes.
    Frozen,
}

#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    state: Arc<AtomicU8>,
}

impl Proxy {
    /// A proxy to the target, which is a host and a port.
    pub fn to(target: &str) -> Self {
        let target = target.to_socket_addrs().unwrap().next().unwrap();
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(AtomicU8::new(State::Open as u8));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                thread::spawn(move || join(&near, target, &state));
            }
        });
        Self { address, state }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn open(&self) {
        self.switch(State::Open);
    }

    pub fn cut(&self) {
        self.switch(State::Cut);
    }

    pub fn freeze(&self) {
        self.switch(State::Frozen);
    }

    fn switch(&self, state: State) {
        self.state.store(state as u8, Ordering::SeqCst);
    }
}

fn is(state: &AtomicU8, wanted: State) -> bool {
    state.load(Ordering::SeqCst) == wanted as u8
}

fn join(near: &TcpStream, target: SocketAddr, state: &AtomicU8) {
    if is(state, State::Cut) {
        return;
    }
    let Ok(far) = TcpStream::connect(target) else { return };
    let _ = near.set_nodelay(true);
    let _ = far.set_nodelay(true);
    thread::scope(|scope| {
        scope.spawn(|| pump(near, &far, state));
        pump(&far, near, state);
    });
}

/// Passes bytes in one direction until an end is closed or the proxy is cut; then closes both directions.
fn pump(mut from: &TcpStream, mut to: &TcpStream, state: &AtomicU8) {
    let mut bytes = [0; 16 * 1024];
    let _ = from.set_read_timeout(Some(LOOK));
    while !is(state, State::Cut) {
        if is(state, State::Frozen) {
            thread::sleep(LOOK);
            continue;
        }
        match from.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => {
                while is(state, State::Frozen) {
                    thread::sleep(LOOK);
                }
                if to.write_all(&bytes[..count]).is_err() {
                    break;
                }
            }
            Err(fault) if matches!(fault.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(_) => break,
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
