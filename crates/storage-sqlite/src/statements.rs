//! Runs statements directly on the calling thread: switching to another thread would cost several times the
//! statement. They are still async, so that the same source serves both engines.

use super::Conn;
use diesel::{QueryResult, result::Error};
use std::future::{Ready, ready};

pub use diesel::query_dsl::methods::{ExecuteDsl, LoadQuery};

/// The methods that diesel offers for async connections.
pub trait RunQueryDsl: Sized {
    fn load<'query, R>(self, conn: &mut Conn) -> Ready<QueryResult<Vec<R>>>
    where
        Self: LoadQuery<'query, Conn, R>,
    {
        ready(self.internal_load(conn).and_then(Iterator::collect))
    }

    fn get_result<'query, R>(self, conn: &mut Conn) -> Ready<QueryResult<R>>
    where
        Self: LoadQuery<'query, Conn, R>,
    {
        ready(self.internal_load(conn).and_then(|mut rows| rows.next().unwrap_or(Err(Error::NotFound))))
    }

    fn execute(self, conn: &mut Conn) -> Ready<QueryResult<usize>>
    where
        Self: ExecuteDsl<Conn>,
    {
        ready(ExecuteDsl::execute(self, conn))
    }
}

impl<Q> RunQueryDsl for Q {}
