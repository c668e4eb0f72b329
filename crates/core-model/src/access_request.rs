//! Access requests: members ask for a higher level on a page, and somebody who may grant it decides.

use crate::{
    fault::{Conflict, Fault},
    id::{AccessRequestId, PageId, UserId, WorkspaceId},
    level::Level,
    name::named,
    text::Message,
    time::{Timestamp, days},
};
use std::time::Duration;

/// How long a request can be answered.
pub const OPEN_FOR: Duration = days(30);

named! {
    /// A level that can be requested.
    AskedLevel {
        View = "VIEW",
        Comment = "COMMENT",
        Edit = "EDIT",
        FullAccess = "FULL_ACCESS",
    }
}

impl AskedLevel {
    /// The level that an approval gives.
    pub const fn level(self) -> Level {
        match self {
            Self::View => Level::View,
            Self::Comment => Level::Comment,
            Self::Edit => Level::Edit,
            Self::FullAccess => Level::FullAccess,
        }
    }
}

named! {
    /// The answer to a request.
    RequestAnswer {
        Approved = "APPROVED",
        Denied = "DENIED",
    }
}

named! {
    /// The state of a request at a given time.
    RequestStatus {
        Pending = "PENDING",
        Approved = "APPROVED",
        Denied = "DENIED",
        /// Nobody answered it in time.
        Expired = "EXPIRED",
    }
}

/// The answer to a request, by whom and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Whether the request was approved or denied.
    pub answer: RequestAnswer,
    /// For an API key, the user who created the key.
    pub by: UserId,
    /// When it was decided.
    pub at: Timestamp,
}

/// A member's request for a level on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessRequest {
    /// The id of the request.
    pub id: AccessRequestId,
    /// The workspace of the page.
    pub workspace: WorkspaceId,
    /// The page that the person asks for.
    pub page: PageId,
    /// The user who asks.
    pub user: UserId,
    /// The requested level; after approval, the level that was granted.
    pub level: AskedLevel,
    /// What the person wrote to those who decide.
    pub message: Option<Message>,
    /// The answer; `None` while nobody has answered.
    pub decision: Option<Decision>,
    /// When the person first asked. Asking again does not change it.
    pub created_at: Timestamp,
    /// When the request runs out unless somebody answers it.
    pub expires_at: Timestamp,
}

impl AccessRequest {
    /// The state of the request at this time.
    pub fn status(&self, now: Timestamp) -> RequestStatus {
        match self.decision.map(|decision| decision.answer) {
            Some(RequestAnswer::Approved) => RequestStatus::Approved,
            Some(RequestAnswer::Denied) => RequestStatus::Denied,
            None if now >= self.expires_at => RequestStatus::Expired,
            None => RequestStatus::Pending,
        }
    }

    /// Replaces the requested level and the message; the expiry stays the same.
    pub fn restate(&mut self, level: AskedLevel, message: Option<Message>) {
        self.level = level;
        self.message = message;
    }

    /// Approves the request with this level, which may differ from the requested one.
    pub fn approve(&mut self, level: AskedLevel, by: UserId, at: Timestamp) -> Result<(), Fault> {
        self.decide(Decision { answer: RequestAnswer::Approved, by, at })?;
        self.level = level;
        Ok(())
    }

    /// Denies the request. It fails if the request was answered before or has run out.
    pub fn deny(&mut self, by: UserId, at: Timestamp) -> Result<(), Fault> {
        self.decide(Decision { answer: RequestAnswer::Denied, by, at })
    }

    fn decide(&mut self, decision: Decision) -> Result<(), Fault> {
        if self.status(decision.at) != RequestStatus::Pending {
            return Err(Fault::Conflict(Conflict::AlreadyDecided));
        }
        self.decision = Some(decision);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000);

    fn by() -> UserId {
        UserId::new(1, [9; 10])
    }

    fn request() -> AccessRequest {
        AccessRequest {
            id: AccessRequestId::new(1, [1; 10]),
            workspace: WorkspaceId::new(1, [2; 10]),
            page: PageId::new(1, [3; 10]),
            user: UserId::new(1, [4; 10]),
            level: AskedLevel::Edit,
            message: None,
            decision: None,
            created_at: NOW,
            expires_at: NOW.plus(OPEN_FOR),
        }
    }

    #[test]
    fn a_request_waits_for_thirty_days() {
        let request = request();
        let end = NOW.plus(days(30));
        assert_eq!(request.status(NOW), RequestStatus::Pending);
        assert_eq!(request.status(end.minus(Duration::from_millis(1))), RequestStatus::Pending);
        assert_eq!(request.status(end), RequestStatus::Expired);
    }

    #[test]
    fn an_answer_stays_after_the_expiry() {
        let (mut approved, mut denied) = (request(), request());
        approved.approve(AskedLevel::Comment, by(), NOW).unwrap();
        denied.deny(by(), NOW).unwrap();
        for now in [NOW, NOW.plus(days(31))] {
            assert_eq!(approved.status(now), RequestStatus::Approved);
            assert_eq!(denied.status(now), RequestStatus::Denied);
        }
        assert_eq!(approved.level, AskedLevel::Comment, "what was given");
        assert_eq!(denied.level, AskedLevel::Edit);
    }

    #[test]
    fn an_answered_or_expired_request_is_not_decided_again() {
        let refused = Err(Fault::Conflict(Conflict::AlreadyDecided));
        let mut denied = request();
        denied.deny(by(), NOW).unwrap();
        let late = NOW.plus(OPEN_FOR);
        for (request, now) in [(denied, NOW), (request(), late)] {
            let mut tried = request.clone();
            assert_eq!(tried.approve(AskedLevel::View, by(), now), refused);
            assert_eq!(tried.deny(by(), now), refused);
            assert_eq!(tried, request);
        }
    }

    #[test]
    fn asking_again_leaves_the_time_as_it_is() {
        let mut request = request();
        let message = Message::parse("Please").ok();
        request.restate(AskedLevel::View, message.clone());
        assert_eq!((request.level, &request.message), (AskedLevel::View, &message));
        assert_eq!((request.created_at, request.expires_at), (NOW, NOW.plus(OPEN_FOR)));
    }

    #[test]
    fn every_level_that_can_be_requested_has_the_name_of_a_level() {
        for asked in AskedLevel::ALL {
            assert_eq!(asked.level().name(), asked.name());
        }
    }
}
