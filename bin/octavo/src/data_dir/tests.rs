//! The data folder on a real disk.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::{DataDir, DataDirFault, KeyFile};
use octavo_core_model::Timestamp;
use octavo_credentials::OsRandom;
use std::{collections::BTreeSet, fs, os::unix::fs::PermissionsExt, path::Path, thread};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn folder() -> (tempfile::TempDir, DataDir) {
    let outer = tempfile::tempdir().unwrap();
    let inner = DataDir::create(&outer.path().join("deep/data")).unwrap();
    (outer, inner)
}

#[test]
fn the_folder_and_its_keys_are_for_their_owner_alone() {
    let (_outer, data) = folder();
    assert_eq!(mode(data.path()), 0o700);
    for (file, name) in [(KeyFile::Jwt, "jwt.secret"), (KeyFile::Secret, "secret.key")] {
        assert_eq!(data.keys(file).unwrap(), None);
        let keys = data.keys_or_generate(file, &mut OsRandom).unwrap();
        assert_eq!(mode(&data.path().join(name)), 0o600);
        assert_eq!(keys.current.expose().len(), 43);
        assert_eq!(data.keys(file).unwrap(), Some(keys.clone()));
        assert_eq!(data.keys_or_generate(file, &mut OsRandom).unwrap(), keys);
    }
}

#[test]
fn concurrent_first_starts_get_the_same_key() {
    let (_outer, data) = folder();
    let keys: BTreeSet<String> = thread::scope(|scope| {
        let make = || data.keys_or_generate(KeyFile::Secret, &mut OsRandom).unwrap().current.into_inner();
        let makers: Vec<_> = (0..8).map(|_| scope.spawn(make)).collect();
        makers.into_iter().map(|maker| maker.join().unwrap()).collect()
    });
    assert_eq!(keys.len(), 1);
}

#[test]
fn a_rotated_key_stays_until_it_is_forgotten() {
    let (_outer, data) = folder();
    let at = Timestamp::from_millis;
    let first = data.keys_or_generate(KeyFile::Jwt, &mut OsRandom).unwrap().current;
    let second = data.rotate(KeyFile::Jwt, &mut OsRandom, at(1000)).unwrap().current;
    let third = data.rotate(KeyFile::Jwt, &mut OsRandom, at(2000)).unwrap();
    let retired: Vec<_> = third.retired.iter().map(|old| (old.key.clone(), old.at)).collect();
    assert_eq!(retired, [(second.clone(), at(2000)), (first, at(1000))]);
    data.forget_retired(KeyFile::Jwt, at(1001)).unwrap();
    let left = data.keys(KeyFile::Jwt).unwrap().unwrap();
    assert_eq!(left.current, third.current);
    assert_eq!(left.retired.iter().map(|old| old.key.clone()).collect::<Vec<_>>(), [second]);
    assert_eq!(mode(&data.path().join("jwt.secret")), 0o600);
}

#[test]
fn a_file_that_holds_no_keys_is_never_replaced() {
    let (_outer, data) = folder();
    for text in
        ["", "short\n", "a line with blanks that is long enough to be a key\n", &format!("{}\nold\n", "k".repeat(43))]
    {
        fs::write(data.path().join("secret.key"), text).unwrap();
        let made = data.keys_or_generate(KeyFile::Secret, &mut OsRandom);
        assert!(matches!(made, Err(DataDirFault::BrokenKeys(_))), "{text:?}");
        assert_eq!(fs::read_to_string(data.path().join("secret.key")).unwrap(), text);
    }
}

#[test]
fn a_second_server_is_refused_until_the_first_ends() {
    let (_outer, data) = folder();
    let first = data.lock_for_server().unwrap();
    let refusal = data.lock_for_server().unwrap_err().to_string();
    assert!(refusal.contains(&data.path().display().to_string()), "{refusal}");
    assert!(refusal.contains(&std::process::id().to_string()), "{refusal}");
    drop(first);
    data.lock_for_server().map(drop).unwrap();
}

#[test]
fn a_file_in_place_of_the_folder_is_reported() {
    let outer = tempfile::tempdir().unwrap();
    let path = outer.path().join("data");
    fs::write(&path, "").unwrap();
    let refusal = DataDir::create(&path).unwrap_err().to_string();
    assert!(refusal.contains(&path.display().to_string()), "{refusal}");
    assert!(DataDir::existing(&path).is_none());
}
