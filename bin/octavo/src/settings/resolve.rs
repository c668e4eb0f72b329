//! Combines single values into the settings that the rest of the program uses.

use super::{
    kinds::{CorsOrigins, DatabaseUrl, DeploymentKey, Origin},
    reader::Chosen,
    table::Draft,
    words::Nodes,
};
use crate::logging::{LogFilter, LogFormat};
use ipnet::IpNet;
use octavo_app::Signup;
use octavo_core_model::{Bucket, Secret, time::days};
use octavo_mail::MailUrl;
use std::{collections::BTreeMap, net::SocketAddr, path::PathBuf, time::Duration};

/// The key that signs access tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JwtKey {
    /// HS256 with a key that a server generates on its first start.
    Generated,
    /// HS256 with these bytes.
    Shared(DeploymentKey),
    /// RS256 with this RSA key in PEM form.
    Rsa(Secret<Vec<u8>>),
}

impl JwtKey {
    pub const fn is_generated(&self) -> bool {
        matches!(self, Self::Generated)
    }
}

/// How many calls each bucket allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateLimits(BTreeMap<Bucket, Option<u32>>);

impl RateLimits {
    /// The limit of a bucket; `None` if the bucket is turned off.
    pub fn of(&self, bucket: Bucket) -> Option<u32> {
        self.0.get(&bucket).copied().unwrap_or(Some(bucket.default_limit()))
    }
}

/// All settings: typed, in range and without contradictions.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The TOML file that was read.
    pub config: Option<PathBuf>,
    pub listen: SocketAddr,
    /// `None`: derived from the listening address, see [`Settings::public_origin`].
    pub public_url: Option<Origin>,
    /// `None`: the service's own pages, see [`Settings::pages_origin`].
    pub pages_url: Option<Origin>,
    pub data_dir: PathBuf,
    pub database: DatabaseUrl,
    pub nodes: Nodes,
    pub redis_url: Option<Secret<String>>,
    pub mail: MailUrl,
    /// `Name <address>` or an address.
    pub mail_from: String,
    pub jwt_key: JwtKey,
    /// The present key, then the ones that it replaced. `None`: generated on the first start.
    pub secret_keys: Option<Vec<DeploymentKey>>,
    pub clock_skew_allowed: Duration,
    pub signup: Signup,
    pub register_conceal: bool,
    /// The longest life of a session.
    pub session_absolute: Duration,
    /// How long an app has to exchange an authorization code.
    pub auth_code_ttl: Duration,
    /// `None`: no limit.
    pub login_failures_per_email: Option<u32>,
    pub argon2_memory_kib: u32,
    pub argon2_passes: u32,
    pub trusted_proxies: Vec<IpNet>,
    pub cors_origins: CorsOrigins,
    pub body_max_bytes: usize,
    pub query_timeout: Duration,
    pub content_memory_bytes: u64,
    /// `None`: half of the cores.
    pub compute_threads: Option<usize>,
    pub compute_queue: usize,
    pub compute_timeout: Duration,
    /// `None`: no limit, also for the two settings that follow.
    pub limit_members: Option<u64>,
    pub limit_databases: Option<u64>,
    pub limit_storage_bytes: Option<u64>,
    /// How many workspaces a user may own, not counting the personal one; `None`: no limit.
    pub limit_workspaces: Option<u64>,
    /// `None`: no limit.
    pub limit_pages: Option<u64>,
    pub limit_written_bytes: Option<u64>,
    pub table_memory_bytes: u64,
    pub event_retention: Duration,
    pub debug_events: bool,
    pub metrics_addr: Option<SocketAddr>,
    pub log: LogFilter,
    pub log_format: LogFormat,
    pub shutdown_delay: Duration,
    pub shutdown_grace: Duration,
    pub rate_limits: RateLimits,
}

impl Settings {
    /// The origin in links and tokens, once the listening address is known.
    pub fn public_origin(&self, served_on: SocketAddr) -> Origin {
        self.public_url.clone().unwrap_or_else(|| Origin::of_listener(served_on))
    }

