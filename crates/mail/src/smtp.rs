//! Mail through SMTP, with one connection for each letter.
//!
//! This uses lettre's connection but not its transport, which treats a failed QUIT as a failed delivery and so would
//! send the letter twice, and does not say whether the server refused the letter or the login.

use crate::{
    address::{Security, SmtpServer},
    letterhead::Letterhead,
    message::compose,
};
use async_trait::async_trait;
use lettre::transport::smtp::{
    Error as SmtpError,
    authentication::{Credentials, DEFAULT_MECHANISMS},
    client::{AsyncSmtpConnection, TlsParameters},
};
use octavo_core_model::{id::JobId, mail::Letter};
use octavo_ports::mailer::{MailFailure, Mailer};
use std::time::Duration;
use tokio::time::timeout;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Longer than one answer should take, because some servers delay answers to strangers on purpose.
const DELIVERY_TIMEOUT: Duration = Duration::from_secs(30);

/// "Authentication required": a problem with the settings, not with the letter.
const LOGIN_MISSING: u16 = 530;

/// Sends letters to an SMTP server.
#[derive(Clone, Debug)]
pub struct SmtpMailer {
    server: SmtpServer,
    letterhead: Letterhead,
}

impl SmtpMailer {
    pub fn new(server: SmtpServer, letterhead: Letterhead) -> Self {
        Self { server, letterhead }
    }

    /// Connects, encrypts and logs in as the settings say.
    async fn connect(&self) -> Result<AsyncSmtpConnection, SmtpError> {
        let server = &self.server;
        let greeting = self.letterhead.greeting();
        let tls = (server.security == Security::Tls).then(|| TlsParameters::new(server.host.clone())).transpose()?;
        let address = (server.host.as_str(), server.port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(address, Some(CONNECT_TIMEOUT), &greeting, tls, None).await?;
        if server.security == Security::StartTls {
            connection.starttls(TlsParameters::new(server.host.clone())?, &greeting).await?;
        } else if connection.can_starttls() {
            let tls = TlsParameters::builder(server.host.clone()).dangerous_accept_invalid_certs(true).build()?;
            connection.starttls(tls, &greeting).await?;
        }
        if let Some((user, password)) = &server.login {
            let credentials = Credentials::new(user.clone(), password.expose().clone());
            connection.auth(DEFAULT_MECHANISMS, &credentials).await?;
        }
        Ok(connection)
    }

    async fn deliver(&self, job: JobId, letter: &Letter) -> Result<(), MailFailure> {
        let message = compose(job, letter, &self.letterhead)?;
        let mut connection = self.connect().await.map_err(|error| MailFailure::Later(describe(&error)))?;
        let sent = connection.send(message.envelope(), &message.formatted()).await;
        if sent.is_ok() {
            // The server has accepted the letter, so a failure to quit does not matter.
            let _ = connection.quit().await;
        }
        sent.map(drop).map_err(|error| {
            let code = error.status().map(u16::from);
            if error.is_permanent() && code != Some(LOGIN_MISSING) {
                MailFailure::Never(describe(&error))
            } else {
                MailFailure::Later(describe(&error))
            }
        })
    }
}

/// The reason of a failure, without the text of the server: its answers can contain addresses.
fn describe(error: &SmtpError) -> String {
    match error.status() {
        Some(code) => format!("the mail server answered {code}"),
        None if error.is_tls() => "the mail server cannot be reached over TLS".to_owned(),
        None if error.is_timeout() => "the mail server does not answer".to_owned(),
        None if error.is_client() => "the mail server does not offer what the mail settings ask for".to_owned(),
        None => "the mail server cannot be reached".to_owned(),
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, job: JobId, letter: &Letter) -> Result<(), MailFailure> {
        let slow = |_| Err(MailFailure::Later("the mail server does not answer".to_owned()));
        timeout(DELIVERY_TIMEOUT, self.deliver(job, letter)).await.unwrap_or_else(slow)
    }

    async fn probe(&self) -> bool {
        let greeted = async {
            let mut connection = self.connect().await?;
            connection.quit().await
        };
        matches!(timeout(CONNECT_TIMEOUT, greeted).await, Ok(Ok(_)))
    }
}
