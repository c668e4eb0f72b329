//! The page with the sessions of a user.

use super::{SESSIONS, account_links, signed_in_as, user_agent::program};
use crate::screen::{Card, Page, moment, token_input};
use maud::{Markup, html};
use octavo_core_model::{
    id::SessionId,
    session::{Session, SessionKind},
};

/// What the page shows.
#[derive(Debug)]
pub(super) struct SessionsPage<'a> {
    pub(super) email: &'a str,
    /// The sessions, each with the token of the form that ends it.
    pub(super) sessions: &'a [(Session, String)],
    /// The session of the browser.
    pub(super) current: SessionId,
    /// The token of the form that ends all others.
    pub(super) end_others_token: &'a str,
    /// The token of the form for signing out.
    pub(super) sign_out_token: &'a str,
}

impl SessionsPage<'_> {
    pub(super) fn render(&self) -> Page {
        let content = html! {
            (account_links(SESSIONS))
            h1 { "Your sessions" }
            p { "Every browser and every program in which you are signed in. End those that you do not know." }
            ul .entries { @for (session, token) in self.sessions { li { (self.entry(session, token)) } } }
            @if self.sessions.iter().any(|(session, _)| session.id != self.current) {
                form method="post" action=(SESSIONS) {
                    (token_input(self.end_others_token))
                    button .danger type="submit" { "End all other sessions" }
                }
            }
            (signed_in_as(self.email, self.sign_out_token))
        };
        Card { title: "Your sessions".into(), is_error: false, content }.into()
    }

    fn entry(&self, session: &Session, token: &str) -> Markup {
        html! {
            h2 id=(session.id) {
                (program(&session.user_agent))
                @if session.id == self.current { " (this browser)" }
            }
            dl {
                @match session.kind {
                    SessionKind::Invitation => { dt { "Reaches" } dd { "One workspace, by an invitation link" } }
                    SessionKind::SingleSignOn => { dt { "Opened by" } dd { "Single sign-on" } }
                    SessionKind::Login => {}
                }
                dt { "Network address" }
                dd { (session.address) }
                dt { "Signed in" }
                dd { (moment(session.created_at)) }
                dt { "Last active" }
                dd { (moment(session.last_active_at)) }
            }
            // The browser's own session ends by signing out.
            @if session.id != self.current {
                form method="post" action={ (SESSIONS) "/" (session.id) } {
                    (token_input(token))
                    button .second type="submit" aria-describedby=(session.id) { "End session" }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::{
        Timestamp,
        id::{UserId, WorkspaceId},
        session::Proof,
    };

    fn session(number: u8, kind: SessionKind) -> (Session, String) {
        let now = Timestamp::from_millis(1_700_000_000_000);
        let session = Session {
            id: SessionId::new(1, [number; 10]),
            user: UserId::new(1, [1; 10]),
            kind,
            workspace: WorkspaceId::new(1, [2; 10]),
            user_agent: "<b>curl</b>".to_owned(),
            address: "192.0.2.1".to_owned(),
            proofs: vec![Proof::Password],
            authenticated_at: now,
            created_at: now,
            last_active_at: now,
            expires_at: now,
            absolute_end: now,
            end: None,
        };
        (session, format!("end-{number}"))
    }

    fn shown(sessions: &[(Session, String)]) -> String {
        let current = SessionId::new(1, [1; 10]);
        let page = SessionsPage {
            email: "ada@example.com",
            sessions,
            current,
            end_others_token: "others",
            sign_out_token: "out",
        };
        page.render().render("nonce")
    }

    #[test]
    fn every_session_but_that_of_the_browser_can_be_ended() {
        let page = shown(&[session(1, SessionKind::Login), session(2, SessionKind::Invitation)]);
        assert_eq!(page.matches("(this browser)").count(), 1, "{page}");
        assert!(!page.contains("end-1") && page.contains("end-2") && page.contains("others"), "{page}");
        assert!(page.contains("One workspace, by an invitation link"), "{page}");
        assert!(page.contains("&lt;b&gt;curl") && page.contains("192.0.2.1"), "{page}");
    }

    #[test]
    fn a_single_session_leaves_nothing_to_end_but_itself() {
        let page = shown(&[session(1, SessionKind::Login)]);
        assert!(!page.contains("End all other sessions") && !page.contains("End session"), "{page}");
        assert!(page.contains("Sign out"), "{page}");
    }
}
