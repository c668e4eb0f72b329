//! The letters that were sent.

use super::World;
use async_trait::async_trait;
use octavo_app::{
    chores,
    queue::{self, ChoreOutcome},
};
use octavo_core_model::{
    Secret,
    chore::Queue,
    id::JobId,
    mail::{Letter, Topic},
    text::Email,
};
use octavo_ports::mailer::{MailFailure, Mailer};
use std::sync::Mutex;

#[derive(Default)]
pub(crate) struct Mailbox {
    letters: Mutex<Vec<Letter>>,
    /// The results of the next attempts to send.
    failures: Mutex<Vec<MailFailure>>,
}

#[async_trait]
impl Mailer for Mailbox {
    async fn send(&self, _: JobId, letter: &Letter) -> Result<(), MailFailure> {
        if let Some(failure) = self.failures.lock().unwrap().pop() {
            return Err(failure);
        }
        self.letters.lock().unwrap().push(letter.clone());
        Ok(())
    }

    async fn probe(&self) -> bool {
        true
    }
}

impl Mailbox {
    pub(crate) fn fail_next(&self, failure: MailFailure) {
        self.failures.lock().unwrap().push(failure);
    }
}

/// The token in a letter, if there is one.
fn token_in(topic: &Topic) -> Option<&str> {
    match topic {
        Topic::VerifyEmail { token }
        | Topic::ResetPassword { token }
        | Topic::ConfirmEmailChange { token }
        | Topic::EmailChanged { token, .. }
        | Topic::DeletionScheduled { token, .. }
        | Topic::Invitation { token, .. } => Some(token),
        Topic::AlreadyRegistered
        | Topic::PasswordChanged
        | Topic::NewDevice { .. }
        | Topic::EmailChangeRefused
        | Topic::JoinedByLink { .. }
        | Topic::Notification(_)
        | Topic::Digest { .. } => None,
    }
}

impl World {
    /// Runs queued chores until none is due.
    pub(crate) async fn run_chores(&self) -> Vec<ChoreOutcome> {
        let mut outcomes = Vec::new();
        loop {
            let before = outcomes.len();
            for queue in [Queue::Mail, Queue::Accounts, Queue::Removals, Queue::Notifications, Queue::Digests] {
                let leased = queue::lease_due(&self.engine, queue, self.now).await.unwrap();
                let done = chores::run_all(&self.engine, &leased.chores, &self.mailbox, self.now).await;
                outcomes.extend(done.unwrap());
            }
            if outcomes.len() == before {
                return outcomes;
            }
        }
    }

    /// The letters to an address, oldest first, after the queue is empty.
    pub(crate) async fn mail_to(&self, email: &Email) -> Vec<Topic> {
        self.run_chores().await;
        let letters = self.mailbox.letters.lock().unwrap();
        letters.iter().filter(|letter| letter.to == *email).map(|letter| letter.topic.clone()).collect()
    }

    /// The newest token with this prefix that was mailed to an address.
    pub(crate) async fn token_to(&self, email: &Email, prefix: &str) -> Option<Secret<String>> {
        let topics = self.mail_to(email).await;
        let mut tokens = topics.iter().filter_map(token_in).filter(|token| token.starts_with(prefix));
        tokens.next_back().map(|token| Secret::new(token.to_owned()))
    }
}
