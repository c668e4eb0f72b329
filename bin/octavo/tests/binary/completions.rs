//! Completions in real shells, where they are installed.

use super::octavo;
use std::process::Command;

/// What bash offers at the end of a line, or `None` if there is no bash.
fn bash_offers(words: &[&str]) -> Option<Vec<String>> {
    let script = octavo("completions bash").end();
    assert_eq!((script.code, script.err.as_str()), (0, ""));
    let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    let line = format!(
        "{}\nCOMP_WORDS=({}); COMP_CWORD={}; _octavo; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.out,
        quoted.join(" "),
        words.len() - 1
    );
    let ended = Command::new("bash").args(["--norc", "--noprofile", "-c", &line]).output().ok()?;
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.success() && errors.is_empty(), "{errors}");
    let offered = String::from_utf8(ended.stdout).unwrap();
    Some(offered.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

#[test]
fn bash_offers_what_can_follow() {
    for (words, offered) in [
        (&["octavo", "mig"][..], &["migrate"][..]),
        (&["octavo", "user", "re"], &["reset-password", "reinstate"]),
        (&["octavo", "--listen", "127.0.0.1:0", "user", "cr"], &["create"]),
        (&["octavo", "--listen", "=", "127.0.0.1:0", "user", "cr"], &["create"]),
        (&["octavo", "user", "create", "ada@example.com", "--pass"], &["--password-stdin"]),
        (&["octavo", "migrate", "--dist"], &["--distribute"]),
        (&["octavo", "--no-mig"], &["--no-migrate"]),
        (&["octavo", "user", "list", "--public"], &["--public-url"]),
        (&["octavo", "completions", ""], &["bash", "zsh", "fish"]),
        (&["octavo", "help", "sett"], &["settings"]),
        (&["octavo", "--data-dir", ""], &[]),
    ] {
        let Some(found) = bash_offers(words) else { return };
        assert_eq!(found, offered, "{words:?}");
    }
}

#[test]
fn shells_can_read_their_scripts() {
    for shell in ["bash", "zsh", "fish"] {
        let script = octavo(&format!("completions {shell}")).end();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("script");
        std::fs::write(&file, &script.out).unwrap();
        // None of them runs what it reads with this option.
        let Ok(ended) = Command::new(shell).arg("-n").arg(&file).output() else { continue };
        assert!(ended.status.success(), "{shell}: {}", String::from_utf8_lossy(&ended.stderr));
    }
}

#[test]
fn completions_ignore_the_configuration() {
    let ended = octavo("completions fish").env("OCTAVO_TYPO", "1").end();
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    assert!(ended.out.contains("complete -c octavo"), "{}", ended.out);
}
