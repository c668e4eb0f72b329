//! Which PostgreSQL server is meant, and how to reach it.

use super::watched::{Watched, WatchedStream};
use diesel::{ConnectionError, ConnectionResult};
use diesel_async::AsyncPgConnection;
use octavo_storage_common::OpenError;
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};
use rustls_platform_verifier::BuilderVerifierExt;
use std::{fmt::Write, sync::Arc, time::Duration};
use tokio_postgres::{
    Client, Config, Connection, Socket,
    config::{Host, SslMode, SslNegotiation},
    error::SqlState,
};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long connecting may take, and how long sent data may stay unacknowledged.
pub(super) const NETWORK_TIMEOUT: Duration = Duration::from_secs(5);

/// A server as described by a URL.
#[derive(Clone)]
pub(crate) struct Target {
    config: Config,
    tls: Watched,
}

impl Target {
    /// Parses a `postgres:` URL.
    ///
    /// `sslmode=require` encrypts and checks the server's certificate; `verify-full` means the same. Encryption
    /// without this check would not protect against anybody who can answer in the server's place. Without the
    /// parameter nothing is encrypted.
    pub(crate) fn parse(url: &str) -> Result<Self, OpenError> {
        let (plain, security) = Security::take_from(url)?;
        // The error itself is not shown: it may quote the URL, which may contain a password.
        let mut config: Config = plain.parse().map_err(|_| OpenError::BadUrl("the postgres: URL is malformed"))?;
        if security.encrypts {
            config.ssl_mode(SslMode::Require);
        } else if !config.get_hosts().is_empty() && config.get_hosts().iter().all(|host| matches!(host, Host::Tcp(_))) {
            // The error watcher takes the place of TLS in the driver. The server is not asked for TLS.
            config.ssl_mode(SslMode::Require).ssl_negotiation(SslNegotiation::Direct);
        } else {
            // The driver cannot watch Unix sockets; there errors are recognised by their text.
            config.ssl_mode(SslMode::Disable);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(NETWORK_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(NETWORK_TIMEOUT);
        }
        if config.get_application_name().is_none() {
            config.application_name("octavo");
        }
        let encrypts = security.encrypts;
        let client = MakeRustlsConnect::new(security.client()?);
        Ok(Self { config, tls: Watched(encrypts.then_some(client)) })
    }

    /// The interval of TCP keepalive probes.
    pub(crate) fn keep_alive_within(&mut self, silence: Duration) {
        if self.config.get_keepalives_idle() > silence {
            self.config.keepalives_idle(silence);
        }
    }

    pub(crate) async fn connect(&self) -> ConnectionResult<AsyncPgConnection> {
        let (client, connection) = self.dial().await?;
        AsyncPgConnection::try_from_client_and_connection(client, connection).await
    }

    /// A plain connection of the driver, for tasks that do not need diesel.
    pub(crate) async fn dial(&self) -> ConnectionResult<(Client, Connection<Socket, WatchedStream>)> {
        self.config.connect(self.tls.clone()).await.map_err(unreachable)
    }
}

/// The encryption that a URL requests.
#[derive(Debug, Default, PartialEq, Eq)]
struct Security {
    encrypts: bool,
    /// A file of certificates to trust instead of those of the system.
    roots: Option<String>,
}

impl Security {
    /// Removes the parameters that the driver does not know or interprets differently.
    fn take_from(url: &str) -> Result<(String, Self), OpenError> {
        let Some((server, query)) = url.split_once('?') else { return Ok((url.to_owned(), Self::default())) };
        let (mut security, mut rest) = (Self::default(), Vec::new());
        for pair in query.split('&') {
            match pair.split_once('=') {
                Some(("sslmode", "disable")) => security.encrypts = false,
                Some(("sslmode", "require" | "verify-full")) => security.encrypts = true,
                Some(("sslmode", _)) => {
                    return Err(OpenError::BadUrl("sslmode of a postgres: URL is disable, require or verify-full"));
                }
                Some(("sslrootcert", path)) => security.roots = Some(path.to_owned()),
                _ => rest.push(pair),
            }
        }
        if security.roots.is_some() && !security.encrypts {
            return Err(OpenError::BadUrl("sslrootcert of a postgres: URL needs sslmode=require beside it"));
        }
        let query = rest.join("&");
        Ok((if query.is_empty() { server.to_owned() } else { format!("{server}?{query}") }, security))
    }

    fn client(self) -> Result<ClientConfig, OpenError> {
        let unusable = |_| OpenError::BadUrl("TLS cannot be set up on this machine");
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(unusable)?;
        Ok(match self {
            Self { encrypts: true, roots: Some(path) } => {
                builder.with_root_certificates(read_roots(&path)?).with_no_client_auth()
            }
            Self { encrypts: true, roots: None } => {
                builder.with_platform_verifier().map_err(unusable)?.with_no_client_auth()
            }
            // Never used.
            Self { encrypts: false, .. } => {
                builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth()
            }
        })
    }
}

fn read_roots(path: &str) -> Result<RootCertStore, OpenError> {
    const UNREADABLE: OpenError = OpenError::BadUrl("sslrootcert of a postgres: URL names no file of certificates");
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).map_err(|_| UNREADABLE)? {
        roots.add(certificate.map_err(|_| UNREADABLE)?).map_err(|_| UNREADABLE)?;
    }
    if roots.is_empty() { Err(UNREADABLE) } else { Ok(roots) }
}

/// What the server says about the user, the password or the database of the URL stays true until somebody changes it.
/// Everything else may pass: the server may be starting.
#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(crate) fn unreachable(error: tokio_postgres::Error) -> ConnectionError {
    let is_final =
        [SqlState::INVALID_PASSWORD, SqlState::INVALID_AUTHORIZATION_SPECIFICATION, SqlState::INVALID_CATALOG_NAME];
    let report = chain(&error);
    if error.code().is_some_and(|code| is_final.contains(code)) {
        ConnectionError::InvalidConnectionUrl(report)
    } else {
        ConnectionError::BadConnection(report)
    }
}

/// An error with its causes, because the outermost message of the driver says little.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn taken(url: &str) -> (String, Security) {
        Security::take_from(url).unwrap()
    }

    #[test]
    fn a_url_says_whether_to_encrypt() {
        let plain = "postgres://ada@db/octavo";
        assert_eq!(taken(plain), (plain.to_owned(), Security::default()));
        for (query, encrypts) in [("sslmode=disable", false), ("sslmode=require", true), ("sslmode=verify-full", true)]
        {
            assert_eq!(taken(&format!("{plain}?{query}")), (plain.to_owned(), Security { encrypts, roots: None }));
        }
        let (rest, security) = taken(&format!("{plain}?a=b&sslmode=require&sslrootcert=/ca.pem&c=d"));
        assert_eq!(rest, format!("{plain}?a=b&c=d"));
        assert_eq!(security, Security { encrypts: true, roots: Some("/ca.pem".to_owned()) });
    }

    #[test]
    fn half_secure_encryption_options_are_refused() {
        for query in ["sslmode=prefer", "sslmode=", "sslmode=verify-ca", "sslrootcert=/ca.pem"] {
            let url = format!("postgres://ada@db/octavo?{query}");
            assert!(matches!(Security::take_from(&url), Err(OpenError::BadUrl(_))), "{query}");
        }
        let missing = "postgres://ada@db/octavo?sslmode=require&sslrootcert=/nowhere.pem";
        assert!(matches!(Target::parse(missing), Err(OpenError::BadUrl(_))));
    }
}
