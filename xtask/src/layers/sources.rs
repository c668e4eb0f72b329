//! Rules for every source file: it says what it is for, stays short, and contains nothing unfinished.

use crate::project_files::ProjectFile;

const WORTH_A_LOOK: usize = 300;
const TOO_LONG: usize = 500;

/// Written in two halves, so that this table does not find itself.
const UNFINISHED: &[(&str, &str)] = &[
    (concat!("to", "do!("), "finish it or leave it out"),
    (concat!("unimpl", "emented!("), "finish it or leave it out"),
    (concat!("TO", "DO"), "do it, or write an issue"),
    (concat!("FIX", "ME"), "fix it, or write an issue"),
    (concat!("#[ig", "nore"), "a test that never runs proves nothing; long ones ask for --slow"),
];

pub(crate) fn faults(file: &ProjectFile) -> Vec<String> {
    let mut faults = Vec::new();
    if !opens_with_its_purpose(&file.text) {
        faults.push(format!("{}: a module opens with a //! line that says what it is for", file.path));
    }
    let length = file.text.lines().count();
    if length > TOO_LONG && !is_exempt(&file.text) {
        faults.push(format!("{}: {length} lines; split it, or write `// length: <reason>` on top", file.path));
    }
    for (number, line) in (1..).zip(file.text.lines()) {
        let found = UNFINISHED.iter().filter(|(word, _)| line.contains(word));
        faults.extend(found.map(|(word, advice)| format!("{}:{number}: {word}: {advice}", file.path)));
    }
    faults
}

/// Files that are long enough to be worth a look, longest first.
pub(crate) fn worth_a_look(files: &[ProjectFile]) -> Vec<(usize, &str)> {
    let lengths =
        files.iter().filter(|file| !is_exempt(&file.text)).map(|file| (file.text.lines().count(), file.path.as_str()));
    let mut long = lengths.filter(|(length, _)| *length > WORTH_A_LOOK).collect::<Vec<_>>();
    long.sort_unstable_by(|a, b| b.cmp(a));
    long
}

fn opens_with_its_purpose(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let is_purpose = |line: &str| line.starts_with("//! ") || line.starts_with("#![doc = include_str!(");
    let says_something = |line: &str| !line.is_empty() && !is_plain_comment(line) && !line.starts_with("#![");
    lines.find(|line| is_purpose(line) || says_something(line)).is_none_or(is_purpose)
}

fn is_plain_comment(line: &str) -> bool {
    line.starts_with("//") && !line.starts_with("//!") && !line.starts_with("///")
}

fn is_exempt(text: &str) -> bool {
    let reasons = text.lines().take(10).filter_map(|line| line.trim().strip_prefix("// length:"));
    reasons.into_iter().any(|reason| !reason.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> ProjectFile {
        ProjectFile { path: "a.rs".to_owned(), text: text.to_owned() }
    }

    fn long(head: &str, lines: usize) -> ProjectFile {
        file(&format!("//! Long.\n{head}\n{}", "fn a() {}\n".repeat(lines)))
    }

    #[test]
    fn a_short_file_with_a_purpose_is_fine() {
        for purpose in ["//! Why.", "#![doc = include_str!(\"../README.md\")]"] {
            let text = format!("// generated\n#![allow(dead_code)]\n\n{purpose}\nfn a() {{}}\n");
            assert_eq!(faults(&file(&text)), Vec::<String>::new());
        }
    }

    #[test]
    fn a_file_without_a_purpose_is_a_fault() {
        for text in ["#![warn(x)]\nfn a() {}\n//! Late.\n", "/// Of the function.\nfn a() {}\n", "//!\nfn a() {}\n"] {
            assert_eq!(faults(&file(text)).len(), 1, "{text}");
        }
    }

    #[test]
    fn a_long_file_is_a_fault_unless_it_says_why() {
        assert_eq!(faults(&long("", TOO_LONG)).len(), 1);
        assert_eq!(faults(&long("// length:", TOO_LONG)).len(), 1);
        assert_eq!(faults(&long("// length: one table of a thousand rows", TOO_LONG)), Vec::<String>::new());
        assert_eq!(faults(&long("", WORTH_A_LOOK)), Vec::<String>::new());
    }

    #[test]
    fn files_worth_a_look_are_listed_longest_first() {
        let files = [long("", WORTH_A_LOOK), file("//! Short.\n"), long("", TOO_LONG)];
        assert_eq!(worth_a_look(&files), [(TOO_LONG + 2, "a.rs"), (WORTH_A_LOOK + 2, "a.rs")]);
    }

    #[test]
    fn each_unfinished_thing_is_a_fault_with_its_line() {
        for (word, _) in UNFINISHED {
            let faults = faults(&file(&format!("//! Why.\n\nfn a() {{ {word} }}\n")));
            assert!(faults.len() == 1 && faults[0].starts_with("a.rs:3: "), "{faults:?}");
        }
    }
}
