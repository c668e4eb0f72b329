//! Each pure crate lists in its own `clippy.toml` what it must not call.
//!
//! Clippy enforces the lists; this checks that they are complete, because the nearest file replaces the root's
//! instead of adding to it.

use std::collections::BTreeSet;

const METHODS: &[&str] = &[
    // The clock.
    "std::time::SystemTime::now",
    "std::time::SystemTime::elapsed",
    "std::time::Instant::now",
    "std::time::Instant::elapsed",
    "chrono::Utc::now",
    "chrono::Local::now",
    // The environment and the process.
    "std::env::args",
    "std::env::args_os",
    "std::env::current_dir",
    "std::env::current_exe",
    "std::env::remove_var",
    "std::env::set_current_dir",
    "std::env::set_var",
    "std::env::temp_dir",
    "std::env::var",
    "std::env::var_os",
    "std::env::vars",
    "std::env::vars_os",
    "std::process::abort",
    "std::process::exit",
    "std::process::id",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    // Files.
    "std::fs::canonicalize",
    "std::fs::copy",
    "std::fs::create_dir",
    "std::fs::create_dir_all",
    "std::fs::exists",
    "std::fs::hard_link",
    "std::fs::metadata",
    "std::fs::read",
    "std::fs::read_dir",
    "std::fs::read_link",
    "std::fs::read_to_string",
    "std::fs::remove_dir",
    "std::fs::remove_dir_all",
    "std::fs::remove_file",
    "std::fs::rename",
    "std::fs::set_permissions",
    "std::fs::symlink_metadata",
    "std::fs::write",
    "std::path::Path::canonicalize",
    "std::path::Path::exists",
    "std::path::Path::is_dir",
    "std::path::Path::is_file",
    "std::path::Path::is_symlink",
    "std::path::Path::metadata",
    "std::path::Path::read_dir",
    "std::path::Path::read_link",
    "std::path::Path::symlink_metadata",
    "std::path::Path::try_exists",
    // The network and threads.
    "std::net::ToSocketAddrs::to_socket_addrs",
    "std::thread::park",
    "std::thread::park_timeout",
    "std::thread::scope",
    "std::thread::sleep",
    "std::thread::spawn",
    "std::thread::yield_now",
];

const TYPES: &[&str] = &[
    "std::time::Instant",
    "std::time::SystemTime",
    "std::collections::HashMap",
    "std::collections::HashSet",
    "std::hash::RandomState",
    "std::fs::DirBuilder",
    "std::fs::File",
    "std::fs::OpenOptions",
    "std::net::TcpListener",
    "std::net::TcpStream",
    "std::net::UdpSocket",
    "std::process::Command",
    "std::thread::Builder",
];

pub(crate) fn faults(folder: &str, own: &str, root: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (list, wanted) in [("disallowed-methods", METHODS), ("disallowed-types", TYPES)] {
        let entries = entries(own, list);
        let named = entries.iter().map(|entry| entry.path).collect::<BTreeSet<_>>();
        let of_root = self::entries(root, list);
        let wanted = wanted.iter().copied().chain(of_root.iter().map(|entry| entry.path)).collect::<BTreeSet<_>>();
        faults.extend(wanted.difference(&named).map(|path| format!("{folder}/clippy.toml: {list} lacks {path}")));
        let silent = entries.iter().filter(|entry| !entry.has_reason);
        faults.extend(silent.map(|entry| format!("{folder}/clippy.toml: {} has no reason", entry.path)));
    }
    faults
}

struct Entry<'a> {
    path: &'a str,
    has_reason: bool,
}

/// The entries of one list, which has one entry per line.
fn entries<'a>(file: &'a str, list: &str) -> Vec<Entry<'a>> {
    let lines = file.lines().skip_while(|line| !line.starts_with(&format!("{list} ="))).skip(1);
    let lines = lines.take_while(|line| !line.starts_with(']')).filter(|line| !line.trim_start().starts_with('#'));
    lines
        .filter_map(|line| Some(Entry { path: quoted(line, "path")?, has_reason: quoted(line, "reason").is_some() }))
        .collect()
}

fn quoted<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let value = line.split_once(&format!("{key} = \""))?.1;
    value.split('"').next().filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete() -> String {
        let lines = |paths: &[&str]| {
            let lines = paths.iter().map(|path| format!("    {{ path = \"{path}\", reason = \"r\" }},\n"));
            lines.collect::<String>()
        };
        format!("disallowed-methods = [\n{}]\ndisallowed-types = [\n{}]\n", lines(METHODS), lines(TYPES))
    }

    #[test]
    fn complete_lists_are_fine() {
        assert_eq!(faults("crates/app", &complete(), ""), Vec::<String>::new());
    }

    #[test]
    fn each_missing_path_is_a_fault() {
        for path in METHODS.iter().chain(TYPES) {
            let complete = complete();
            let without = complete.lines().filter(|line| !line.contains(&format!("\"{path}\""))).collect::<Vec<_>>();
            assert_eq!(faults("f", &without.join("\n"), "").len(), 1, "{path}");
        }
        assert_eq!(faults("f", "", "").len(), METHODS.len() + TYPES.len());
    }

    #[test]
    fn a_path_in_a_comment_or_in_the_other_list_does_not_count() {
        let comment = complete().replace("    { path = \"std::env::var\"", "    # { path = \"std::env::var\"");
        assert_eq!(faults("f", &comment, ""), ["f/clippy.toml: disallowed-methods lacks std::env::var"]);
    }

    #[test]
    fn an_entry_says_why() {
        let silent = complete().replace("\"std::env::var\", reason = \"r\"", "\"std::env::var\"");
        assert_eq!(faults("f", &silent, ""), ["f/clippy.toml: std::env::var has no reason"]);
    }

    #[test]
    fn what_the_root_forbids_is_forbidden_here_too() {
        let root = "disallowed-methods = [\n    { path = \"std::process::abort\", reason = \"r\" },\n    { path = \"x::y\", reason = \"r\" },\n]\n";
        assert_eq!(faults("f", &complete(), root), ["f/clippy.toml: disallowed-methods lacks x::y"]);
    }
}
