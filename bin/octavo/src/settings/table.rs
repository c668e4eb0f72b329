//! The table of settings. Flags, variable names, TOML keys, `--help`, `check-config` and the table in the docs all
//! come from it.

pub use super::row::{Fallback, Row};

use super::{
    kinds::{
        BUCKET_LIMIT, Boolean, Choice, CorsKind, CorsOrigins, DatabaseKind, DatabaseUrl, DeploymentKey, DurationKind,
        JwtSecretKind, Kind, LogFilterKind, MailKind, NetworksKind, Number, NumberOrNone, Origin, OriginKind, PathKind,
        RedisKind, SecretKeysKind, SenderKind, SocketKind,
    },
    mask::Secrecy,
    reader::{Chosen, Reader},
    row::{CONFIG, PRIVATE_KEY_FILE},
    words::{Nodes, SIGNUP_WORDS},
};
use crate::logging::{LogFilter, LogFormat};
use ipnet::IpNet;
use octavo_app::Signup;
use octavo_core_model::{Bucket, Secret};
use octavo_mail::MailUrl;
use std::{net::SocketAddr, path::PathBuf, time::Duration};

fn value(text: &str) -> Fallback {
    Fallback::Value(text.to_owned())
}

/// The name of the setting for a bucket's limit, without `OCTAVO_`.
pub fn bucket_setting(bucket: Bucket) -> String {
    format!("RATE_LIMIT_{}", bucket.name().to_uppercase())
}

fn bucket_row(bucket: Bucket) -> Row {
    Row {
        name: bucket_setting(bucket),
        fallback: Fallback::Value(bucket.default_limit().to_string()),
        secrecy: Secrecy::Open,
        meaning: format!(
            "calls that the bucket `{}` lets through in {}; 0 turns it off",
            bucket.name(),
            window(bucket)
        ),
        wants: BUCKET_LIMIT.wants(),
        choices: BUCKET_LIMIT.choices(),
    }
}

/// The window of a bucket, such as `15 min`.
pub fn window(bucket: Bucket) -> String {
    match bucket.window().as_secs() {
        seconds if seconds % 3600 == 0 => format!("{} h", seconds / 3600),
        seconds => format!("{} min", seconds / 60),
    }
}

/// The rule of a kind. Which number is meant follows from the type of its values.
fn wants<T>(kind: &impl Kind<Value = T>) -> String {
    kind.wants()
}

/// The words of a kind, if its values are words.
fn choices<T>(kind: &impl Kind<Value = T>) -> Vec<&'static str> {
    kind.choices()
}

/// Declares each setting once: the field, its name, the kind of its values, their type, secrecy, default and meaning.
macro_rules! settings {
    ($($field:ident = $name:expr, $kind:expr => $type:ty, $secrecy:ident, $fallback:expr, $meaning:literal;)*) => {
        /// The parsed values, each on its own. `None`: no value, or an invalid one.
        pub(super) struct Draft {
            $(pub(super) $field: Option<Chosen<$type>>,)*
            pub(super) rate_limits: Vec<(Bucket, Option<Chosen<Option<u32>>>)>,
        }

        impl Draft {
            pub(super) fn read(reader: &mut Reader<'_>) -> Self {
                $(let $field = reader.choose($name, &$kind, Secrecy::$secrecy, &$fallback);)*
                let rate_limits = Bucket::ALL.iter().map(|bucket| {
                    let row = bucket_row(*bucket);
                    (*bucket, reader.choose(&row.name, &BUCKET_LIMIT, row.secrecy, &row.fallback))
                });
                Self { rate_limits: rate_limits.collect(), $($field),* }
            }
        }

        /// Every setting, in the order in which people look for them.
        pub fn rows() -> Vec<Row> {
            let mut rows = vec![$(Row {
                name: $name.to_owned(),
                fallback: $fallback,
                secrecy: Secrecy::$secrecy,
                meaning: $meaning.to_owned(),
                wants: wants::<$type>(&$kind),
                choices: choices::<$type>(&$kind),
            }),*];
            rows.extend(Bucket::ALL.iter().map(|bucket| bucket_row(*bucket)));
            rows
        }
    };
}

const DAY: Duration = Duration::from_hours(24);
const HOUR: Duration = Duration::from_hours(1);
/// The largest whole number that every JSON parser represents exactly.
const EXACT: u64 = (1 << 53) - 1;
const MOST: u64 = 1_000_000_000;

