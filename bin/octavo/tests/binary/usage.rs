//! Wrong usage, help and version.

use super::octavo;

#[test]
fn wrong_usage_exits_2_with_its_reason_on_stderr() {
    for line in ["sreve", "user", "user create", "serve --status", "serve --lissten x", "keys rotate", "--listen"] {
        let ended = octavo(line).end();
        assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{line}");
        assert!(ended.err.contains("--help"), "{line}: {}", ended.err);
        assert_eq!(ended.left_behind(), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn faults_of_usage_and_settings_are_listed_together() {
    let ended = octavo("sreve --log loud").env("OCTAVO_TYPO", "1").end();
    assert_eq!(ended.code, 2);
    for part in ["octavo sreve: ", "OCTAVO_LOG (flag): ", "OCTAVO_TYPO (env): "] {
        assert!(ended.err.contains(part), "{}", ended.err);
    }
}

#[test]
fn help_and_version_ignore_the_configuration() {
    for line in ["--help", "-h", "help", "serve --help", "user create -h", "help user create", "user --help"] {
        let ended = octavo(line).env("OCTAVO_TYPO", "1").end();
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{line}");
        assert!(ended.out.contains("Usage: octavo"), "{line}: {}", ended.out);
    }
    let ended = octavo("help settings").env("OCTAVO_TYPO", "1").end();
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    assert!(ended.out.contains("--rate-limit-login"), "{}", ended.out);
    let ended = octavo("--version").end();
    assert_eq!((ended.code, ended.out), (0, format!("octavo {}\n", env!("CARGO_PKG_VERSION"))));
}
