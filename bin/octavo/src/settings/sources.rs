//! Gathers the values of flags, environment and files, before they are checked.

use super::{
    fault::Fault,
    raw::Raw,
    row::{CONFIG, PRIVATE_KEY_FILE, Row},
    source::Source,
    toml_file,
};
use std::{
    collections::BTreeMap,
    ffi::OsString,
    fmt, io,
    path::{Path, PathBuf},
};

/// Reads a file. An argument, so that tests need no disk.
pub type ReadFile<'a> = &'a dyn Fn(&Path) -> io::Result<Vec<u8>>;

/// Everything that settings are read from.
pub struct Sources<'a> {
    /// Flag names without dashes, and their values, in their order.
    pub flags: Vec<(String, Vec<u8>)>,
    pub environment: Vec<(OsString, OsString)>,
    pub read: ReadFile<'a>,
}

impl fmt::Debug for Sources<'_> {
    /// Shows no value, because any could be a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sources").finish_non_exhaustive()
    }
}

/// The candidates for each setting, the strongest first.
#[derive(Default)]
pub(super) struct Offers(BTreeMap<String, Vec<(Source, Raw)>>);

impl Offers {
    pub(super) fn strongest(&self, setting: &str) -> Option<&(Source, Raw)> {
        self.0.get(setting)?.first()
    }

    fn add(&mut self, setting: &str, source: Source, raw: Raw) {
        self.0.entry(setting.to_owned()).or_default().push((source, raw));
    }

    /// Every path that a source names for a setting, even if a stronger source wins.
    fn paths(&self, setting: &str) -> Vec<(Source, PathBuf)> {
        let offers = self.0.get(setting).into_iter().flatten();
        offers.filter(|(_, raw)| !raw.bytes.is_empty()).map(|(source, raw)| (source.clone(), raw.path())).collect()
    }
}

/// Variables for other purposes: tools find the binary by the first one; orchestrators inject the others for a
/// service called octavo.
fn is_foreign(variable: &str) -> bool {
    variable == "OCTAVO_BIN" || variable.starts_with("OCTAVO_SERVICE_") || variable.starts_with("OCTAVO_PORT")
}

/// Collects all candidates. Unknown names and unreadable files are always faults.
pub(super) fn gather(sources: &Sources<'_>, rows: &[Row], faults: &mut Vec<Fault>) -> Offers {
    let mut offers = Offers::default();
    from_flags(sources, rows, &mut offers, faults);
    let environment = environment_of(sources);
    for row in rows {
        if let Some(value) = environment.get(&row.variable()) {
            offers.add(&row.name, Source::Env, Raw::text(value.clone()));
        }
        if row.has_file_variable()
            && let Some(path) = environment.get(&format!("{}_FILE", row.variable()))
        {
            from_named_file(sources, row, path, &mut offers, faults);
        }
    }
    for name in environment.keys().filter(|name| !is_known(name, rows) && !is_foreign(name)) {
        let name = name.strip_prefix("OCTAVO_").unwrap_or(name);
        faults.push(Fault::new(name, &Source::Env, "there is no such setting"));
    }
    from_config(sources, rows, &mut offers, faults);
    for (source, path) in offers.paths(PRIVATE_KEY_FILE) {
        if let Err(fault) = read(sources, PRIVATE_KEY_FILE, &source, &path) {
            faults.push(fault);
        }
    }
    offers
}

fn from_flags(sources: &Sources<'_>, rows: &[Row], offers: &mut Offers, faults: &mut Vec<Fault>) {
    for row in rows {
        let mut given = sources.flags.iter().filter(|(name, _)| *name == row.flag());
        if let Some((_, value)) = given.next() {
            offers.add(&row.name, Source::Flag, Raw::text(value.clone()));
        }
        if given.next().is_some() {
            faults.push(Fault::new(&row.name, &Source::Flag, "is given more than once"));
        }
    }
}

/// The variables that are set. An empty one counts as not set, because compose files and unit files often cannot omit
/// one.
fn environment_of(sources: &Sources<'_>) -> BTreeMap<String, Vec<u8>> {
    let ours = sources
        .environment
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.as_encoded_bytes().to_vec()));
    ours.filter(|(name, _)| name.starts_with("OCTAVO_")).collect()
}

fn is_known(variable: &str, rows: &[Row]) -> bool {
    rows.iter().any(|row| {
        let rest = variable.strip_prefix(&row.variable());
        rest == Some("") || (rest == Some("_FILE") && row.has_file_variable())
    })
}

fn from_named_file(sources: &Sources<'_>, row: &Row, path: &[u8], offers: &mut Offers, faults: &mut Vec<Fault>) {
    let path = Raw::text(path.to_vec()).path();
    let source = Source::EnvFile(path.clone());
    match read(sources, &row.name, &source, &path) {
        Ok(content) => offers.add(&row.name, source, Raw::text(without_line_end(content))),
        Err(fault) => faults.push(fault),
    }
}

fn without_line_end(mut content: Vec<u8>) -> Vec<u8> {
    if content.ends_with(b"\n") {
        content.pop();
        if content.ends_with(b"\r") {
            content.pop();
        }
    }
    content
}

fn read(sources: &Sources<'_>, setting: &str, source: &Source, path: &Path) -> Result<Vec<u8>, Fault> {
    (sources.read)(path).map_err(|error| {
        let file = match source {
            Source::EnvFile(_) => "the file".to_owned(),
            _ => path.display().to_string(),
        };
        Fault::new(setting, source, format!("{file} cannot be read: {}", error.kind()))
    })
}

fn from_config(sources: &Sources<'_>, rows: &[Row], offers: &mut Offers, faults: &mut Vec<Fault>) {
    for (index, (source, path)) in offers.paths(CONFIG).into_iter().enumerate() {
        match read(sources, CONFIG, &source, &path) {
            Err(fault) => faults.push(fault),
            // Only the strongest file is used; a weaker one must only be readable.
            Ok(content) if index == 0 => match toml_file::entries(&content) {
                Err(problem) => faults.push(Fault::new(CONFIG, &source, format!("{} {problem}", path.display()))),
                Ok(entries) => from_entries(entries, &Source::File(path), rows, offers, faults),
            },
            Ok(_) => {}
        }
    }
}

fn from_entries(
    entries: Vec<(String, Option<Raw>)>,
    source: &Source,
    rows: &[Row],
    offers: &mut Offers,
    faults: &mut Vec<Fault>,
) {
    for (key, raw) in entries {
        match (rows.iter().find(|row| row.key().as_ref() == Some(&key)), raw) {
            (Some(row), Some(raw)) => offers.add(&row.name, source.clone(), raw),
            (Some(row), None) => faults.push(Fault::new(&row.name, source, "must be a value, not a table")),
            (None, _) => {
                faults.push(Fault::new(&key.to_uppercase(), source, format!("there is no such setting as \"{key}\"")));
            }
        }
    }
}
