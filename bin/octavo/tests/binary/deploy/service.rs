//! The unit of systemd and its configuration.

use super::{command, faults, file};
use octavo::{command::Command, settings::table};
use std::{io, path::Path};

/// The values that the unit gives to a key.
fn values(key: &str) -> Vec<String> {
    let unit = file("octavo.service");
    let pairs = unit.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='));
    pairs.filter(|(known, _)| *known == key).map(|(_, value)| value.to_owned()).collect()
}

fn value(key: &str) -> String {
    let mut found = values(key);
    assert_eq!(found.len(), 1, "{key}");
    found.remove(0)
}

/// The whole seconds of a duration such as `30s`.
fn seconds(text: &str) -> u32 {
    text.strip_suffix('s').unwrap().parse().unwrap()
}

/// What is wrong with a configuration file, which the unit names.
fn faults_of(configuration: &str) -> Vec<String> {
    let (variable, path) = value("Environment").split_once('=').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert_eq!(variable, "OCTAVO_CONFIG");
    let read = |asked: &Path| -> io::Result<Vec<u8>> {
        if asked == Path::new(&path) {
            Ok(configuration.as_bytes().to_vec())
        } else {
            Err(io::ErrorKind::NotFound.into())
        }
    };
    faults(&[(variable, path.clone())], &read)
}

#[test]
fn a_server_accepts_the_configuration_also_with_its_suggestions() {
    let text = file("octavo.toml");
    assert_eq!(faults_of(&text), Vec::<String>::new());
    let suggestions = text.lines().map(|line| match line.strip_prefix("# ") {
        Some(rest) if rest.contains(" = ") => rest,
        _ => line,
    });
    let suggestions = suggestions.collect::<Vec<_>>().join("\n");
    assert_ne!(suggestions, text.trim_end());
    assert_eq!(faults_of(&suggestions), Vec::<String>::new());
    assert_eq!(faults_of("listenn = 'x'").len(), 1, "and would not accept a wrong one");
}

#[test]
fn the_unit_serves_and_leaves_time_to_stop() {
    let start = value("ExecStart");
    let words: Vec<_> = start.split(' ').collect();
    assert_eq!(words[0], "/usr/local/bin/octavo");
    assert_eq!(command(&words[1..]), Command::Serve { migrate: true });
    let grace = table::rows().into_iter().find(|row| row.name == "SHUTDOWN_GRACE").unwrap().fallback;
    let table::Fallback::Value(grace) = grace else { unreachable!("it has a default") };
    assert!(seconds(&value("TimeoutStopSec")) >= seconds(&grace) + 15);
    assert_eq!(value("RestartPreventExitStatus"), "2");
}

#[test]
fn the_unit_may_write_to_its_own_folder_only() {
    assert_ne!(value("User"), "root");
    let configuration: toml::Table = toml::from_str(&file("octavo.toml")).unwrap();
    assert_eq!(configuration["data_dir"].as_str(), Some(format!("/var/lib/{}", value("StateDirectory")).as_str()));
    for (key, expected) in [
        ("ProtectSystem", "strict"),
        ("ProtectHome", "yes"),
        ("PrivateTmp", "yes"),
        ("PrivateDevices", "yes"),
        ("NoNewPrivileges", "yes"),
        ("CapabilityBoundingSet", ""),
        ("UMask", "0077"),
        ("StateDirectoryMode", "0700"),
    ] {
        assert_eq!(value(key), expected, "{key}");
    }
    assert!(values("ReadWritePaths").is_empty());
}
