//! Starting: the first log line, migrations, and which server may serve a database.

use octavo_tests::{
    Deployment, Engine, Reason, Server, both_engines, command_result::CommandResult, poll, proxy::Proxy,
};
use std::{
    net::TcpListener,
    time::{Duration, Instant},
};

both_engines! {
    one_line_names_the_address_and_the_docs,
    serving_is_the_default_command,
    a_second_server_on_the_same_data_is_refused,
    a_killed_server_leaves_no_lock,
    migrations_can_be_run_by_hand,
    several_may_migrate_at_once,
    an_address_in_use_ends_the_start,
    a_start_on_existing_data_keeps_everything,
}

fn one_line_names_the_address_and_the_docs(engine: Engine) {
    let server = Server::own(engine, Reason::Output);
    let line = server.stdout().line("the start line", |line| line.contains("http://"));
    let origin = server.public_origin();
    assert!(line.contains(&origin) && line.contains(&format!("{origin}/docs")), "{line}");
    server.get("/health").send().is(200);
    assert_eq!(server.stdout().lines().len(), 1);
}

fn serving_is_the_default_command(engine: Engine) {
    let deployment = Deployment::new(engine, Reason::Lifecycle);
    let mut child = deployment.spawn(&[]);
    let stdout = octavo_tests::output::Output::collect(child.stdout.take().unwrap());
    stdout.line("the start line", |line| line.contains("http://127.0.0.1:"));
    child.kill().unwrap();
    child.wait().unwrap();
}

