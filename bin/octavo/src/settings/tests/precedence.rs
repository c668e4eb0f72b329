//! Which source wins, and what happens to the others.

use super::{env, nothing};

const LISTEN: &str = "OCTAVO_LISTEN";

#[test]
fn a_flag_beats_a_variable_beats_its_file_beats_the_toml_file_beats_the_default() {
    let all = nothing()
        .toml("listen = '127.0.0.1:4'")
        .env("OCTAVO_LISTEN_FILE", "/run/listen")
        .file("/run/listen", "127.0.0.1:3\n");
    let shown = |value: &str, source| (Some(value.to_owned()), source);
    assert_eq!(all.effective(LISTEN), shown("127.0.0.1:3", "env_file"));
    let all = all.env(LISTEN, "127.0.0.1:2");
    assert_eq!(all.effective(LISTEN), shown("127.0.0.1:2", "env"));
    let all = all.flag("listen", "127.0.0.1:1");
    assert_eq!(all.effective(LISTEN), shown("127.0.0.1:1", "flag"));
    assert_eq!(all.settings().listen.port(), 1);
    assert_eq!(nothing().toml("listen = '127.0.0.1:4'").effective(LISTEN), shown("127.0.0.1:4", "file"));
    assert_eq!(nothing().effective(LISTEN), shown("127.0.0.1:8080", "default"));
}

#[test]
fn the_flag_names_the_toml_file_that_counts() {
    let world = nothing()
        .toml("listen = '127.0.0.1:1'\nno_such_setting = 1")
        .flag("config", "/other.toml")
        .file("/other.toml", "listen = '127.0.0.1:2'");
    assert_eq!(world.settings().listen.port(), 2);
    assert_eq!(world.effective("OCTAVO_CONFIG"), (Some("/other.toml".to_owned()), "flag"));
}

#[test]
fn an_empty_variable_counts_as_not_set() {
    let world = nothing()
        .toml("listen = '127.0.0.1:4'")
        .env(LISTEN, "")
        .env("OCTAVO_LISTEN_FILE", "")
        .env("OCTAVO_METRICS_ADDR", "")
        .env("OCTAVO_NO_SUCH_SETTING", "");
    assert_eq!(world.settings().listen.port(), 4);
    assert_eq!(world.settings().metrics_addr, None);
}

#[test]
fn a_malformed_value_matters_only_where_it_wins() {
    let world = nothing().toml("listen = 'nowhere'\nlog = 7").env(LISTEN, "nowhere").flag("listen", "127.0.0.1:1");
    let world = world.env("OCTAVO_LOG", "warn");
    assert_eq!(world.settings().listen.port(), 1);
    assert_eq!(env(LISTEN, "nowhere").faults().len(), 1);
}

#[test]
fn unknown_names_and_unreadable_files_are_faults_in_every_source() {
    let world = nothing()
        .toml("no_such_setting = 1\n[listen]\nport = 1")
        .flag("listen", "127.0.0.1:1")
        .env("OCTAVO_LISTEN_FILE", "/missing/listen")
        .env("OCTAVO_NO_SUCH_VARIABLE", "1");
    assert_eq!(
        world.faults(),
        [
            "OCTAVO_LISTEN (env_file /missing/listen): the file cannot be read: entity not found",
            "OCTAVO_LISTEN (file /etc/octavo.toml): must be a value, not a table",
            "OCTAVO_NO_SUCH_SETTING (file /etc/octavo.toml): there is no such setting as \"no_such_setting\"",
            "OCTAVO_NO_SUCH_VARIABLE (env): there is no such setting",
        ]
    );
    let config = nothing().env("OCTAVO_CONFIG", "/missing.toml").flag("config", "/there.toml").file("/there.toml", "");
    assert_eq!(config.faults(), ["OCTAVO_CONFIG (env): /missing.toml cannot be read: entity not found"]);
    let key = env("OCTAVO_JWT_PRIVATE_KEY_FILE", "/missing.pem").flag("jwt-private-key-file", "/missing-too.pem");
    assert_eq!(key.faults().len(), 2);
}

#[test]
fn variables_of_tools_and_orchestrators_are_let_through() {
    let world = env("OCTAVO_BIN", "/usr/bin/octavo")
        .env("OCTAVO_SERVICE_HOST", "10.0.0.1")
        .env("OCTAVO_PORT", "tcp://10.0.0.1:8080")
        .env("OCTAVO_PORT_8080_TCP_ADDR", "10.0.0.1")
        .env("HOME", "/root");
    assert!(world.load().is_ok());
    for name in ["OCTAVO_BINARY", "OCTAVO_SERVICE", "OCTAVO_listen", "OCTAVO_", "OCTAVO_LISTEN_FILE_FILE"] {
        assert_eq!(env(name, "1").faults().len(), 1, "{name}");
    }
}

#[test]
fn settings_that_name_files_cannot_come_from_files() {
    for name in ["OCTAVO_CONFIG_FILE", "OCTAVO_JWT_PRIVATE_KEY", "OCTAVO_JWT_PRIVATE_KEY_FILE_FILE"] {
        let faults = env(name, "/there").file("/there", "x").faults();
        assert_eq!(faults, [format!("{name} (env): there is no such setting")]);
    }
    let faults = nothing().toml("config = '/other.toml'").faults();
    assert!(faults[0].starts_with("OCTAVO_CONFIG (file /etc/octavo.toml): there is no such setting"), "{faults:?}");
}

#[test]
fn exactly_one_line_end_of_a_named_file_is_cut() {
    let key = |content: &str| {
        let world = env("OCTAVO_JWT_SECRET_FILE", "/run/key").file("/run/key", content);
        match world.settings().jwt_key {
            crate::settings::JwtKey::Shared(key) => String::from_utf8(key.into_inner()).unwrap(),
            other => unreachable!("{other:?}"),
        }
    };
    let plain = "k".repeat(32);
    assert_eq!(key(&plain), plain);
    assert_eq!(key(&format!("{plain}\n")), plain);
    assert_eq!(key(&format!("{plain}\r\n")), plain);
    assert_eq!(key(&format!("{plain}\n\n")), format!("{plain}\n"));
    assert_eq!(key(&format!("{plain} \r")), format!("{plain} \r"));
}
