//! Entries of the audit trail as use cases write them.

use octavo_core_model::{
    account::User,
    event::{Chain, EventType, Outcome, Resource},
    id::{SessionId, UserId},
};
use serde_json::Value;

/// An audit entry to be written.
pub(crate) struct NewAuditEntry {
    pub(crate) chain: Chain,
    pub(crate) action: EventType,
    pub(crate) target: Resource,
    pub(crate) outcome: Outcome,
    pub(crate) reason: Option<&'static str>,
    pub(crate) target_label: Option<String>,
    pub(crate) changes: Vec<Value>,
    pub(crate) about: Option<UserId>,
    /// Whether the caller is left out.
    pub(crate) is_impersonal: bool,
}

impl NewAuditEntry {
    pub(crate) fn new(chain: Chain, action: EventType, target: Resource) -> Self {
        Self {
            chain,
            action,
            target,
            outcome: Outcome::Success,
            reason: None,
            target_label: None,
            changes: Vec::new(),
            about: None,
            is_impersonal: false,
        }
    }

    /// An entry about an account as a whole.
    pub(crate) fn on_account(user: &User, action: EventType) -> Self {
        Self::new(Chain::User(user.id), action, Resource::User(user.id)).about(user.id)
    }

    /// An entry about one session of an account.
    pub(crate) fn on_session(session: SessionId, user: UserId, action: EventType) -> Self {
        Self::new(Chain::User(user), action, Resource::Session(session))
    }

    pub(crate) fn failed(mut self, reason: &'static str) -> Self {
        self.outcome = Outcome::Failure;
        self.reason = Some(reason);
        self
    }

    /// Adds the reason.
    pub(crate) fn because(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    /// Moves the entry to another chain.
    pub(crate) fn in_chain(mut self, chain: Chain) -> Self {
        self.chain = chain;
        self
    }

    pub(crate) fn labelled(mut self, label: &str) -> Self {
        self.target_label = Some(label.to_owned());
        self
    }

    /// Names the person that the label or the changes are about. They are removed when the person is erased.
    pub(crate) fn about(mut self, person: UserId) -> Self {
        self.about = Some(person);
        self
    }

    /// Leaves out the caller, in whose place the service stands: whoever reads the chain must not learn who that was.
    pub(crate) fn impersonal(mut self) -> Self {
        self.is_impersonal = true;
        self
    }

    pub(crate) fn with_changes(mut self, changes: Vec<Value>) -> Self {
        self.changes = changes;
        self
    }
}