    /// The origin of the pages to which mails and invitations link, once the listening address is known.
    pub fn pages_origin(&self, served_on: SocketAddr) -> Origin {
        self.pages_url.clone().unwrap_or_else(|| self.public_origin(served_on))
    }

    /// The value of a setting that is derived from others.
    pub(super) fn derived(&self, setting: &str) -> Option<String> {
        match setting {
            "PUBLIC_URL" => Some(self.public_origin(self.listen).to_string()),
            "PAGES_URL" => Some(self.pages_origin(self.listen).to_string()),
            "DATABASE_URL" => match &self.database {
                DatabaseUrl::Sqlite(path) => Some(format!("sqlite:{}", path.display())),
                DatabaseUrl::Postgres(_) => None,
            },
            "MAIL_URL" => match &self.mail {
                MailUrl::Folder(path) => Some(format!("file:{}", path.display())),
                MailUrl::Smtp(_) => None,
            },
            _ => None,
        }
    }
}

/// Combines the values. `None` when one is missing, which has been reported as a fault.
pub(super) fn resolve(draft: Draft, private_key: Option<Secret<Vec<u8>>>) -> Option<Settings> {
    let data_dir = draft.data_dir?.value;
    let jwt_key = match (draft.jwt_secret, private_key) {
        (_, Some(pem)) => JwtKey::Rsa(pem),
        (Some(key), None) => JwtKey::Shared(key.value),
        (None, None) => JwtKey::Generated,
    };
    let rate_limits = draft.rate_limits.into_iter().map(|(bucket, limit)| Some((bucket, limit?.value)));
    Some(Settings {
        config: draft.config.map(value),
        listen: draft.listen?.value,
        public_url: draft.public_url.map(value),
        pages_url: draft.pages_url.map(value),
        database: draft.database_url.map_or_else(|| DatabaseUrl::Sqlite(data_dir.join("octavo.db")), value),
        nodes: draft.nodes?.value,
        redis_url: draft.redis_url.map(value),
        mail: draft.mail_url.map_or_else(|| MailUrl::Folder(data_dir.join("mail")), value),
        mail_from: draft.mail_from?.value,
        data_dir,
        jwt_key,
        secret_keys: draft.secret_keys.map(value),
        clock_skew_allowed: Duration::from_secs(draft.clock_skew_allowed?.value),
        signup: draft.signup?.value,
        register_conceal: draft.register_conceal?.value,
        session_absolute: days(draft.session_absolute_days?.value),
        auth_code_ttl: Duration::from_secs(draft.auth_code_ttl_s?.value),
        login_failures_per_email: draft.login_failures_per_email?.value,
        argon2_memory_kib: draft.argon2_memory_kib?.value,
        argon2_passes: draft.argon2_passes?.value,
        trusted_proxies: draft.trusted_proxies?.value,
        cors_origins: draft.cors_origins?.value,
        body_max_bytes: draft.body_max_bytes?.value,
        query_timeout: draft.query_timeout?.value,
        content_memory_bytes: draft.content_memory_bytes?.value,
        compute_threads: draft.compute_threads.map(value),
        compute_queue: draft.compute_queue?.value,
        compute_timeout: draft.compute_timeout?.value,
        limit_members: draft.limit_members?.value,
        limit_databases: draft.limit_databases?.value,
        limit_storage_bytes: draft.limit_storage_bytes?.value,
        limit_workspaces: draft.limit_workspaces?.value,
        limit_pages: draft.limit_pages?.value,
        limit_written_bytes: draft.limit_written_bytes?.value,
        table_memory_bytes: draft.table_memory_bytes?.value,
        event_retention: days(draft.event_retention_days?.value),
        debug_events: draft.debug_events?.value,
        metrics_addr: draft.metrics_addr.map(value),
        log: draft.log?.value,
        log_format: draft.log_format?.value,
        shutdown_delay: draft.shutdown_delay?.value,
        shutdown_grace: draft.shutdown_grace?.value,
        rate_limits: RateLimits(rate_limits.collect::<Option<_>>()?),
    })
}

fn value<T>(chosen: Chosen<T>) -> T {
    chosen.value
}
