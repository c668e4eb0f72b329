//! Connections to a PostgreSQL server.

use super::super::Conn;
use crate::{
    OpenError,
    options::{Durability, Options},
    timing::Timing,
};
use diesel::{ConnectionError, ConnectionResult};
use diesel_async::{
    AsyncConnection, SimpleAsyncConnection,
    pooled_connection::{AsyncDieselConnectionManager, ManagerConfig, RecyclingMethod, deadpool::Pool},
};
use futures_util::FutureExt;
use std::{fmt::Write, sync::Arc, time::Duration};
use tokio_postgres::{Client, Config, Connection, NoTls, Socket, tls::NoTlsStream};

/// How long a connection may take to come about, and how long the network may swallow what was sent.
const NETWORK_PATIENCE: Duration = Duration::from_secs(5);
/// How long a unit may rest between two statements before the server takes its locks away: its node hangs or is cut off.
const IDLE_IN_UNIT: Duration = Duration::from_secs(10);

pub(crate) fn parse(url: &str) -> Result<Config, OpenError> {
    // The error is not repeated: it can quote the URL, and the URL can hold a password.
    let mut config: Config = url.parse().map_err(|_| OpenError::BadUrl("the postgres: URL is malformed"))?;
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(NETWORK_PATIENCE);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(NETWORK_PATIENCE);
    }
    if config.get_application_name().is_none() {
        config.application_name("octavo");
    }
    Ok(config)
}

pub(crate) async fn connect(config: &Config) -> ConnectionResult<Conn> {
    let (client, connection) = dial(config).await?;
    Conn::try_from_client_and_connection(client, connection).await
}

/// A connection of the driver, for what diesel has no part in.
pub(crate) async fn dial(config: &Config) -> ConnectionResult<(Client, Connection<Socket, NoTlsStream>)> {
    config.connect(NoTls).await.map_err(unreachable)
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(crate) fn unreachable(error: tokio_postgres::Error) -> ConnectionError {
    ConnectionError::BadConnection(chain(&error))
}

/// An error with its causes; the driver's first words alone say little.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        // Writing to a String cannot fail.
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    text
}

pub(super) fn build(url: &str, options: &Options) -> Result<Pool<Conn>, OpenError> {
    let config = Arc::new(parse(url)?);
    let settings: Arc<str> = settings(options).into();
    let on_query = options.on_query.clone();
    let mut manager = ManagerConfig::default();
    // A connection whose server went away is known to be closed; asking each one again would cost a round trip per request.
    manager.recycling_method = RecyclingMethod::Fast;
    manager.custom_setup = Box::new(move |_| {
        let (config, settings) = (Arc::clone(&config), Arc::clone(&settings));
        let timing = Timing::new(on_query.clone());
        async move {
            let mut conn = connect(&config).await?;
            conn.batch_execute(&settings).await.map_err(ConnectionError::CouldntSetupConfiguration)?;
            conn.set_instrumentation(timing);
            Ok(conn)
        }
        .boxed()
    });
    Pool::builder(AsyncDieselConnectionManager::new_with_config("", manager))
        .max_size(options.pool_size)
        .wait_timeout(Some(options.wait_timeout))
        .create_timeout(Some(NETWORK_PATIENCE * 2))
        .recycle_timeout(Some(NETWORK_PATIENCE))
        .runtime(deadpool::Runtime::Tokio1)
        .build()
        .map_err(|error| OpenError::Unreachable(error.to_string()))
}

/// Waiting for a lock ends a little before the statement that waits, so that the two are told apart. Zero would mean no limit.
fn settings(options: &Options) -> String {
    let statement = options.query_timeout.as_millis().max(2);
    let lock = (statement * 4 / 5).max(1);
    let durability = match options.durability {
        Durability::Full => "",
        Durability::Relaxed => "SET synchronous_commit = off;",
    };
    format!(
        "SET statement_timeout = {statement}; SET lock_timeout = {lock};
         SET idle_in_transaction_session_timeout = {};
         SET default_transaction_isolation = 'read committed'; {durability}",
        IDLE_IN_UNIT.as_millis()
    )
}
