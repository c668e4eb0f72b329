//! What operators see when something is wrong.

use super::{env, nothing};

#[test]
fn all_faults_are_listed_at_once_with_setting_and_source() {
    let world = nothing()
        .toml("body_max_bytes = 1\nsignup = 'maybe'")
        .env("OCTAVO_QUERY_TIMEOUT_FILE", "/run/timeout")
        .file("/run/timeout", "5 seconds\n")
        .env("OCTAVO_PUBLIC_URL", "ftp://octavo.example.com")
        .env("OCTAVO_TYPO", "1")
        .flag("listen", "local\nhost");
    assert_eq!(
        world.faults(),
        [
            "OCTAVO_BODY_MAX_BYTES (file /etc/octavo.toml): must be a whole number from 256 to 1073741824, not \"1\"",
            "OCTAVO_LISTEN (flag): must be an IP address and a port, such as 127.0.0.1:8080 or [::1]:8080, not \"local\\nhost\"",
            "OCTAVO_PUBLIC_URL (env): must be an http or https origin without a path, such as https://octavo.example.com, \
             not \"ftp://octavo.example.com\"",
            "OCTAVO_QUERY_TIMEOUT (env_file /run/timeout): must be a duration from 1ms to 1h, such as 500ms, 30s, 15m, 24h or 7d, \
             not \"5 seconds\"",
            "OCTAVO_SIGNUP (file /etc/octavo.toml): must be one of open, invite, closed, not \"maybe\"",
            "OCTAVO_TYPO (env): there is no such setting",
        ]
    );
}

#[test]
fn a_flag_given_twice_is_a_fault() {
    let faults = nothing().flag("listen", "127.0.0.1:1").flag("listen", "127.0.0.1:1").faults();
    assert_eq!(faults, ["OCTAVO_LISTEN (flag): is given more than once"]);
}

#[test]
fn invalid_toml_is_reported_by_position_without_quoting_it() {
    let faults = nothing().toml("listen = '127.0.0.1:1'\njwt_secret = hunter2hunter2").faults();
    assert_eq!(faults, ["OCTAVO_CONFIG (env): /etc/octavo.toml is not TOML: see line 2"]);
    let doubled = nothing().toml("log = 'info'\nlog = 'warn'").faults();
    assert_eq!(doubled, ["OCTAVO_CONFIG (env): /etc/octavo.toml is not TOML: see line 2"]);
    let binary = env("OCTAVO_CONFIG", "/etc/octavo.toml").file("/etc/octavo.toml", [0xff, 0xfe]).faults();
    assert_eq!(binary, ["OCTAVO_CONFIG (env): /etc/octavo.toml is not UTF-8"]);
}

#[test]
fn toml_values_are_native_or_text() {
    let settings = nothing()
        .toml(
            "body_max_bytes = 4096\ndebug_events = false\ntrusted_proxies = ['10.0.0.0/8', '192.0.2.7']\n\
             limit_members = '5'\nregister_conceal = 'true'\ncors_origins = 'https://a.example,https://b.example'",
        )
        .settings();
    assert_eq!(settings.body_max_bytes, 4096);
    assert!(!settings.debug_events && settings.register_conceal);
    assert_eq!(settings.trusted_proxies.len(), 2);
    assert_eq!(settings.limit_members, Some(5));
    for wrong in [
        "body_max_bytes = 4096.0",
        "body_max_bytes = true",
        "body_max_bytes = -1",
        "debug_events = 0",
        "listen = 8080",
        "log = true",
        "trusted_proxies = [10]",
        "trusted_proxies = ['10.0.0.0/8,192.0.2.7']",
        "trusted_proxies = [['10.0.0.0/8']]",
        "trusted_proxies = [{ net = '10.0.0.0/8' }]",
        "listen = ['127.0.0.1:1']",
        "query_timeout = 2026-11-21",
        "[log]",
        "[[log]]",
        "log.level = 'info'",
        "LISTEN = '127.0.0.1:1'",
        "octavo_listen = '127.0.0.1:1'",
        "listen_file = '/x'",
    ] {
        assert_eq!(nothing().toml(wrong).faults().len(), 1, "{wrong}");
    }
}

#[test]
fn several_nodes_need_what_they_share() {
    let several = env("OCTAVO_NODES", "several");
    assert_eq!(
        several.faults(),
        [
            "OCTAVO_NODES (env): \"several\" needs OCTAVO_JWT_SECRET or OCTAVO_JWT_PRIVATE_KEY_FILE, not a generated key",
            "OCTAVO_NODES (env): \"several\" needs OCTAVO_REDIS_URL",
            "OCTAVO_NODES (env): \"several\" needs OCTAVO_SECRET_KEY, not a generated key",
            "OCTAVO_NODES (env): \"several\" needs a postgres:// address in OCTAVO_DATABASE_URL",
        ]
    );
    let key = "k".repeat(32);
    let several =
        several.env("OCTAVO_REDIS_URL", "redis://h").env("OCTAVO_SECRET_KEY", &key).env("OCTAVO_JWT_SECRET", &key);
    assert_eq!(several.faults().len(), 1);
    let on_a_file = nothing().flag("database-url", "sqlite:o.db");
    assert!(on_a_file.load().is_ok());
    assert!(several.env("OCTAVO_DATABASE_URL", "postgres://h/octavo").load().is_ok());
}

#[test]
fn a_deployment_has_one_jwt_key() {
    let world = nothing()
        .toml("jwt_private_key_file = '/key.pem'")
        .file("/key.pem", super::values::rsa_key("first"))
        .env("OCTAVO_JWT_SECRET", &"k".repeat(32));
    let together =
        "OCTAVO_JWT_SECRET (env): cannot be given together with OCTAVO_JWT_PRIVATE_KEY_FILE (file /etc/octavo.toml)";
    assert_eq!(world.faults(), [together]);
}

#[test]
fn metrics_have_an_address_of_their_own() {
    let same = env("OCTAVO_METRICS_ADDR", "127.0.0.1:8080").faults();
    assert_eq!(same, ["OCTAVO_METRICS_ADDR (env): is OCTAVO_LISTEN's address (default)"]);
    let free = env("OCTAVO_METRICS_ADDR", "127.0.0.1:0").env("OCTAVO_LISTEN", "127.0.0.1:0");
    assert!(free.load().is_ok());
}
