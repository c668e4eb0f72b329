//! Secrets are shown nowhere: not by `check-config`, not in faults, not in debug output.

use super::{env, nothing};
use crate::settings::{Secrecy, table::rows};

const PASSWORD: &str = "hunter2-hunter2-hunter2-hunter2-hunter2";

fn shows_none(text: &str) {
    assert!(!text.contains("hunter2"), "{text}");
}

#[test]
fn valid_secrets_are_masked() {
    let world = nothing()
        .env("OCTAVO_JWT_SECRET", PASSWORD)
        .toml(&format!("secret_key = '{PASSWORD},{PASSWORD}'"))
        .flag("redis-url", &format!("redis://:{PASSWORD}@redis:6379"))
        .env("OCTAVO_MAIL_URL", &format!("smtp://octavo:{PASSWORD}@mail"))
        .env("OCTAVO_DATABASE_URL_FILE", "/run/db")
        .file("/run/db", format!("postgres://octavo:{PASSWORD}@db/octavo?sslpassword={PASSWORD}"));
    let loaded = world.load().unwrap();
    shows_none(&format!("{loaded:?}"));
    let mask = |text: &str, source| (Some(text.to_owned()), source);
    assert_eq!(world.effective("OCTAVO_JWT_SECRET"), mask("***", "env"));
    assert_eq!(world.effective("OCTAVO_SECRET_KEY"), mask("***", "file"));
    assert_eq!(world.effective("OCTAVO_REDIS_URL"), mask("redis://:***@redis:6379", "flag"));
    assert_eq!(world.effective("OCTAVO_MAIL_URL"), mask("smtp://octavo:***@mail", "env"));
    assert_eq!(
        world.effective("OCTAVO_DATABASE_URL"),
        mask("postgres://octavo:***@db/octavo?sslpassword=***", "env_file")
    );
}

#[test]
fn no_fault_shows_a_secret() {
    let wrong = format!("mongodb://octavo:{PASSWORD}@db");
    for row in rows() {
        let value = if row.secrecy == Secrecy::Secret { "hunter2".to_owned() } else { wrong.clone() };
        for world in [
            env(&row.variable(), &value),
            nothing().flag(&row.flag(), &value),
            nothing().toml(&format!("{} = '{value}'", row.name.to_lowercase())),
            nothing().toml(&format!("{} = {value}", row.name.to_lowercase())),
            env(&format!("{}_TYPO", row.variable()), &value),
        ] {
            if let Err(faults) = world.load() {
                // A path may be shown: the operator needs it to find the file.
                let faults = faults.iter().filter(|fault| !fault.contains(" cannot be read: "));
                faults.for_each(|fault| shows_none(fault));
            }
        }
    }
}

#[test]
fn a_short_key_is_reported_without_showing_it() {
    let faults = env("OCTAVO_JWT_SECRET", "hunter2").env("OCTAVO_SECRET_KEY", &format!("{PASSWORD},hunter2")).faults();
    assert_eq!(
        faults,
        [
            "OCTAVO_JWT_SECRET (env): must be at least 32 bytes",
            "OCTAVO_SECRET_KEY (env): must be at least 32 bytes; older keys of that length may follow after commas",
        ]
    );
}

#[test]
fn generated_secrets_are_shown_as_generated() {
    let generated = (Some("generated on first start".to_owned()), "default");
    assert_eq!(nothing().effective("OCTAVO_JWT_SECRET"), generated);
    assert_eq!(nothing().effective("OCTAVO_SECRET_KEY"), generated);
    let rsa = env("OCTAVO_JWT_PRIVATE_KEY_FILE", "/key.pem").file("/key.pem", super::values::rsa_key("first"));
    assert_eq!(rsa.effective("OCTAVO_JWT_SECRET"), (None, "default"));
    assert_eq!(rsa.effective("OCTAVO_JWT_PRIVATE_KEY_FILE"), (Some("/key.pem".to_owned()), "env"));
}