settings! {
    config = CONFIG, PathKind { wants: "the path of a TOML file" } => PathBuf, Open, Fallback::None,
        "TOML file with further settings";
    listen = "LISTEN", SocketKind => SocketAddr, Open, value("127.0.0.1:8080"),
        "address to serve on; port 0 uses a free one, which the start line shows";
    public_url = "PUBLIC_URL", OriginKind => Origin, Open, Fallback::Derived("`http://` and the address served on"),
        "origin in links and access tokens";
    pages_url = "PAGES_URL", OriginKind => Origin, Open, Fallback::Derived("`OCTAVO_PUBLIC_URL`"),
        "origin of the pages to which mails and invitations link, for products with pages of their own";
    data_dir = "DATA_DIR", PathKind { wants: "the path of a folder" } => PathBuf, Open, value("./octavo-data"),
        "folder for the embedded database, mails and generated secrets";
    database_url = "DATABASE_URL", DatabaseKind => DatabaseUrl, Address, Fallback::Derived("`sqlite:` and `octavo.db` in the data folder"),
        "database: a SQLite file, or anything that speaks PostgreSQL's protocol";
    nodes = "NODES", Choice(Nodes::WORDS) => Nodes, Open, value("single"),
        "how many servers share the database: `several` requires PostgreSQL, Redis and configured keys";
    redis_url = "REDIS_URL", RedisKind => Secret<String>, Address, Fallback::None,
        "Redis, in which several nodes share their rate limits";
    mail_url = "MAIL_URL", MailKind => MailUrl, Address, Fallback::Derived("`file:` and `mail` in the data folder"),
        "how mail is sent: to a folder with one `.eml` file for each mail, or to an SMTP server";
    mail_from = "MAIL_FROM", SenderKind => String, Open, value("Octavo <no-reply@localhost>"),
        "sender of mail";
    jwt_secret = "JWT_SECRET", JwtSecretKind => DeploymentKey, Secret, Fallback::Generated,
        "HS256 key of access tokens, as raw bytes";
    jwt_private_key_file = PRIVATE_KEY_FILE, PathKind { wants: "the path of a PEM file with an RSA key of 2048 bits or more" } => PathBuf,
        Open, Fallback::None,
        "RSA key in PEM form; access tokens are then RS256, and `OCTAVO_JWT_SECRET` must not be set";
    secret_keys = "SECRET_KEY", SecretKeysKind => Vec<DeploymentKey>, Secret, Fallback::Generated,
        "key that encrypts stored secrets and signs cursors; older keys, still accepted, follow after commas";
    clock_skew_allowed = "CLOCK_SKEW_ALLOWED_S", Number::within(0, 300) => u64, Open, value("30"),
        "seconds by which the clocks of nodes may differ when tokens are checked";
    signup = "SIGNUP", Choice(SIGNUP_WORDS) => Signup, Open, value("open"),
        "who may create an account: everybody, people with an invitation, nobody";
    register_conceal = "REGISTER_CONCEAL", Boolean => bool, Open, value("false"),
        "registration answers the same whether or not an address has an account and mails its owner, and passwords work only once it is verified";
    session_absolute_days = "SESSION_ABSOLUTE_DAYS", Number::within(1, 3650) => u64, Open, value("365"),
        "days after which a session ends even if it is active";
    auth_code_ttl_s = "AUTH_CODE_TTL_S", Number::within(30, 600) => u64, Open, value("60"),
        "seconds that an app has to exchange an authorization code";
    login_failures_per_email = "LOGIN_FAILURES_PER_EMAIL", NumberOrNone::up_to(1_000_000) => Option<u32>, Open, value("20"),
        "failed logins for one email in 15 minutes after which only known address ranges may try; 0 turns the rule off";
    argon2_memory_kib = "ARGON2_MEMORY_KIB", Number::within(19_456, 4_194_304) => u32, Open, value("19456"),
        "memory of one password hash";
    argon2_passes = "ARGON2_PASSES", Number::within(2, 64) => u32, Open, value("2"),
        "number of passes of one password hash";
    trusted_proxies = "TRUSTED_PROXIES", NetworksKind => Vec<IpNet>, Open, value(""),
        "networks of proxies whose forwarding headers are trusted";
    cors_origins = "CORS_ORIGINS", CorsKind => CorsOrigins, Open, value(""),
        "origins whose pages may call the API";
    body_max_bytes = "BODY_MAX_BYTES", Number::within(256, 1 << 30) => usize, Open, value("1048576"),
        "largest JSON body, unless a route has its own limit";
    query_timeout = "QUERY_TIMEOUT", DurationKind { min: Duration::from_millis(1), max: HOUR } => Duration, Open, value("5s"),
        "timeout of one database statement of a request; on SQLite only of statements that read";
    compute_threads = "COMPUTE_THREADS", Number::within(1, 256) => usize, Open, Fallback::Derived("half of the cores, at least 1"),
        "number of long documents that are read or written at the same time, and the same number of short ones; passwords have as many threads as there are cores";
    compute_queue = "COMPUTE_QUEUE", Number::within(1, 10_000) => usize, Open, value("64"),
        "number of jobs of each of these kinds that may wait; a third of the places is open to one person, to one network of callers without an account, or to the readers of the share links of one workspace; further calls are answered with 503";
    compute_timeout = "COMPUTE_TIMEOUT", DurationKind { min: Duration::from_secs(1), max: HOUR } => Duration, Open, value("60s"),
        "longest time that a call waits for reading or writing a document";
    content_memory_bytes = "CONTENT_MEMORY_BYTES", Number::within(1 << 20, MOST) => u64, Open, value("67108864"),
        "bytes of page content that calls have in memory at the same time, not counting calls that load or import up to 256 KB; the process needs several times as much; shared like `OCTAVO_COMPUTE_QUEUE`, but whoever holds nothing may read one page larger than a share; calls that read or write documents have at most two thirds of it";
    table_memory_bytes = "TABLE_MEMORY_BYTES", Number::within(1 << 20, MOST) => u64, Open, value("268435456"),
        "bytes of records that are kept in memory for queries, and of what running queries compute, which may be a quarter for one caller and a half for all; databases that were not queried for longest are dropped and loaded again when they are needed";
    limit_members = "LIMIT_MEMBERS", NumberOrNone::up_to(MOST) => Option<u64>, Open, value("10000"),
        "members of a workspace without a limit of its own; 0 means no limit";
    limit_databases = "LIMIT_DATABASES", NumberOrNone::up_to(MOST) => Option<u64>, Open, value("10000"),
        "databases of such a workspace; 0 means no limit";
    limit_storage_bytes = "LIMIT_STORAGE_BYTES", NumberOrNone::up_to(EXACT) => Option<u64>, Open, value("1099511627776"),
        "bytes of files of such a workspace; 0 means no limit";
    limit_workspaces = "LIMIT_WORKSPACES", NumberOrNone::up_to(MOST) => Option<u64>, Open, value("0"),
        "workspaces that a user may own besides the personal one; 0 means no limit";
    limit_pages = "LIMIT_PAGES", NumberOrNone::up_to(MOST) => Option<u64>, Open, value("50000"),
        "pages of a workspace, including those in the trash; 0 means no limit; others wait while a large tree is moved, shared or trashed: on SQLite about a second for each 100,000 pages, or for each 40,000 that are trashed";
    limit_written_bytes = "LIMIT_WRITTEN_BYTES", NumberOrNone::up_to(EXACT) => Option<u64>, Open, value("1073741824"),
        "bytes of pages that a person may write within an hour, with 300 for each block and 2,000 for each page; 0 means no limit; each node counts in its own memory";
    event_retention_days = "EVENT_RETENTION_DAYS", Number::within(1, 3650) => u64, Open, value("90"),
        "days for which the event log keeps an event";
    debug_events = "DEBUG_EVENTS", Boolean => bool, Open, value("true"),
        "whether to serve `/debug/events`, the catalog of event types";
    metrics_addr = "METRICS_ADDR", SocketKind => SocketAddr, Open, Fallback::None,
        "address for `/metrics`; port 0 uses a free one, which a second start line shows";
    log = "LOG", LogFilterKind => LogFilter, Open, value("info"),
        "which log lines are written";
    log_format = "LOG_FORMAT", Choice(LogFormat::WORDS) => LogFormat, Open, value("auto"),
        "format of the log; `auto` is text on a terminal and JSON otherwise";
    shutdown_delay = "SHUTDOWN_DELAY", DurationKind { min: Duration::ZERO, max: HOUR } => Duration, Open, value("0s"),
        "time between reporting not ready and closing the listener";
    shutdown_grace = "SHUTDOWN_GRACE", DurationKind { min: Duration::ZERO, max: DAY } => Duration, Open, value("30s"),
        "time for running requests when the server stops";
}
