//! One statement for each of several owners.

use super::Conn;
use diesel::QueryResult;
use diesel_async::AsyncPgConnection;
use futures_util::future::try_join_all;

/// Runs a statement for each of several owners, sending each before the previous one is answered; the server runs
/// them in the order of the items. Meant for statements that lock: a cluster that keeps each owner's rows on one of
/// its nodes can lock the rows of only one owner at a time.
pub(super) async fn each_in_turn<'a, I, T, F>(
    conn: &'a Conn,
    items: impl IntoIterator<Item = I>,
    statement: impl Fn(&'a AsyncPgConnection, I) -> F,
) -> QueryResult<Vec<T>>
where
    F: Future<Output = QueryResult<T>> + 'a,
{
    let client = conn.client();
    try_join_all(items.into_iter().map(|item| statement(client, item))).await
}
