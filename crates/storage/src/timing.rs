//! Reports the times and the texts of statements to observers.

use crate::options::Options;
use diesel::connection::{Instrumentation, InstrumentationEvent};
use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

/// Called with the time of every statement, on the thread that ran it.
#[derive(Clone)]
pub struct OnQuery(Arc<dyn Fn(Duration) + Send + Sync>);

impl OnQuery {
    pub fn new(call: impl Fn(Duration) + Send + Sync + 'static) -> Self {
        Self(Arc::new(call))
    }

    #[cfg(feature = "postgres")]
    pub(crate) fn report(&self, time: Duration) {
        (self.0)(time);
    }
}

impl fmt::Debug for OnQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnQuery")
    }
}

/// Called with the text of every statement before it runs. For tests that check statements against a rule.
#[derive(Clone)]
pub struct OnStatement(Arc<dyn Fn(&str) + Send + Sync>);

impl OnStatement {
    pub fn new(call: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(call))
    }
}

impl fmt::Debug for OnStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnStatement")
    }
}

/// Measures the times on one connection.
#[derive(Clone, Debug)]
pub(crate) struct Timing {
    on_query: Option<OnQuery>,
    on_statement: Option<OnStatement>,
    begun: Option<Instant>,
}

impl Timing {
    pub(crate) fn new(options: &Options) -> Self {
        Self { on_query: options.on_query.clone(), on_statement: options.on_statement.clone(), begun: None }
    }

    /// For a connection that runs several statements at once: their times are measured elsewhere.
    #[cfg(feature = "postgres")]
    pub(crate) fn of_statements_alone(options: &Options) -> Self {
        Self { on_query: None, ..Self::new(options) }
    }
}

impl Instrumentation for Timing {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        if let (Some(OnStatement(call)), InstrumentationEvent::StartQuery { query, .. }) = (&self.on_statement, &event)
        {
            call(&query.to_string());
        }
        let Some(OnQuery(call)) = &self.on_query else { return };
        match event {
            InstrumentationEvent::StartQuery { .. } => self.begun = Some(Instant::now()),
            InstrumentationEvent::FinishQuery { .. } => {
                if let Some(begun) = self.begun.take() {
                    call(begun.elapsed());
                }
            }
            _ => {}
        }
    }
}
