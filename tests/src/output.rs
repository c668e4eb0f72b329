//! The output of a running process, line by line.

use crate::poll;
use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Read},
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
};

#[derive(Debug)]
pub struct Output {
    lines: Arc<Mutex<Vec<String>>>,
    collector: JoinHandle<()>,
}

impl Output {
    /// Collects the output until the pipe is closed.
    pub fn collect(pipe: impl Read + Send + 'static) -> Self {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let collected = Arc::clone(&lines);
        let collector = thread::spawn(move || {
            let mut pipe = BufReader::new(pipe);
            let mut line = Vec::new();
            while pipe.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                collected.lock().unwrap().push(String::from_utf8_lossy(&line).trim_end().to_owned());
                line.clear();
            }
        });
        Self { lines, collector }
    }

    /// The whole output, once the pipe is closed.
    pub fn finished(self) -> String {
        self.collector.join().unwrap();
        self.lines.lock().unwrap().join("\n")
    }

    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }

    pub fn text(&self) -> String {
        self.lines().join("\n")
    }

    /// The first matching line.
    #[track_caller]
    pub fn line(&self, what: &str, fits: impl Fn(&str) -> bool) -> String {
        poll::eventually(what, || self.lines().into_iter().find(|line| fits(line)))
    }

    /// The first matching JSON line.
    #[track_caller]
    pub fn entry(&self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        poll::eventually(what, || self.entries().into_iter().find(|entry| fits(entry)))
    }

    /// The lines that are JSON objects.
    pub fn entries(&self) -> Vec<Value> {
        let parsed = self.lines().into_iter().filter_map(|line| serde_json::from_str::<Value>(&line).ok());
        parsed.filter(Value::is_object).collect()
    }
}
