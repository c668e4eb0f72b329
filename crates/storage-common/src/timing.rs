//! Reports the times and the texts of statements to observers.

use crate::{
    observers::{OnQuery, OnStatement},
    options::Options,
};
use diesel::connection::{Instrumentation, InstrumentationEvent};
use std::time::Instant;

/// Measures the times on one connection.
#[derive(Clone, Debug)]
pub struct Timing {
    on_query: Option<OnQuery>,
    on_statement: Option<OnStatement>,
    begun: Option<Instant>,
}

impl Timing {
    pub fn new(options: &Options) -> Self {
        Self { on_query: options.on_query.clone(), on_statement: options.on_statement.clone(), begun: None }
    }

    /// For a connection that runs several statements at once: their times are measured elsewhere.
    pub fn of_statements_alone(options: &Options) -> Self {
        Self { on_query: None, ..Self::new(options) }
    }
}

impl Instrumentation for Timing {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        if let (Some(on_statement), InstrumentationEvent::StartQuery { query, .. }) = (&self.on_statement, &event) {
            on_statement.report(&query.to_string());
        }
        let Some(on_query) = &self.on_query else { return };
        match event {
            InstrumentationEvent::StartQuery { .. } => self.begun = Some(Instant::now()),
            InstrumentationEvent::FinishQuery { .. } => {
                if let Some(begun) = self.begun.take() {
                    on_query.report(begun.elapsed());
                }
            }
            _ => {}
        }
    }
}
