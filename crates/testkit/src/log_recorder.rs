//! What a piece of code logs.

use std::{
    collections::BTreeMap,
    fmt::Debug,
    sync::{Arc, Mutex},
};
use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
    subscriber::{DefaultGuard, set_default},
};

/// A line of the log.
#[derive(Clone, Debug)]
pub struct LogLine {
    pub level: Level,
    /// The fields by name. The text is the field `message`.
    pub fields: BTreeMap<String, String>,
}

type Lines = Arc<Mutex<Vec<LogLine>>>;

/// Records what its thread logs, at every level, until it is dropped.
#[derive(Debug)]
pub struct LogRecorder {
    lines: Lines,
    _guard: DefaultGuard,
}

impl LogRecorder {
    pub fn start() -> Self {
        let lines = Lines::default();
        let guard = set_default(Recording(Arc::clone(&lines)));
        Self { lines, _guard: guard }
    }

    /// The lines since the last time.
    pub fn take(&self) -> Vec<LogLine> {
        std::mem::take(&mut *self.lines.lock().unwrap())
    }
}

struct Recording(Lines);

impl Subscriber for Recording {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        self.0.lock().unwrap().push(LogLine { level: *event.metadata().level(), fields: fields.0 });
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[derive(Default)]
struct Fields(BTreeMap<String, String>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}").trim_matches('"').to_owned());
    }
}
