//! Mail through SMTP, with a test server.

use super::{
    TOKEN, job, letterhead,
    smtp_server::{POLITE, Replies, Server},
    verification,
};
use crate::{MailUrl, mailer};
use octavo_ports::mailer::{MailFailure, Mailer};
use std::{net::TcpListener, sync::Arc};

fn to(url: &str) -> Arc<dyn Mailer> {
    mailer(url.parse::<MailUrl>().unwrap(), letterhead())
}

fn to_server(server: &Server) -> Arc<dyn Mailer> {
    to(&format!("smtp://127.0.0.1:{}", server.port))
}

async fn send(mailer: &Arc<dyn Mailer>) -> Result<(), MailFailure> {
    mailer.send(job(), &verification("Ada")).await
}

/// The kind and text of a failure, after checking that the text reveals nothing.
fn failure(result: Result<(), MailFailure>) -> (&'static str, String) {
    let (kind, text) = match result.unwrap_err() {
        MailFailure::Later(text) => ("later", text),
        MailFailure::Never(text) => ("never", text),
    };
    for secret in ["ada", "example.com", "evt_", "127.0.0.1", "hunter2"] {
        assert!(!text.contains(secret), "{text}");
    }
    (kind, text)
}

#[tokio::test]
async fn a_server_gets_the_letter_and_its_envelope() {
    let server = Server::start(POLITE).await;
    send(&to_server(&server)).await.unwrap();
    let record = server.record();
    assert_eq!(
        record.commands,
        ["EHLO octavo.example", "MAIL FROM:<no-reply@octavo.example>", "RCPT TO:<ada@example.com>", "DATA", "QUIT",]
    );
    let [letter] = record.letters.try_into().unwrap();
    assert!(letter.contains(&format!("\r\nhttps://octavo.example/verify-email?token={TOKEN}\r\n")));
    assert!(letter.contains(&format!("Message-ID: <{}@octavo.example>\r\n", job())));
}

#[tokio::test]
async fn a_letter_that_was_taken_is_sent_even_if_the_server_hangs_up() {
    let server = Server::start(Replies { farewell: "", ..POLITE }).await;
    assert_eq!(send(&to_server(&server)).await, Ok(()));
    assert_eq!(server.record().letters.len(), 1);
}

#[tokio::test]
async fn a_temporary_answer_is_tried_again_later() {
    for manners in [
        Replies { banner: "421 too busy", ..POLITE },
        Replies { sender: "451 later", ..POLITE },
        Replies { recipient: "450 ada@example.com is greylisted", ..POLITE },
        Replies { letter: "452 disk full", ..POLITE },
    ] {
        let server = Server::start(manners).await;
        let (kind, text) = failure(send(&to_server(&server)).await);
        assert_eq!(kind, "later", "{text}");
    }
}

#[tokio::test]
async fn a_permanent_answer_to_the_letter_is_final() {
    for (manners, code) in [
        (Replies { sender: "553 no such sender", ..POLITE }, "553"),
        (Replies { recipient: "550 ada@example.com unknown", ..POLITE }, "550"),
        (Replies { letter: "554 spam", ..POLITE }, "554"),
    ] {
        let server = Server::start(manners).await;
        assert_eq!(failure(send(&to_server(&server)).await), ("never", format!("the mail server answered {code}")));
    }
}

#[tokio::test]
async fn a_permanent_answer_to_the_connection_is_not_the_letters_fault() {
    for manners in [
        Replies { banner: "554 no service for you", ..POLITE },
        Replies { sender: "530 authentication required", ..POLITE },
    ] {
        let server = Server::start(manners).await;
        assert_eq!(failure(send(&to_server(&server)).await).0, "later");
    }
    let server = Server::start(Replies { offers: &["AUTH PLAIN LOGIN"], login: "535 wrong", ..POLITE }).await;
    let mailer = to(&format!("smtp://user:hunter2@127.0.0.1:{}", server.port));
    assert_eq!(failure(send(&mailer).await), ("later", "the mail server answered 535".to_owned()));
    assert!(!mailer.probe().await);
}

#[tokio::test]
async fn a_login_is_used_where_the_address_names_one() {
    let server = Server::start(Replies { offers: &["AUTH PLAIN LOGIN"], ..POLITE }).await;
    let mailer = to(&format!("smtp://user:hunter2@127.0.0.1:{}", server.port));
    send(&mailer).await.unwrap();
    // base64 of NUL user NUL hunter2
    assert!(server.record().commands.contains(&"AUTH PLAIN AHVzZXIAaHVudGVyMg==".to_owned()));

    let without_login = Server::start(POLITE).await;
    let mailer = to(&format!("smtp://user:hunter2@127.0.0.1:{}", without_login.port));
    assert_eq!(failure(send(&mailer).await).0, "later");
    assert!(without_login.record().letters.is_empty());
}

#[tokio::test]
async fn an_offer_of_tls_is_taken_whatever_the_certificate() {
    let server = Server::start(Replies { offers: &["STARTTLS"], ..POLITE }).await;
    send(&to_server(&server)).await.unwrap();
    let record = server.record();
    assert_eq!((record.handshakes, record.letters.len()), (1, 1));
    let position = |wanted: &str| record.commands.iter().position(|command| command.starts_with(wanted)).unwrap();
    assert!(position("STARTTLS") < position("MAIL"));
}

#[tokio::test]
async fn smtps_refuses_an_untrusted_certificate() {
    let server = Server::start(Replies { encrypted: true, ..POLITE }).await;
    let mailer = to(&format!("smtps://user:hunter2@127.0.0.1:{}", server.port));
    assert_eq!(failure(send(&mailer).await).0, "later");
    let record = server.record();
    assert!(record.letters.is_empty() && record.commands.is_empty(), "{record:?}");
}

#[tokio::test]
async fn nobody_at_the_port_is_tried_again_later() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mailer = to(&format!("smtp://127.0.0.1:{port}"));
    assert_eq!(failure(send(&mailer).await), ("later", "the mail server cannot be reached".to_owned()));
    assert!(!mailer.probe().await);
}

#[tokio::test(start_paused = true)]
async fn a_silent_server_is_given_up_on() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let mailer = to(&format!("smtp://{}", silent.local_addr().unwrap()));
    assert_eq!(failure(send(&mailer).await), ("later", "the mail server does not answer".to_owned()));
    assert!(!mailer.probe().await);
}

#[tokio::test]
async fn a_probe_sends_nothing() {
    let server = Server::start(POLITE).await;
    assert!(to_server(&server).probe().await);
    assert_eq!(server.record().commands, ["EHLO octavo.example", "QUIT"]);
}
