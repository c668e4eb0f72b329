//! `octavo check-config`, and faults of the configuration.

use super::octavo;
use serde_json::{Value, json};

const PASSWORD: &str = "hunter2-hunter2-hunter2-hunter2-hunter2";

#[test]
fn each_setting_is_listed_once_with_its_source() {
    let ended = octavo("check-config --json --log=warn")
        .env("OCTAVO_CONFIG", "octavo.toml")
        .file("octavo.toml", "body_max_bytes = 4096\nlog = 'debug'")
        .env("OCTAVO_MAIL_FROM_FILE", "from")
        .file("from", "Ada <ada@example.com>\n")
        .env("OCTAVO_SIGNUP", "closed")
        .end();
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    let document: Value = serde_json::from_str(&ended.out).unwrap();
    let listed = document["data"].as_array().unwrap();
    let one = |name: &str| {
        let mut found = listed.iter().filter(|setting| setting["name"] == name);
        (found.next().cloned(), found.next().is_some())
    };
    for (name, value, source) in [
        ("OCTAVO_LOG", json!("warn"), "flag"),
        ("OCTAVO_SIGNUP", json!("closed"), "env"),
        ("OCTAVO_MAIL_FROM", json!("Ada <ada@example.com>"), "env_file"),
        ("OCTAVO_BODY_MAX_BYTES", json!("4096"), "file"),
        ("OCTAVO_LISTEN", json!("127.0.0.1:8080"), "default"),
        ("OCTAVO_METRICS_ADDR", Value::Null, "default"),
        ("OCTAVO_SECRET_KEY", json!("generated on first start"), "default"),
        ("OCTAVO_RATE_LIMIT_LOGIN", json!("10"), "default"),
    ] {
        assert_eq!(one(name), (Some(json!({ "name": name, "value": value, "source": source })), false));
    }
}

#[test]
fn the_text_has_one_line_a_setting() {
    let json = octavo("check-config --json").end();
    let document: Value = serde_json::from_str(&json.out).unwrap();
    let text = octavo("check-config").env("OCTAVO_LISTEN", "127.0.0.1:1").end();
    assert_eq!(text.out.lines().count(), document["data"].as_array().unwrap().len());
    let line = text.out.lines().find(|line| line.starts_with("OCTAVO_LISTEN ")).unwrap();
    assert_eq!(line.split_whitespace().collect::<Vec<_>>(), ["OCTAVO_LISTEN", "env", "127.0.0.1:1"]);
}

#[test]
fn it_creates_nothing() {
    let ended = octavo("check-config").end();
    assert_eq!(ended.code, 0);
    assert_eq!(ended.left_behind(), Vec::<String>::new());
}

#[test]
fn secrets_are_never_shown() {
    let right = octavo("check-config")
        .env("OCTAVO_JWT_SECRET", PASSWORD)
        .env("OCTAVO_REDIS_URL", format!("redis://:{PASSWORD}@h"))
        .arg(format!("--mail-url=smtps://u:{PASSWORD}@h"))
        .env("OCTAVO_SECRET_KEY_FILE", "key")
        .file("key", PASSWORD)
        .end();
    assert_eq!(right.code, 0, "{}", right.err);
    assert!(right.out.contains("redis://:***@h") && right.out.contains("smtps://u:***@h"), "{}", right.out);
    let wrong = octavo("check-config")
        .env("OCTAVO_JWT_SECRET", "hunter2")
        .env("OCTAVO_REDIS_URL", format!("reddis://:{PASSWORD}@h"))
        .env("OCTAVO_PUBLIC_URL", format!("https://u:{PASSWORD}@h"))
        .arg(format!("--mail-url=u:{PASSWORD}@h"))
        .env("OCTAVO_PASSWORD", PASSWORD)
        .end();
    assert_eq!(wrong.code, 2);
    assert_eq!(wrong.err.lines().count(), 5, "{}", wrong.err);
    for ended in [right, wrong] {
        assert!(!ended.out.contains("hunter2") && !ended.err.contains("hunter2"), "{}{}", ended.out, ended.err);
    }
}

#[test]
fn faults_end_every_command_before_anything_is_touched() {
    for command in [
        "",
        "serve",
        "migrate",
        "migrate --status",
        "check-config",
        "health",
        "openapi",
        "user create ada@example.com --name Ada",
        "user list",
        "user reset-password ada@example.com",
        "user suspend ada@example.com",
        "user reinstate ada@example.com",
        "keys rotate --jwt",
    ] {
        let ended = octavo(command).arg("--log=loud").env("OCTAVO_LISTEN", "nowhere").env("OCTAVO_LISTENN", "1").end();
        assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{command}");
        let lines: Vec<_> = ended.err.lines().collect();
        assert_eq!(lines.len(), 3, "{command}: {lines:?}");
        for (line, (setting, source)) in
            lines.iter().zip([("OCTAVO_LISTEN", "(env)"), ("OCTAVO_LISTENN", "(env)"), ("OCTAVO_LOG", "(flag)")])
        {
            assert!(line.contains(&format!("{setting} {source}: ")), "{line}");
        }
        assert_eq!(ended.left_behind(), Vec::<String>::new(), "{command}");
    }
}

#[test]
fn a_device_as_a_file_ends_in_a_fault() {
    let ended = octavo("check-config").env("OCTAVO_LOG_FILE", "/dev/zero").end();
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("OCTAVO_LOG (env_file /dev/zero): the file cannot be read: "), "{}", ended.err);
}
