//! The image.

use super::{command, faults, file, is_setting};
use octavo::command::Command;
use std::{fs, io, path::Path};

/// The instructions with their arguments, in order.
fn instructions() -> Vec<(String, String)> {
    let text = file("Dockerfile").replace("\\\n", " ");
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(' ').unwrap()).map(|(name, rest)| (name.to_owned(), rest.to_owned())).collect()
}

/// The arguments of an instruction that the file has once.
fn only(name: &str) -> String {
    let mut found = instructions().into_iter().filter(|(known, _)| known == name);
    let (_, arguments) = found.next().unwrap_or_else(|| panic!("no {name}"));
    assert!(found.next().is_none(), "{name} twice");
    arguments
}

/// The variables that the image sets for the server.
pub(super) fn variables() -> Vec<(String, String)> {
    let set = instructions().into_iter().filter(|(name, _)| name == "ENV").map(|(_, rest)| rest);
    let set = set.flat_map(|rest| rest.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    let set = set.map(|pair| pair.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())).unwrap());
    set.filter(|(name, _)| name.starts_with("OCTAVO_")).collect()
}

fn words(json: &str) -> Vec<String> {
    serde_json::from_str(json).unwrap()
}

#[test]
fn an_image_serves_with_its_own_variables_and_checks_its_health() {
    let variables = variables();
    assert!(variables.iter().all(|(name, _)| is_setting(name)), "{variables:?}");
    let nothing = |_: &Path| -> io::Result<Vec<u8>> { Err(io::ErrorKind::NotFound.into()) };
    assert_eq!(faults(&variables, &nothing), Vec::<String>::new());
    assert_eq!(words(&only("ENTRYPOINT")), ["/usr/local/bin/octavo"]);
    let serve = words(&only("CMD"));
    assert_eq!(command(&serve.iter().map(String::as_str).collect::<Vec<_>>()), Command::Serve { migrate: true });
    let check = only("HEALTHCHECK");
    let check = words(check.split_once("CMD ").unwrap().1);
    assert_eq!(check[0], "/usr/local/bin/octavo");
    assert_eq!(command(&[check[1].as_str()]), Command::Health);
}

#[test]
fn an_image_runs_without_rights_and_keeps_its_data_in_a_volume() {
    let user = only("USER");
    assert!(!user.starts_with("root") && !user.starts_with('0'), "{user}");
    let data = variables().into_iter().find(|(name, _)| name == "OCTAVO_DATA_DIR").unwrap().1;
    assert_eq!(only("VOLUME"), data);
    let given = format!("--from=build --chown={user} {data} {data}");
    assert!(instructions().contains(&("COPY".to_owned(), given)), "the folder belongs to the user of the server");
}

#[test]
fn an_image_is_built_from_pinned_bases_with_the_toolchain_of_the_project() {
    let bases: Vec<_> = instructions().into_iter().filter(|(name, _)| name == "FROM").map(|(_, base)| base).collect();
    assert_eq!(bases.len(), 2, "the compiler is not in the image");
    for base in &bases {
        let image = base.split(' ').next().unwrap();
        let tag = image.rsplit('/').next().unwrap().split_once(':').map(|(_, tag)| tag);
        assert!(tag.is_some_and(|tag| tag != "latest"), "{image}");
    }
    let pinned = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rust-toolchain.toml")).unwrap();
    let pinned: toml::Table = toml::from_str(&pinned).unwrap();
    let channel = pinned["toolchain"]["channel"].as_str().unwrap();
    assert!(bases[0].starts_with(&format!("rust:{channel}-")), "{}", bases[0]);
    assert!(instructions().contains(&("ENV".to_owned(), format!("RUSTUP_TOOLCHAIN={channel}"))));
}
