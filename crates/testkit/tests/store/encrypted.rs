//! PostgreSQL behind TLS. SQLite has no network connection.

use octavo_storage::{OpenError, Options};
use octavo_testkit::{Database, fresh_postgres};
use std::{path::Path, sync::Arc};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

/// The request of a client before it starts TLS: the length of the message and its code.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

fn key(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/keys").join(name).display().to_string()
}

/// Starts a TLS proxy for a server without TLS, and returns its URL.
async fn encrypted(database: &Database) -> String {
    let (scheme, rest) = database.url().split_once("://").unwrap();
    let (authority, path) = rest.split_once('/').unwrap();
    let (user, server) = authority.rsplit_once('@').map_or(("", authority), |(user, server)| (user, server));
    let user = if user.is_empty() { String::new() } else { format!("{user}@") };
    let (listener, server) = (TcpListener::bind("127.0.0.1:0").await.unwrap(), server.to_owned());
    let port = listener.local_addr().unwrap().port();
    let acceptor = acceptor();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(relay(client, acceptor.clone(), server.clone()));
        }
    });
    format!("{scheme}://{user}127.0.0.1:{port}/{path}")
}

fn acceptor() -> TlsAcceptor {
    let file = key("server.pem");
    let chain = CertificateDer::pem_file_iter(&file).unwrap().collect::<Result<Vec<_>, _>>().unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, PrivateKeyDer::from_pem_file(&file).unwrap());
    TlsAcceptor::from(Arc::new(config.unwrap()))
}

async fn relay(mut client: TcpStream, acceptor: TlsAcceptor, server: String) {
    let mut asked = [0; 8];
    client.read_exact(&mut asked).await.unwrap();
    assert_eq!(asked, SSL_REQUEST, "nothing goes out in clear");
    client.write_all(b"S").await.unwrap();
    // A client that does not trust the certificate disconnects.
    let Ok(mut client) = acceptor.accept(client).await else { return };
    let mut server = TcpStream::connect(server).await.unwrap();
    let _ = copy_bidirectional(&mut client, &mut server).await;
}

async fn open(url: &str, parameters: &str) -> Result<usize, OpenError> {
    let joint = if url.contains('?') { '&' } else { '?' };
    let url = format!("{url}{joint}{parameters}");
    octavo_storage::migrate(&url).await?;
    let store = octavo_storage::open(&url, &Options::default()).await?;
    let users = store.reader().await.unwrap().accounts().list(None, 10).await.unwrap();
    Ok(users.len())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_a_trusted_certificate_is_served_by() {
    let Some(database) = fresh_postgres().await else { return };
    let url = encrypted(&database).await;
    let trusted = format!("sslmode=require&sslrootcert={}", key("authority.pem"));
    assert!(matches!(open(&url, &trusted).await, Ok(0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_of_somebody_else_is_refused() {
    let Some(database) = fresh_postgres().await else { return };
    let url = encrypted(&database).await;
    let stranger = format!("sslmode=require&sslrootcert={}", key("stranger.pem"));
    for parameters in [stranger.as_str(), "sslmode=require", "sslmode=verify-full"] {
        assert!(matches!(open(&url, parameters).await, Err(OpenError::Unreachable(_))), "{parameters}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_encryption_is_refused_where_it_is_asked_for() {
    let Some(database) = fresh_postgres().await else { return };
    let trusted = format!("sslmode=require&sslrootcert={}", key("authority.pem"));
    assert!(matches!(open(database.url(), &trusted).await, Err(OpenError::Unreachable(_))));
}
