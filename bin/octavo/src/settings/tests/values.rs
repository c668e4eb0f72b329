//! The meaning of values.

use super::{env, nothing};
use crate::settings::{CorsOrigins, DatabaseUrl, JwtKey, Nodes};
use octavo_app::Signup;
use octavo_core_model::Bucket;
use octavo_mail::MailUrl;
use std::{fs, path::PathBuf, time::Duration};

/// One of the keys that the tests of access tokens use.
pub(super) fn rsa_key(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/credentials/src/tokens/tests/keys");
    fs::read(format!("{folder}/{name}.pem")).unwrap()
}

#[test]
fn without_any_setting_everything_is_embedded() {
    let settings = nothing().settings();
    assert_eq!(settings.listen, "127.0.0.1:8080".parse().unwrap());
    assert_eq!(settings.data_dir, PathBuf::from("./octavo-data"));
    assert_eq!(settings.database, DatabaseUrl::Sqlite(PathBuf::from("./octavo-data/octavo.db")));
    assert_eq!(settings.mail, MailUrl::Folder(PathBuf::from("./octavo-data/mail")));
    assert_eq!(settings.mail_from, "Octavo <no-reply@localhost>");
    assert_eq!((settings.nodes, settings.signup), (Nodes::Single, Signup::Open));
    assert_eq!((settings.jwt_key, settings.secret_keys, settings.redis_url), (JwtKey::Generated, None, None));
    assert_eq!((settings.argon2_memory_kib, settings.argon2_passes), (19_456, 2));
    assert_eq!(settings.clock_skew_allowed, Duration::from_secs(30));
    assert_eq!(settings.auth_code_ttl, Duration::from_mins(1));
    assert_eq!(settings.session_absolute, Duration::from_hours(365 * 24));
    assert_eq!(settings.event_retention, Duration::from_hours(90 * 24));
    assert_eq!(settings.login_failures_per_email, Some(20));
    assert_eq!(settings.cors_origins, CorsOrigins::Listed(Vec::new()));
    assert_eq!((settings.body_max_bytes, settings.query_timeout), (1_048_576, Duration::from_secs(5)));
    assert_eq!((settings.limit_members, settings.limit_storage_bytes), (Some(10_000), Some(1_099_511_627_776)));
    assert_eq!((settings.shutdown_delay, settings.shutdown_grace), (Duration::ZERO, Duration::from_secs(30)));
    for bucket in Bucket::ALL {
        assert_eq!(settings.rate_limits.of(*bucket), Some(bucket.default_limit()));
    }
}

#[test]
fn embedded_parts_follow_the_data_folder() {
    let world = env("OCTAVO_DATA_DIR", "/srv/octavo");
    assert_eq!(world.effective("OCTAVO_DATABASE_URL"), (Some("sqlite:/srv/octavo/octavo.db".to_owned()), "default"));
    assert_eq!(world.effective("OCTAVO_MAIL_URL"), (Some("file:/srv/octavo/mail".to_owned()), "default"));
}

#[test]
fn the_public_origin_follows_the_address_served_on() {
    let origin = |listen: &str, got: &str| {
        env("OCTAVO_LISTEN", listen).settings().public_origin(got.parse().unwrap()).to_string()
    };
    assert_eq!(origin("127.0.0.1:8080", "127.0.0.1:8080"), "http://127.0.0.1:8080");
    assert_eq!(origin("127.0.0.1:0", "127.0.0.1:41234"), "http://127.0.0.1:41234");
    assert_eq!(origin("0.0.0.0:8080", "0.0.0.0:8080"), "http://localhost:8080");
    assert_eq!(origin("[::]:0", "[::]:41234"), "http://localhost:41234");
    let given = env("OCTAVO_PUBLIC_URL", "https://octavo.example.com/").settings();
    assert_eq!(given.public_origin(given.listen).to_string(), "https://octavo.example.com");
    assert_eq!(
        env("OCTAVO_LISTEN", "0.0.0.0:80").effective("OCTAVO_PUBLIC_URL"),
        (Some("http://localhost".to_owned()), "default")
    );
}

#[test]
fn pages_are_those_of_the_service_unless_a_product_has_its_own() {
    let own = env("OCTAVO_PUBLIC_URL", "https://octavo.example.com");
    assert_eq!(own.effective("OCTAVO_PAGES_URL"), (Some("https://octavo.example.com".to_owned()), "default"));
    let listening = env("OCTAVO_LISTEN", "127.0.0.1:0").settings();
    assert_eq!(listening.pages_origin("127.0.0.1:41234".parse().unwrap()).to_string(), "http://127.0.0.1:41234");
    let product = env("OCTAVO_PUBLIC_URL", "https://octavo.example.com")
        .env("OCTAVO_PAGES_URL", "https://product.example/")
        .settings();
    assert_eq!(product.pages_origin(product.listen).to_string(), "https://product.example");
    assert_eq!(product.public_origin(product.listen).to_string(), "https://octavo.example.com");
    assert_eq!(env("OCTAVO_PAGES_URL", "https://product.example/app").faults().len(), 1);
}

#[test]
fn a_bucket_takes_another_count_or_none() {
    let settings = env("OCTAVO_RATE_LIMIT_EMAIL_CHANGE", "7").env("OCTAVO_RATE_LIMIT_GENERIC", "0").settings();
    assert_eq!(settings.rate_limits.of(Bucket::EmailChange), Some(7));
    assert_eq!(settings.rate_limits.of(Bucket::Generic), None);
    assert_eq!(env("OCTAVO_RATE_LIMIT_NOTHING", "7").faults().len(), 1);
}

#[test]
fn zero_lifts_a_limit() {
    let settings = env("OCTAVO_LIMIT_MEMBERS", "0").env("OCTAVO_LOGIN_FAILURES_PER_EMAIL", "0").settings();
    assert_eq!((settings.limit_members, settings.login_failures_per_email), (None, None));
}

#[test]
fn an_rsa_key_is_read_and_checked() {
    let key = |content: Vec<u8>| env("OCTAVO_JWT_PRIVATE_KEY_FILE", "/key.pem").file("/key.pem", content);
    let pem = rsa_key("first");
    let JwtKey::Rsa(read) = key(pem.clone()).settings().jwt_key else { unreachable!("an RSA key") };
    assert_eq!(*read.expose(), pem);
    assert!(matches!(key(rsa_key("first.pkcs1")).settings().jwt_key, JwtKey::Rsa(_)));
    for wrong in [rsa_key("short"), rsa_key("elliptic"), rsa_key("first.public"), b"not a key".to_vec()] {
        let faults = key(wrong).faults();
        assert!(
            faults.len() == 1 && faults[0].starts_with("OCTAVO_JWT_PRIVATE_KEY_FILE (env): /key.pem: "),
            "{faults:?}"
        );
    }
}

#[test]
fn keys_are_the_bytes_of_their_file() {
    let world = env("OCTAVO_SECRET_KEY_FILE", "/run/key").file("/run/key", vec![0xff; 32]);
    assert_eq!(world.settings().secret_keys.unwrap()[0].expose(), &vec![0xff; 32]);
}