fn a_second_server_on_the_same_data_is_refused(engine: Engine) {
    let server = Server::own(engine, Reason::Deployment);
    let ran = server.run(&["serve"]).exits(1);
    assert!(!ran.stderr.is_empty() && !ran.stderr.contains("panicked"), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
    let other = server.deployment().folder().join("other");
    let file = format!("sqlite:{}", server.deployment().data_folder().join("octavo.db").display());
    let url = server.deployment().database().map_or(file, octavo_tests::postgres::Database::url);
    let ran = server.run(&["serve", "--data-dir", other.to_str().unwrap(), "--database-url", &url]).exits(1);
    assert!(
        !ran.stderr.is_empty() && !ran.stderr.contains("panicked"),
        "another folder, the same database: {}",
        ran.stderr
    );
    server.get("/health").send().is(200);
    server.person("Ada");
}

fn a_killed_server_leaves_no_lock(engine: Engine) {
    let server = Server::own(engine, Reason::Lifecycle).kill().serve();
    let server = server.kill().serve();
    server.person("Ada");
}

fn migrations_can_be_run_by_hand(engine: Engine) {
    let deployment = Deployment::new(engine, Reason::Lifecycle);
    deployment.run(&["migrate", "--status"]).exits(1);
    let refused = deployment.run(&["serve", "--no-migrate"]).exits(1);
    assert!(refused.stderr.contains("octavo migrate"), "{}", refused.stderr);
    deployment.run(&["migrate"]).exits(0);
    deployment.run(&["migrate", "--status"]).exits(0);
    deployment.run(&["migrate"]).exits(0);
    let mut child = deployment.spawn(&["serve", "--no-migrate"]);
    let stdout = octavo_tests::output::Output::collect(child.stdout.take().unwrap());
    stdout.line("the start line", |line| line.contains("http://127.0.0.1:"));
    child.kill().unwrap();
    child.wait().unwrap();
}

fn several_may_migrate_at_once(engine: Engine) {
    let deployment = Deployment::new(engine, Reason::Lifecycle);
    let children: Vec<_> = (0..4).map(|_| deployment.spawn(&["migrate"])).collect();
    for child in children {
        CommandResult::of(child).exits(0);
    }
    deployment.run(&["migrate", "--status"]).exits(0);
    deployment.serve().person("Ada");
}

fn an_address_in_use_ends_the_start(engine: Engine) {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let ran = Deployment::new(engine, Reason::Settings).with(&[("OCTAVO_LISTEN", &address)]).run(&["serve"]).exits(1);
    assert!(ran.stderr.contains(&address), "{}", ran.stderr);
}

fn a_start_on_existing_data_keeps_everything(engine: Engine) {
    let server = Server::own(engine, Reason::Lifecycle);
    let ada = server.person("Ada");
    let (ended, deployment) = server.stop();
    assert_eq!(ended.exit, Some(0), "{}", ended.stderr);
    let server = deployment.serve();
    let ada = octavo_tests::Person { site: *server.site(), ..ada };
    assert_eq!(ada.login().me()["id"], ada.id);
    ada.refresh_request().send().is(200);
}

/// PostgreSQL has no file that could be damaged.
mod damaged {
    use super::{Deployment, Engine, Reason};
    use std::fs;

    mod sqlite {
        #[test]
        fn a_damaged_file_is_reported_at_once_by_every_command() {
            super::a_damaged_file_is_reported_at_once_by_every_command();
        }
    }

    fn a_damaged_file_is_reported_at_once_by_every_command() {
        let deployment = Deployment::new(Engine::Sqlite, Reason::Lifecycle);
        let file = deployment.data_folder().join("octavo.db");
        fs::create_dir(deployment.data_folder()).unwrap();
        fs::write(&file, "Dear Ada, ".repeat(1000)).unwrap();
        for command in [&["serve"][..], &["serve", "--no-migrate"], &["migrate"], &["user", "list"]] {
            let ran = deployment.run(command).exits(1);
            for part in [file.to_str().unwrap(), "file is not a database", "backup"] {
                assert!(ran.stderr.contains(part), "{command:?}: no {part} in {}", ran.stderr);
            }
            assert!(!ran.stderr.contains("trying again"), "{command:?}: {}", ran.stderr);
        }
    }
}

/// These tests need no engine, so there is nothing to wait for.
mod without_a_database {
    use super::{CommandResult, Deployment, Duration, Engine, Instant, Proxy, Reason, poll};

    mod postgres {
        #[test]
        fn a_start_waits_for_the_database() {
            if octavo_tests::Engine::Postgres.is_there() {
                super::a_start_waits_for_the_database();
            }
        }

        #[test]
        fn a_start_gives_up_after_half_a_minute() {
            if octavo_tests::Engine::Postgres.is_there() {
                super::a_start_gives_up_after_half_a_minute();
            }
        }
    }

    fn behind_a_cut_wire() -> (Deployment, Proxy) {
        let mut deployment = Deployment::new(Engine::Postgres, Reason::Lifecycle);
        let database = deployment.database().unwrap();
        let proxy = Proxy::to(&database.address());
        let url = database.url().replace(&database.address(), &proxy.address().to_string());
        deployment.set("OCTAVO_DATABASE_URL", &url);
        proxy.cut();
        (deployment, proxy)
    }

    fn a_start_waits_for_the_database() {
        let (deployment, proxy) = behind_a_cut_wire();
        let mut child = deployment.spawn(&["serve"]);
        let stdout = octavo_tests::output::Output::collect(child.stdout.take().unwrap());
        let early = poll::within(Duration::from_secs(2), || child.try_wait().unwrap());
        assert_eq!(early, None, "it waits");
        proxy.open();
        stdout.line("the start line", |line| line.contains("http://127.0.0.1:"));
        child.kill().unwrap();
        child.wait().unwrap();
    }

    fn a_start_gives_up_after_half_a_minute() {
        if !octavo_tests::engine::slow() {
            return;
        }
        let (deployment, _proxy) = behind_a_cut_wire();
        let started = Instant::now();
        let ran = CommandResult::of(deployment.spawn(&["serve"])).exits(1);
        let took = started.elapsed();
        assert!((25..=50).contains(&took.as_secs()), "{took:?}: {}", ran.stderr);
    }
}
