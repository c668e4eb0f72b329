//! An SMTP server that keeps letters, and refuses them when told to.

use std::{
    io::{self, BufRead, BufReader, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU16, Ordering},
    },
    thread,
};

/// The answer to an accepted letter.
const TAKEN: u16 = 250;

/// A letter as it was received.
#[derive(Clone, Debug)]
pub struct ReceivedMail {
    pub from: String,
    pub to: Vec<String>,
    pub text: String,
}

#[derive(Debug)]
pub struct Smtp {
    address: SocketAddr,
    letters: Arc<Mutex<Vec<ReceivedMail>>>,
    answer: Arc<AtomicU16>,
}

impl Smtp {
    pub fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let letters = Arc::new(Mutex::new(Vec::new()));
        let answer = Arc::new(AtomicU16::new(TAKEN));
        let (kept, how) = (Arc::clone(&letters), Arc::clone(&answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, how) = (Arc::clone(&kept), Arc::clone(&how));
                // A client may disconnect at any time.
                thread::spawn(move || talk(&stream, &kept, &how));
            }
        });
        Self { address, letters, answer }
    }

    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    /// From now on letters are answered with this code.
    pub fn answer_with(&self, code: u16) {
        self.answer.store(code, Ordering::SeqCst);
    }

    /// From now on letters are accepted.
    pub fn accept_letters(&self) {
        self.answer_with(TAKEN);
    }

    pub fn letters(&self) -> Vec<ReceivedMail> {
        self.letters.lock().unwrap().clone()
    }
}

fn talk(stream: &TcpStream, letters: &Mutex<Vec<ReceivedMail>>, answer: &AtomicU16) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut writer = stream;
    let (mut from, mut to) = (String::new(), Vec::new());
    writer.write_all(b"220 test\r\n")?;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let command = line.trim_end();
        let word = command.split([' ', ':']).next().unwrap_or_default().to_uppercase();
        let code = match word.as_str() {
            "QUIT" => 221,
            "DATA" => {
                writer.write_all(b"354 go on\r\n")?;
                let text = letter(&mut reader)?;
                let code = answer.load(Ordering::SeqCst);
                if code == TAKEN {
                    letters.lock().unwrap().push(ReceivedMail {
                        from: from.clone(),
                        to: std::mem::take(&mut to),
                        text,
                    });
                }
                code
            }
            "MAIL" => {
                from = address(command);
                TAKEN
            }
            "RCPT" => {
                to.push(address(command));
                TAKEN
            }
            _ => TAKEN,
        };
        writer.write_all(format!("{code} so be it\r\n").as_bytes())?;
        if code == 221 {
            return Ok(());
        }
    }
}

/// Reads up to the line with a single dot.
fn letter(reader: &mut impl BufRead) -> io::Result<String> {
    let mut text = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if line == ".\r\n" {
            return Ok(text);
        }
        text.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
}

/// The text in angle brackets.
fn address(command: &str) -> String {
    let inner = command.split('<').nth(1).and_then(|rest| rest.split('>').next());
    inner.unwrap_or_default().to_owned()
}
