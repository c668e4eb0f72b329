//! Observers of the times and the texts of statements.

use std::{fmt, sync::Arc, time::Duration};

/// Called with the time of every statement, on the thread that ran it.
#[derive(Clone)]
pub struct OnQuery(Arc<dyn Fn(Duration) + Send + Sync>);

impl OnQuery {
    pub fn new(call: impl Fn(Duration) + Send + Sync + 'static) -> Self {
        Self(Arc::new(call))
    }

    pub fn report(&self, time: Duration) {
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

    pub fn report(&self, statement: &str) {
        (self.0)(statement);
    }
}

impl fmt::Debug for OnStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnStatement")
    }
}
