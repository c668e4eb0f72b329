//! Builds the parts of the program as the settings require.

use crate::{
    compute::{Pool, PoolSize},
    data_dir::{DataDir, KeyFile, Keys},
    settings::{DatabaseUrl, JwtKey, Settings},
};
use anyhow::{Context as _, Result};
use octavo_app::{CommitSignals, Engine, Rules};
use octavo_core_model::{
    Secret, Timestamp,
    claims::ACCESS_TOKEN_LIFE,
    workspace::{Limit, Limits},
};
use octavo_counters::{FallbackCounters, MemoryCounters, RedisCounters, RedisLogSignals, RedisOutage};
use octavo_credentials::{Argon2Hasher, HashingCost, HmacTokens, OsRandom, RetiredKey, RsaTokens, TokenRules};
use octavo_files::ObjectBlobs;
use octavo_mail::Letterhead;
use octavo_ports::{
    access_tokens::AccessTokens,
    blobs::Blobs,
    compute::ComputePool,
    counters::Counters,
    log_signals::{LogSignals, NodeTag},
    mailer::Mailer,
    random::Random,
    store::Store,
};
use octavo_sealing::Keyring;
use octavo_server::Metrics;
use octavo_storage::{OnQuery, Options, PostgresLogSignals};
use std::{
    net::SocketAddr,
    num::NonZeroUsize,
    sync::Arc,
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

/// The folder for files within the data folder.
const FILES: &str = "files";

/// The prefix of names in Redis.
const REDIS_PREFIX: &str = "octavo";

/// The clock of this machine.
#[expect(clippy::disallowed_methods, reason = "the one place where the binary reads the clock for everybody else")]
pub(crate) fn now() -> Timestamp {
    let millis = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
}

pub(crate) fn random() -> Box<dyn Random> {
    Box::new(OsRandom)
}

pub(crate) fn cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// The default number of long documents that are processed at the same time: the rest of the processor is for other
/// calls.
pub(crate) fn half_of_cores() -> NonZeroUsize {
    NonZeroUsize::new(cores().get() / 2).unwrap_or(NonZeroUsize::MIN)
}

/// The database address in the form that the store expects.
pub(crate) fn database_url(settings: &Settings) -> Secret<String> {
    match &settings.database {
        DatabaseUrl::Sqlite(path) => Secret::new(format!("sqlite:{}", path.display())),
        DatabaseUrl::Postgres(url) => url.clone(),
    }
}

pub(crate) async fn open_store(settings: &Settings, on_query: Option<OnQuery>) -> Result<Arc<dyn Store>> {
    let options = Options { query_timeout: settings.query_timeout, on_query, ..Options::default() };
    let store = octavo_storage::open(database_url(settings).expose(), &options).await;
    store.context("cannot open the database")
}

/// The engine, on which every command and every call runs.
pub(crate) fn engine(
    settings: &Settings,
    origin: &str,
    store: Arc<dyn Store>,
    counters: Arc<dyn Counters>,
    keyring: Keyring,
    commit_signals: Arc<dyn CommitSignals>,
    metrics: &Metrics,
) -> Result<Engine> {
    let rules = Rules {
        origin: origin.to_owned(),
        signup: settings.signup,
        conceal_registration: settings.register_conceal,
        session_life: settings.session_absolute,
        code_life: settings.auth_code_ttl,
        login_failures: settings.login_failures_per_email,
        event_retention: settings.event_retention,
        compute_timeout: settings.compute_timeout,
        limits: Limits {
            members: limit(settings.limit_members),
            databases: limit(settings.limit_databases),
            storage_bytes: limit(settings.limit_storage_bytes),
        },
        owned_workspaces: limit(settings.limit_workspaces),
        pages: limit(settings.limit_pages),
        written_bytes: limit(settings.limit_written_bytes),
        table_memory: settings.table_memory_bytes,
    };
    let cost = HashingCost { memory_kib: settings.argon2_memory_kib, passes: settings.argon2_passes };
    let size = PoolSize {
        threads: settings.compute_threads.and_then(NonZeroUsize::new).unwrap_or_else(half_of_cores),
        hashing_threads: cores(),
        queue: settings.compute_queue,
    };
    let pool: Arc<dyn ComputePool> = Arc::new(Pool::new(size, metrics));
    let hasher = Argon2Hasher::new(cost, Arc::clone(&pool)).context("cannot hash passwords")?;
    Ok(Engine::new(store, rules, counters, Arc::new(hasher), pool, keyring, random, commit_signals))
}

fn limit(count: Option<u64>) -> Limit {
    count.map_or(Limit::None, Limit::AtMost)
}

pub(crate) fn counters(settings: &Settings, outage: &Arc<RedisOutage>) -> Result<Arc<dyn Counters>> {
    let memory = MemoryCounters::default();
    let Some(url) = &settings.redis_url else { return Ok(Arc::new(memory)) };
    let redis = RedisCounters::new(url.expose(), REDIS_PREFIX).context("OCTAVO_REDIS_URL")?;
    Ok(Arc::new(FallbackCounters::new(redis, memory, Arc::clone(outage))))
}

/// How nodes signal to each other that event logs have grown: through Redis if configured, otherwise through the
/// database. A deployment on SQLite has only one node.
pub(crate) fn log_signals(settings: &Settings, outage: &Arc<RedisOutage>) -> Result<Option<Arc<dyn LogSignals>>> {
    let DatabaseUrl::Postgres(database) = &settings.database else { return Ok(None) };
    let tag = NodeTag::new(random().bytes());
    if let Some(url) = &settings.redis_url {
        let signals = RedisLogSignals::new(url.expose(), REDIS_PREFIX, tag, Arc::clone(outage));
        return Ok(Some(Arc::new(signals.context("OCTAVO_REDIS_URL")?)));
    }
    let signals = PostgresLogSignals::new(database.expose(), tag);
    Ok(Some(Arc::new(signals.context("cannot open the database")?)))
}

/// The mailer of a service at this address.
pub(crate) fn mailer(settings: &Settings, served_on: SocketAddr) -> Result<Arc<dyn Mailer>> {
    let (origin, pages) = (settings.public_origin(served_on), settings.pages_origin(served_on));
    let letterhead = Letterhead::new(&settings.mail_from, origin.as_str());
    let letterhead = letterhead.and_then(|letterhead| letterhead.linking_to(pages.as_str()));
    let letterhead = letterhead.context("cannot write mail")?;
    Ok(octavo_mail::mailer(settings.mail.clone(), letterhead))
}

/// The store for bytes that are too large for the database: a folder in the data folder.
pub(crate) fn blobs(folder: &DataDir) -> Result<Arc<dyn Blobs>> {
    let blobs = ObjectBlobs::in_folder(&folder.path().join(FILES));
    Ok(Arc::new(blobs?))
}

/// The keys that seal secrets: those in the settings, otherwise generated ones.
pub(crate) fn keyring(settings: &Settings, folder: &DataDir) -> Result<Keyring> {
    let keyring = if let Some(keys) = &settings.secret_keys {
        Keyring::new(&keys.iter().map(|key| key.expose().as_slice()).collect::<Vec<_>>())
    } else {
        let keys = folder.keys_or_generate(KeyFile::Secret, &mut OsRandom);
        Keyring::new(&texts(&keys?))
    };
    keyring.context("the secret key is of no use")
}

fn texts(keys: &Keys) -> Vec<&[u8]> {
    let retired = keys.retired.iter().map(|old| old.key.expose().as_bytes());
    std::iter::once(keys.current.expose().as_bytes()).chain(retired).collect()
}

/// The signer and parser of access tokens.
pub(crate) fn access_tokens(settings: &Settings, folder: &DataDir, origin: &str) -> Result<Arc<dyn AccessTokens>> {
    let rules = TokenRules { origin: origin.to_owned(), clock_skew: settings.clock_skew_allowed };
    let flawed = "the key of access tokens is of no use";
    Ok(match &settings.jwt_key {
        JwtKey::Rsa(pem) => Arc::new(RsaTokens::new(rules, pem.expose(), &[]).context(flawed)?),
        JwtKey::Shared(key) => Arc::new(HmacTokens::new(rules, key.expose(), &[]).context(flawed)?),
        JwtKey::Generated => {
            let keys = folder.keys_or_generate(KeyFile::Jwt, &mut OsRandom)?;
            let retired = keys.retired.iter().map(|old| RetiredKey {
                key: old.key.expose().clone().into_bytes(),
                verifies_until: old.at.plus(ACCESS_TOKEN_LIFE),
            });
            let retired: Vec<_> = retired.collect();
            Arc::new(HmacTokens::new(rules, keys.current.expose().as_bytes(), &retired).context(flawed)?)
        }
    })
}
