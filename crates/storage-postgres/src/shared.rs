//! Connections that views share.
//!
//! A view promises only single statements, so the statements of many views can run through one connection, each sent
//! before the previous one is answered. The server process is then woken for several statements at once; if each view
//! had its own connection, it would be woken once for each.
//!
//! The server answers the statements of a connection in order, so a slow statement delays those behind it. That is
//! why a connection gets a limited number of statements, and none while it is slow. The time limit of a statement
//! counts from its start, not from when it was sent.
//!
//! A failure affects only the statements under way:
//! - A statement that fails, for example because of its time limit, fails alone. The server continues with the next
//!   one.
//! - If a caller gives up on a statement, it keeps running until its time limit, because a request to cancel could
//!   hit the statement of another caller. Statements sent behind it are answered after it.
//! - After either of these the connection is retired: it gets no new statements, another one is opened in its place,
//!   and it closes after its last answer.
//! - If a connection breaks, the statements under way on it fail. Views between two statements continue with another
//!   connection.

use super::{
    pool::{CREATION, set_up, settings, share_of},
    reachability::Reachability,
    target::{Target, unreachable},
};
use diesel::{ConnectionError, ConnectionResult};
use diesel_async::AsyncPgConnection;
use octavo_storage_common::{OnQuery, OpenError, Options, Timing};
use parking_lot::Mutex;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// How many statements may be under way on a connection at once.
const MOST_STATEMENTS: usize = 8;

/// A connection that has not answered for this long gets no more statements.
const SLOW: Duration = Duration::from_millis(25);

pub(super) struct Shared {
    target: Target,
    settings: String,
    timing: Timing,
    on_query: Option<OnQuery>,
    reachability: Arc<Reachability>,
    most: usize,
    connections: Mutex<Vec<Arc<SharedConnection>>>,
    /// Held while a connection is opened, so that simultaneous callers open one together and not one each.
    opening: tokio::sync::Mutex<()>,
}

struct SharedConnection {
    client: Arc<AsyncPgConnection>,
    statements_under_way: AtomicUsize,
    /// When it last answered, or was sent a statement while idle.
    last_progress: Mutex<Instant>,
    /// Closed, or about to close after its last answer.
    is_retired: Arc<AtomicBool>,
    reachability: Arc<Reachability>,
}

impl SharedConnection {
    fn has_room(&self) -> bool {
        let under_way = self.statements_under_way();
        under_way == 0 || (under_way < MOST_STATEMENTS && self.last_progress.lock().elapsed() < SLOW)
    }

    fn statements_under_way(&self) -> usize {
        self.statements_under_way.load(Ordering::Relaxed)
    }

    fn is_retired(&self) -> bool {
        self.is_retired.load(Ordering::Relaxed)
    }
}

/// The state of the shared connections for a new statement.
struct Offer {
    connections: usize,
    best: Option<Arc<SharedConnection>>,
}

impl Shared {
    pub(super) fn new(url: &str, options: &Options, reachability: Arc<Reachability>) -> Result<Self, OpenError> {
        Ok(Self {
            target: Target::parse(url)?,
            settings: settings(options),
            timing: Timing::of_statements_alone(options),
            on_query: options.on_query.clone(),
            reachability,
            most: share_of(options.pool_size).max(1),
            connections: Mutex::default(),
            opening: tokio::sync::Mutex::default(),
        })
    }

    /// Whether there is a slot for a statement. Opens a connection if all open ones are busy and the limit allows
    /// another.
    pub(super) async fn has_room(&self) -> ConnectionResult<bool> {
        self.best().await.map(|best| best.is_some())
    }

    /// A slot for one statement on the connection with the fewest, or `None` if no connection has room.
    pub(super) async fn place(&self) -> ConnectionResult<Option<Place>> {
        Ok(self.best().await?.map(|connection| Place::new(connection, self.on_query.clone())))
    }

    async fn best(&self) -> ConnectionResult<Option<Arc<SharedConnection>>> {
        let Offer { connections, best } = self.offer();
        let is_idle = best.as_ref().is_some_and(|connection| connection.statements_under_way() == 0);
        if is_idle || connections >= self.most {
            return Ok(best);
        }
        let _opening = match self.opening.try_lock() {
            Ok(guard) => guard,
            // Another caller is opening one; until then a busy one is good enough.
            Err(_) if best.is_some() => return Ok(best),
            Err(_) => self.opening.lock().await,
        };
        // Another caller may have opened one in the meantime.
        let offer = self.offer();
        if offer.connections > connections && offer.best.is_some() {
            return Ok(offer.best);
        }
        match tokio::time::timeout(CREATION, self.open()).await {
            Ok(Ok(opened)) => {
                let opened = Arc::new(opened);
                self.connections.lock().push(Arc::clone(&opened));
                Ok(Some(opened))
            }
            Ok(Err(_)) | Err(_) if offer.best.is_some() => Ok(offer.best),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(ConnectionError::BadConnection("connecting took too long".to_owned())),
        }
    }

    fn offer(&self) -> Offer {
        let mut connections = self.connections.lock();
        connections.retain(|connection| !connection.is_retired());
        let with_room = connections.iter().filter(|connection| connection.has_room());
        let best = with_room.min_by_key(|connection| connection.statements_under_way()).cloned();
        Offer { connections: connections.len(), best }
    }

    async fn open(&self) -> ConnectionResult<SharedConnection> {
        let (client, connection) = self.target.dial().await?;
        let is_retired = Arc::new(AtomicBool::new(false));
        let (has_ended, reachability) = (Arc::clone(&is_retired), Arc::clone(&self.reachability));
        // Ends once the client is dropped and all statements are answered.
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                reachability.lost(&unreachable(error));
            }
            has_ended.store(true, Ordering::Relaxed);
        });
        let mut client = AsyncPgConnection::try_from(client).await?;
        set_up(&mut client, &self.settings, self.timing.clone()).await?;
        Ok(SharedConnection {
            client: Arc::new(client),
            statements_under_way: AtomicUsize::new(0),
            last_progress: Mutex::new(Instant::now()),
            is_retired,
            reachability: Arc::clone(&self.reachability),
        })
    }

    /// How many connections are idle and how many are in use.
    pub(super) fn count(&self) -> (u32, u32) {
        let connections = self.connections.lock();
        let used = connections.iter().filter(|connection| connection.statements_under_way() > 0).count();
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        (count(connections.len() - used), count(used))
    }
}

/// The slot of one statement on a shared connection.
pub(super) struct Place {
    connection: Arc<SharedConnection>,
    on_query: Option<OnQuery>,
    begun: Instant,
    has_succeeded: bool,
}

impl Place {
    fn new(connection: Arc<SharedConnection>, on_query: Option<OnQuery>) -> Self {
        let begun = Instant::now();
        if connection.statements_under_way.fetch_add(1, Ordering::Relaxed) == 0 {
            *connection.last_progress.lock() = begun;
        }
        Self { connection, on_query, begun, has_succeeded: false }
    }

    pub(super) fn client(&self) -> Arc<AsyncPgConnection> {
        Arc::clone(&self.connection.client)
    }

    pub(super) fn statement_succeeded(mut self) {
        self.has_succeeded = true;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(on_query) = &self.on_query {
            on_query.report(self.begun.elapsed());
        }
        self.connection.statements_under_way.fetch_sub(1, Ordering::Relaxed);
        if self.has_succeeded {
            self.connection.reachability.answered();
            *self.connection.last_progress.lock() = Instant::now();
        } else {
            self.connection.is_retired.store(true, Ordering::Relaxed);
        }
    }
}
