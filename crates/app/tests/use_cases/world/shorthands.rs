//! Operations of users on their accounts, step by step.

use super::{Device, Person, World, fault_of, slot};
use octavo_app::{
    Call,
    accounts::{deletion, email_change, email_verification},
    passwords::{self, PasswordChange, Reset},
    sessions::reauthenticate,
};
use octavo_core_model::{
    Claims, Fault, Secret, Timestamp,
    account::User,
    fault::{Conflict, Denial, Issue, Unknown, Violation},
    text::Email,
};

pub(crate) const NEW_PASSWORD: &str = "Battery-Staple-8";

pub(crate) fn email(text: &str) -> Email {
    Email::parse(text).unwrap()
}

pub(crate) fn denied(denial: Denial) -> Fault {
    Fault::Forbidden(denial)
}

pub(crate) fn unknown(unknown: Unknown) -> Fault {
    Fault::Unauthenticated(unknown)
}

pub(crate) fn conflict(conflict: Conflict) -> Fault {
    Fault::Conflict(conflict)
}

pub(crate) fn invalid(field: &str, issue: Issue) -> Fault {
    Violation::new(field, issue).into()
}

impl World {
    pub(crate) async fn ask_for_reset(&self, email: &Email) {
        let email = email.clone();
        self.write(self.nobody(), move |unit| Box::pin(passwords::request_reset(unit, Ok(email)))).await.unwrap();
    }

    pub(crate) async fn reset_with(&self, call: Call, token: Secret<String>, new: &str) -> Result<(), Fault> {
        let (keep, _) = slot();
        let form = Reset { token, password: super::people::password(new) };
        fault_of(passwords::reset(&self.engine, call, Ok(form), keep).await).map(drop)
    }

    /// Requests a reset, reads the mail and sets [`NEW_PASSWORD`].
    pub(crate) async fn reset(&self, person: &Person) -> Person {
        self.ask_for_reset(&person.email).await;
        let token = self.token_to(&person.email, "pwrt_").await.expect("a reset mail");
        self.reset_with(self.nobody(), token, NEW_PASSWORD).await.unwrap();
        Person { password: NEW_PASSWORD.to_owned(), ..person.clone() }
    }

    /// Changes the password to [`NEW_PASSWORD`].
    pub(crate) async fn change_password(
        &self,
        call: Call,
        current: Option<&str>,
        revoke_other_sessions: bool,
    ) -> Result<usize, Fault> {
        self.change_password_to(call, current, NEW_PASSWORD, revoke_other_sessions).await
    }

    pub(crate) async fn change_password_to(
        &self,
        call: Call,
        current: Option<&str>,
        new: &str,
        revoke_other_sessions: bool,
    ) -> Result<usize, Fault> {
        let (keep, kept) = slot();
        let current = current.map(|text| Secret::new(text.to_owned()));
        let change = PasswordChange { current, new: super::people::password(new), revoke_other_sessions };
        fault_of(passwords::change(&self.engine, call, Ok(change), keep).await)?;
        Ok(kept.lock().unwrap().take().expect("no replay"))
    }

    pub(crate) async fn reauthenticate(&self, device: &Device, password: &str) -> Result<Claims, Fault> {
        let (keep, kept) = slot();
        let password = Secret::new(password.to_owned());
        fault_of(reauthenticate::reauthenticate(&self.engine, self.by(device), Ok(password), keep).await)?;
        Ok(kept.lock().unwrap().take().expect("no replay"))
    }

    pub(crate) async fn ask_to_move(&self, device: &Device, to: &Email) -> Result<(), Fault> {
        let to = to.clone();
        self.write(self.by(device), move |unit| Box::pin(email_change::request(unit, Ok(to)))).await
    }

    pub(crate) async fn confirm_move(&self, token: Secret<String>) -> Result<User, Fault> {
        self.write(self.nobody(), move |unit| Box::pin(email_change::confirm(unit, Ok(token)))).await
    }

    pub(crate) async fn revert_move(&self, token: Secret<String>) -> Result<(), Fault> {
        self.write(self.nobody(), move |unit| Box::pin(email_change::revert(unit, Ok(token)))).await
    }

    /// Moves the account to another address and returns the token that was sent to the old one.
    pub(crate) async fn relocate(&self, device: &Device, from: &Email, to: &Email) -> Secret<String> {
        self.ask_to_move(device, to).await.unwrap();
        let token = self.token_to(to, "ect_").await.expect("a mail to the new address");
        self.confirm_move(token).await.unwrap();
        self.token_to(from, "ecr_").await.expect("a mail to the old address")
    }

    pub(crate) async fn ask_for_verification(&self, device: &Device, email: &Email) -> Result<(), Fault> {
        let email = email.clone();
        self.write(self.by(device), move |unit| Box::pin(email_verification::request(unit, Ok(email)))).await
    }

    pub(crate) async fn verify(&self, token: Secret<String>) -> Result<User, Fault> {
        self.write(self.nobody(), move |unit| Box::pin(email_verification::confirm(unit, Ok(token)))).await
    }

    pub(crate) async fn reject(&self, token: Secret<String>) -> Result<(), Fault> {
        self.write(self.nobody(), move |unit| Box::pin(email_verification::reject(unit, Ok(token)))).await
    }

    pub(crate) async fn delete(&self, device: &Device) -> Result<Timestamp, Fault> {
        let confirmation = Some(format!("DELETE {}", device.claims.user));
        self.write(self.by(device), move |unit| Box::pin(deletion::schedule(unit, confirmation))).await
    }

    pub(crate) async fn restore(&self, token: Secret<String>) -> Result<(), Fault> {
        self.write(self.nobody(), move |unit| Box::pin(deletion::restore(unit, Ok(token)))).await
    }
}
