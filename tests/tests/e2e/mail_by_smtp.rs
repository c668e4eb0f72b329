//! Mail through an SMTP server, which may be unreachable for a while.

use octavo_tests::{Deployment, Engine, OwnServer, Reason, both_engines, poll, smtp::Smtp};
use serde_json::json;

both_engines! {
    a_letter_is_handed_over_with_its_envelope,
    a_letter_that_was_refused_for_now_is_sent_again,
    a_call_does_not_wait_for_the_mail_server,
    a_mail_server_that_is_away_shows_in_the_deep_probe,
}

fn server(engine: Engine, smtp: &Smtp) -> OwnServer {
    let sender = ("OCTAVO_MAIL_FROM", "Octavo <octavo@example.org>");
    Deployment::new(engine, Reason::Settings).with(&[("OCTAVO_MAIL_URL", &smtp.url()), sender]).serve()
}

fn a_letter_is_handed_over_with_its_envelope(engine: Engine) {
    let smtp = Smtp::start();
    let server = server(engine, &smtp);
    server.person("Ada");
    let letter = poll::eventually("a letter", || smtp.letters().first().cloned());
    assert_eq!(letter.from, "octavo@example.org");
    assert_eq!(letter.to, ["ada@example.com"]);
    assert!(letter.text.contains("evt_") && letter.text.contains("text/html"), "{}", letter.text);
    assert!(server.mailbox().mails().is_empty(), "nothing lies in a folder besides");
    // A second letter checks that the connection still works after the first.
    server.person("Bob");
    poll::eventually("a second letter", || (smtp.letters().len() == 2).then_some(()));
}

fn a_letter_that_was_refused_for_now_is_sent_again(engine: Engine) {
    let smtp = Smtp::start();
    smtp.answer_with(451);
    let server = server(engine, &smtp);
    let ada = server.person("Ada");
    assert!(smtp.letters().is_empty());
    smtp.accept_letters();
    let letter = poll::eventually("the letter", || smtp.letters().first().cloned());
    let at = letter.text.find("evt_").unwrap();
    let body = json!({ "token": letter.text[at..at + 47] });
    server.post("/auth/email-verification/confirm", &body).send().is(200);
    assert_eq!(ada.me()["emailVerification"], "VERIFIED");
}

fn a_call_does_not_wait_for_the_mail_server(engine: Engine) {
    // A listener that accepts connections and never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp://{}", silent.local_addr().unwrap());
    let server = Deployment::new(engine, Reason::Settings).with(&[("OCTAVO_MAIL_URL", &url)]).serve();
    let started = std::time::Instant::now();
    server.person("Ada").login();
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}

fn a_mail_server_that_is_away_shows_in_the_deep_probe(engine: Engine) {
    let smtp = Smtp::start();
    let server_with = server(engine, &smtp);
    let deep = server_with.get("/health/deep").send().body_of(200);
    assert_eq!((&deep["status"], &deep["checks"]["mail"]["status"]), (&json!("ready"), &json!("ok")));
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("smtp://{closed}");
    let without = Deployment::new(engine, Reason::Settings).with(&[("OCTAVO_MAIL_URL", &url)]).serve();
    let deep = without.get("/health/deep").send().body_of(200);
    assert_eq!((&deep["status"], &deep["checks"]["mail"]["status"]), (&json!("degraded"), &json!("down")));
    without.get("/health/ready").send().is(200);
    assert!(!deep.to_string().contains(&closed.to_string()));
    let checked = without.run(&["check-config", "--online"]).exits(1);
    assert!(format!("{}{}", checked.stdout, checked.stderr).to_lowercase().contains("mail"));
    server_with.run(&["check-config", "--online"]).exits(0);
}
