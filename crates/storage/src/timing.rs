//! How long statements take, told to whoever asked to know.

use diesel::connection::{Instrumentation, InstrumentationEvent};
use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

/// Is told the time of every statement, on the thread that ran it.
#[derive(Clone)]
pub struct OnQuery(Arc<dyn Fn(Duration) + Send + Sync>);

impl OnQuery {
    pub fn new(told: impl Fn(Duration) + Send + Sync + 'static) -> Self {
        Self(Arc::new(told))
    }
}

impl fmt::Debug for OnQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnQuery")
    }
}

/// Takes the time on one connection.
pub(crate) struct Timing {
    on_query: Option<OnQuery>,
    begun: Option<Instant>,
}

impl Timing {
    pub(crate) const fn new(on_query: Option<OnQuery>) -> Self {
        Self { on_query, begun: None }
    }
}

impl Instrumentation for Timing {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        let Some(OnQuery(told)) = &self.on_query else { return };
        match event {
            InstrumentationEvent::StartQuery { .. } => self.begun = Some(Instant::now()),
            InstrumentationEvent::FinishQuery { .. } => {
                if let Some(begun) = self.begun.take() {
                    told(begun.elapsed());
                }
            }
            _ => {}
        }
    }
}
