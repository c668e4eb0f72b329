//! Turns tracing's events into lines, with the fields of the surrounding spans.

use super::line::{self, Fields, Form};
use octavo_core_model::Timestamp;
use std::fmt;
use tracing::{
    Event, Subscriber,
    span::{Attributes, Id, Record},
};
use tracing_subscriber::{
    Layer,
    layer::Context,
    registry::{LookupSpan, Scope},
};

/// Writes one line for each event. Clock and output are arguments, for tests.
pub struct LogLayer<W> {
    form: Form,
    clock: fn() -> Timestamp,
    write: W,
}

impl<W: Fn(&[u8])> LogLayer<W> {
    pub fn new(form: Form, clock: fn() -> Timestamp, write: W) -> Self {
        Self { form, clock, write }
    }
}

impl<W> fmt::Debug for LogLayer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogLayer").field("form", &self.form).finish_non_exhaustive()
    }
}

impl<S, W> Layer<S> for LogLayer<W>
where
    S: Subscriber + for<'lookup> LookupSpan<'lookup>,
    W: Fn(&[u8]) + 'static,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            let mut fields = Fields::default();
            attributes.record(&mut fields);
            span.extensions_mut().insert(fields);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(fields) = span.extensions_mut().get_mut::<Fields>()
        {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::default();
        for span in context.event_scope(event).into_iter().flat_map(Scope::from_root) {
            if let Some(outer) = span.extensions().get::<Fields>() {
                fields.join(outer);
            }
        }
        event.record(&mut fields);
        let metadata = event.metadata();
        let line = line::write(self.form, (self.clock)(), *metadata.level(), metadata.target(), &fields);
        (self.write)(line.as_bytes());
    }
}
