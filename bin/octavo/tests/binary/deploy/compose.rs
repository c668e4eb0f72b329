//! The compose file.

use super::{command, faults, file, image};
use octavo::command::Command;
use serde_json::Value;
use std::{io, path::Path};

fn compose() -> Value {
    yaml_serde::from_str(&file("compose.yaml")).unwrap()
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().map(|text| text.as_str().unwrap()).collect()
}

/// The variables of the server: those of the image, and those of the file, which win.
fn variables(compose: &Value) -> Vec<(String, String)> {
    let own = compose["services"]["octavo"]["environment"].as_object().unwrap();
    let own: Vec<_> = own.iter().map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())).collect();
    let of_image = image::variables().into_iter().filter(|(name, _)| own.iter().all(|(known, _)| known != name));
    of_image.collect::<Vec<_>>().into_iter().chain(own.clone()).collect()
}

/// A secret as the docs tell to write it.
fn secret(path: &Path) -> io::Result<Vec<u8>> {
    match path.to_str() {
        Some("/run/secrets/database_url") => Ok(b"postgres://octavo:sesame@postgres/octavo".to_vec()),
        Some("/run/secrets/jwt_secret" | "/run/secrets/secret_key") => Ok([vec![b'a'; 64], b"\n".to_vec()].concat()),
        _ => Err(io::ErrorKind::NotFound.into()),
    }
}

#[test]
fn a_server_accepts_the_settings() {
    let compose = compose();
    assert_eq!(faults(&variables(&compose), &secret), Vec::<String>::new());
    let mut misspelt = variables(&compose);
    misspelt.push(("OCTAVO_PUBLIC_ULR".to_owned(), "http://127.0.0.1:8080".to_owned()));
    assert_eq!(faults(&misspelt, &secret).len(), 1, "and would not accept a wrong one");
}

#[test]
fn secrets_are_files_that_the_services_are_given() {
    let compose = compose();
    let declared = compose["secrets"].as_object().unwrap();
    for (service, definition) in compose["services"].as_object().unwrap() {
        let given = texts(&definition["secrets"]);
        for name in &given {
            assert_eq!(declared[*name]["file"], format!("secrets/{name}"), "{service}");
        }
        for (variable, value) in definition["environment"].as_object().into_iter().flatten() {
            let value = value.as_str().unwrap();
            assert_eq!(variable.ends_with("_FILE"), value.starts_with("/run/secrets/"), "{service}: {variable}");
            if let Some(name) = value.strip_prefix("/run/secrets/") {
                assert!(given.contains(&name), "{service}: {variable}");
            }
        }
    }
    for variable in ["OCTAVO_DATABASE_URL", "OCTAVO_JWT_SECRET", "OCTAVO_SECRET_KEY"] {
        assert!(compose["services"]["octavo"]["environment"][variable].is_null(), "{variable}");
    }
}

#[test]
fn every_service_is_checked_and_the_server_waits_for_the_others() {
    let compose = compose();
    for (service, definition) in compose["services"].as_object().unwrap() {
        assert_eq!(texts(&definition["healthcheck"]["test"]).first(), Some(&"CMD"), "{service}");
        if service != "octavo" {
            assert_eq!(compose["services"]["octavo"]["depends_on"][service]["condition"], "service_healthy");
        }
    }
    let check = texts(&compose["services"]["octavo"]["healthcheck"]["test"]);
    assert_eq!(check[1], "/usr/local/bin/octavo");
    assert_eq!(command(&check[2..]), Command::Health);
}

#[test]
fn what_must_last_is_in_volumes() {
    let compose = compose();
    let declared = compose["volumes"].as_object().unwrap();
    let data = variables(&compose).into_iter().find(|(name, _)| name == "OCTAVO_DATA_DIR").unwrap().1;
    for (service, folder) in [("octavo", data.as_str()), ("postgres", "/var/lib/postgresql/data")] {
        let mounted = texts(&compose["services"][service]["volumes"]);
        let volume = mounted.iter().filter_map(|volume| volume.split_once(':')).find(|(_, at)| *at == folder);
        assert!(volume.is_some_and(|(name, _)| declared.contains_key(name)), "{service}: {mounted:?}");
    }
}
