//! Settings: where they come from, and how wrong ones are reported.

use octavo_tests::{Deployment, Engine, Reason, command_result::CommandResult};
use serde_json::Value;
use std::fs;

/// Settings do not depend on the engine; these tests are named after the engine that is always available.
mod sqlite {
    macro_rules! scenarios {
        ($($scenario:ident),* $(,)?) => { $(#[test] fn $scenario() { super::$scenario(); })* };
    }
    scenarios! {
        the_first_source_wins,
        every_setting_is_shown_with_its_source,
        a_flag_may_stand_anywhere,
        checking_creates_nothing,
        secrets_are_masked,
        all_faults_are_reported_at_once,
        unknown_names_are_faults,
        what_an_orchestrator_injects_is_let_through,
        an_empty_variable_is_none,
        values_that_contradict_each_other_are_faults,
        a_malformed_value_is_a_fault_where_it_wins,
        wrong_usage_ends_with_two,
        help_lists_commands_and_settings,
    }
}

fn deployment() -> Deployment {
    Deployment::new(Engine::Sqlite, Reason::Settings)
}

fn check(deployment: &Deployment, arguments: &[&str]) -> Vec<Value> {
    let ran = deployment.run(&[&["check-config", "--json"], arguments].concat()).exits(0);
    ran.data().as_array().unwrap().clone()
}

/// The value and source of a setting, found by the end of its name, ignoring case.
fn setting(settings: &[Value], name: &str) -> (Value, String) {
    let fits = |entry: &&Value| {
        let shown = entry["name"].as_str().unwrap().to_uppercase().replace('-', "_");
        shown.trim_start_matches("OCTAVO_") == name
    };
    let entry = settings.iter().find(fits).unwrap_or_else(|| panic!("no {name} in {settings:?}"));
    (entry["value"].clone(), entry["source"].as_str().unwrap().to_owned())
}

fn faults(ran: CommandResult) -> String {
    let ran = ran.exits(2);
    assert_eq!(ran.stdout, "", "faults go to stderr");
    ran.stderr
}

fn the_first_source_wins() {
    let mut deployment = deployment();
    let sender = |deployment: &Deployment, arguments: &[&str]| {
        let (value, source) = setting(&check(deployment, arguments), "MAIL_FROM");
        (value.as_str().unwrap().to_owned(), source)
    };
    let is = |value: &str, source: &str| (value.to_owned(), source.to_owned());
    assert_eq!(sender(&deployment, &[]), is("Octavo <no-reply@localhost>", "default"));
    let file = deployment.folder().join("octavo.toml");
    fs::write(&file, "mail_from = \"toml@example.com\"\n").unwrap();
    let file = file.to_str().unwrap().to_owned();
    assert_eq!(sender(&deployment, &["--config", &file]), is("toml@example.com", "file"));
    deployment.set("OCTAVO_CONFIG", &file);
    assert_eq!(sender(&deployment, &[]), is("toml@example.com", "file"));
    let named = deployment.folder().join("sender");
    fs::write(&named, "named@example.com\n").unwrap();
    deployment.set("OCTAVO_MAIL_FROM_FILE", named.to_str().unwrap());
    assert_eq!(sender(&deployment, &[]), is("named@example.com", "env_file"));
    deployment.set("OCTAVO_MAIL_FROM", "env@example.com");
    assert_eq!(sender(&deployment, &[]), is("env@example.com", "env"));
    assert_eq!(sender(&deployment, &["--mail-from", "flag@example.com"]), is("flag@example.com", "flag"));
    assert_eq!(sender(&deployment, &["--mail-from=flag@example.com"]), is("flag@example.com", "flag"));
}

fn every_setting_is_shown_with_its_source() {
    let settings = check(&deployment(), &[]);
    for entry in &settings {
        octavo_tests::shape::exactly(entry, &["name", "value", "source"]);
        let source = entry["source"].as_str().unwrap();
        assert!(["flag", "env", "env_file", "file", "default"].contains(&source), "{entry}");
    }
    assert_eq!(setting(&settings, "LISTEN").1, "env");
    assert_eq!(setting(&settings, "SESSION_ABSOLUTE_DAYS").1, "default");
    let text = deployment().run(&["check-config"]).exits(0).stdout;
    assert!(text.lines().count() >= settings.len(), "{text}");
    assert!(text.contains("127.0.0.1:0"));
}

fn a_flag_may_stand_anywhere() {
    let deployment = deployment();
    for arguments in [
        &["--signup", "closed", "check-config", "--json"][..],
        &["check-config", "--signup", "closed", "--json"],
        &["check-config", "--json", "--signup=closed"],
        &["--json", "--register-conceal", "true", "check-config", "--signup", "closed"],
    ] {
        let settings = deployment.run(arguments).exits(0).data();
        assert_eq!(setting(settings.as_array().unwrap(), "SIGNUP").0, "closed");
    }
}

fn checking_creates_nothing() {
    let deployment = deployment();
    let settings = check(&deployment, &[]);
    assert_eq!(setting(&settings, "JWT_SECRET").0, "generated on first start");
    assert_eq!(setting(&settings, "SECRET_KEY").0, "generated on first start");
    assert!(!deployment.data_folder().exists());
    deployment.run(&["migrate", "--status"]).exits(1);
    assert!(!deployment.data_folder().exists());
}

fn secrets_are_masked() {
    let mut deployment = deployment();
    deployment.set("OCTAVO_JWT_SECRET", "marker-secret-that-is-long-enough-for-hs256");
    deployment.set("OCTAVO_SECRET_KEY", "marker-key-that-is-long-enough-to-encrypt");
    deployment.set("OCTAVO_DATABASE_URL", "postgres://octavo:marker-password@localhost/octavo");
    deployment.set("OCTAVO_MAIL_URL", "smtp://mailer:marker-mail@localhost:2525");
    for arguments in [&["check-config"][..], &["check-config", "--json"]] {
        let ran = deployment.run(arguments).exits(0);
        assert!(!ran.stdout.contains("marker"), "{}", ran.stdout);
        assert!(ran.stdout.contains("localhost"), "{}", ran.stdout);
    }
    deployment.set("OCTAVO_JWT_SECRET", "marker-short");
    deployment.set("OCTAVO_DATABASE_URL", "mysql://octavo:marker-password@localhost/octavo");
    let text = faults(deployment.run(&["check-config"]));
    assert!(!text.contains("marker"), "{text}");
    assert!(text.contains("JWT_SECRET") && text.contains("DATABASE_URL"), "{text}");
}

fn all_faults_are_reported_at_once() {
    let mut deployment = deployment();
    deployment.set("OCTAVO_LISTEN", "nonsense");
    deployment.set("OCTAVO_SIGNUP", "maybe");
    deployment.set("OCTAVO_NO_SUCH_SETTING", "1");
    for command in [&["serve"][..], &["migrate"], &["check-config"], &["user", "list"], &["openapi"]] {
        let text = faults(deployment.run(command));
        let lines: Vec<_> = text.lines().collect();
        for name in ["LISTEN", "SIGNUP", "NO_SUCH_SETTING"] {
            assert_eq!(lines.iter().filter(|line| line.contains(name)).count(), 1, "{name} in {text}");
        }
        assert!(lines.iter().all(|line| !line.contains("LISTEN") || !line.contains("SIGNUP")), "{text}");
    }
    assert!(!deployment.data_folder().exists(), "before anything is touched");
    let text = faults(deployment.run(&["check-config", "--argon2-passes", "1", "--body-max-bytes=many"]));
    assert!(text.contains("argon2") || text.contains("ARGON2"), "{text}");
    assert!(text.to_lowercase().contains("body"), "{text}");
}

fn unknown_names_are_faults() {
    for (name, value) in [
        ("OCTAVO_LISTNE", "127.0.0.1:0"),
        ("OCTAVO_CONFIG_FILE", "/nowhere"),
        ("OCTAVO_JWT_PRIVATE_KEY", "x"),
        ("OCTAVO_RATE_LIMIT_NO_SUCH_BUCKET", "1"),
    ] {
        let deployment = deployment().with(&[(name, value)]);
        let text = faults(deployment.run(&["check-config"]));
        assert!(text.contains(name), "{text}");
    }
    assert!(faults(deployment().run(&["check-config", "--listne", "x"])).contains("listne"));
    let deployment = deployment();
    let file = deployment.folder().join("octavo.toml");
    for text in ["no_such_setting = 1\n", "config = \"other.toml\"\n", "[table]\nlisten = \"x\"\n", "not toml"] {
        fs::write(&file, text).unwrap();
        faults(deployment.run(&["check-config", "--config", file.to_str().unwrap()]));
    }
    faults(deployment.run(&["check-config", "--config", "/nowhere/octavo.toml"]));
}

fn what_an_orchestrator_injects_is_let_through() {
    let injected = [
        ("OCTAVO_BIN", "/usr/bin/octavo"),
        ("OCTAVO_SERVICE_HOST", "10.0.0.1"),
        ("OCTAVO_SERVICE_PORT_HTTP", "80"),
        ("OCTAVO_PORT", "tcp://10.0.0.1:80"),
        ("OCTAVO_PORT_80_TCP_ADDR", "10.0.0.1"),
    ];
    deployment().with(&injected).run(&["check-config"]).exits(0);
}

fn an_empty_variable_is_none() {
    let deployment = deployment().with(&[("OCTAVO_SIGNUP", ""), ("OCTAVO_MAIL_FROM_FILE", ""), ("OCTAVO_CONFIG", "")]);
    assert_eq!(setting(&check(&deployment, &[]), "SIGNUP"), ("open".into(), "default".to_owned()));
}

fn values_that_contradict_each_other_are_faults() {
    let long = "x".repeat(32);
    let short = "x".repeat(31);
    for settings in [
        &[("OCTAVO_JWT_SECRET", short.as_str())][..],
        &[("OCTAVO_SECRET_KEY", short.as_str())],
        &[("OCTAVO_JWT_SECRET", long.as_str()), ("OCTAVO_JWT_PRIVATE_KEY_FILE", "/nowhere.pem")],
        &[("OCTAVO_JWT_PRIVATE_KEY_FILE", "/nowhere.pem")],
        &[("OCTAVO_NODES", "several")],
        &[("OCTAVO_METRICS_ADDR", "127.0.0.1:9464"), ("OCTAVO_LISTEN", "127.0.0.1:9464")],
        &[("OCTAVO_ARGON2_MEMORY_KIB", "19455")],
        &[("OCTAVO_ARGON2_PASSES", "1")],
        &[("OCTAVO_PUBLIC_URL", "ftp://example.org")],
        &[("OCTAVO_CORS_ORIGINS", "https://a.example.org, nonsense")],
        &[("OCTAVO_TRUSTED_PROXIES", "10.0.0.0/33")],
        &[("OCTAVO_QUERY_TIMEOUT", "5")],
        &[("OCTAVO_SHUTDOWN_GRACE", "-1s")],
        &[("OCTAVO_RATE_LIMIT_LOGIN", "-1")],
        &[("OCTAVO_REGISTER_CONCEAL", "perhaps")],
    ] {
        let text = faults(deployment().with(settings).run(&["check-config"]));
        assert!(settings.iter().any(|(name, _)| text.contains(name)), "{settings:?}: {text}");
    }
}

fn a_malformed_value_is_a_fault_where_it_wins() {
    let deployment = deployment().with(&[("OCTAVO_SIGNUP", "maybe")]);
    assert_eq!(setting(&check(&deployment, &["--signup", "open"]), "SIGNUP").1, "flag");
    let deployment =
        Deployment::new(Engine::Sqlite, Reason::Settings).with(&[("OCTAVO_SIGNUP_FILE", "/nowhere/at/all")]);
    faults(deployment.run(&["check-config", "--signup", "open"]));
}

fn wrong_usage_ends_with_two() {
    let deployment = deployment();
    for arguments in [
        &["no-such-command"][..],
        &["user"],
        &["user", "no-such"],
        &["user", "create"],
        &["user", "create", "a@example.com"],
        &["user", "create", "nonsense", "--name", "Ada"],
        &["keys", "rotate"],
        &["keys", "rotate", "--jwt", "--secret"],
        &["serve", "extra"],
        &["--listen"],
        &["user", "suspend"],
        &["user", "suspend", "nonsense"],
    ] {
        faults(deployment.run(arguments));
    }
}

fn help_lists_commands_and_settings() {
    let text = deployment().run(&["--help"]).exits(0).stdout;
    for word in [
        "serve",
        "migrate",
        "check-config",
        "openapi",
        "user create",
        "user list",
        "user reset-password",
        "user suspend",
        "user reinstate",
        "keys rotate",
        "help",
        "--listen",
        "--database-url",
    ] {
        assert!(text.contains(word), "{word} in {text}");
    }
    let text = deployment().run(&["help", "settings"]).exits(0).stdout;
    for word in ["--listen", "--database-url", "--query-timeout", "--rate-limit-login"] {
        assert!(text.contains(word), "{word} in {text}");
    }
    assert!(!deployment().run(&["--version"]).exits(0).stdout.is_empty());
    assert!(deployment().run(&["user", "create", "--help"]).exits(0).stdout.contains("--password-stdin"));
}
