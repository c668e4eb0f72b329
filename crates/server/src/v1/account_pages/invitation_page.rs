//! The page on which invited people accept or decline, and the pages that follow it.

use super::{
    INVITATION, account_menu,
    new_account::{self, EntryProblem},
};
use crate::{
    refusal::Refusal,
    screen::{Card, Page, Screen, error_summary, moment, token_input},
    v1::screen_paths::{FORGOT_PASSWORD, LOGIN, LOGOUT, api_address, login_address},
};
use actix_web::http::StatusCode;
use maud::{Markup, html};
use octavo_app::invitations::{accept_in_browser::AcceptedInBrowser, preview::Preview};
use octavo_core_model::{
    Fault, Role,
    fault::{Conflict, Denial},
    invitation::InvitationState,
};

/// What the page shows.
#[derive(Debug)]
pub(super) struct InvitationPage<'a> {
    /// The token in the link.
    pub(super) link_token: &'a str,
    pub(super) preview: &'a Preview,
    pub(super) way: WayToAccept<'a>,
    /// The token of the form for declining.
    pub(super) decline_token: &'a str,
    pub(super) problem: Option<InvitationProblem>,
}

/// How the person with the link can accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WayToAccept<'a> {
    /// With the account that is signed in.
    SignedIn { email: &'a str, accept_token: &'a str },
    /// The account that is signed in has another address than the invited one.
    OtherAccount { email: &'a str, sign_out_token: &'a str },
    /// After signing in with the account of the invited address.
    SignInFirst,
    /// With a new account.
    NewAccount { name: &'a str, accept_token: &'a str },
    /// The invited address has no account, and nobody can create one.
    NoSignUp,
}

/// Why the invitation is not accepted yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InvitationProblem {
    Entry(EntryProblem),
    /// The invited address has an account by now.
    Registered,
    AlreadyMember,
    WorkspaceFull,
    OtherAddress,
    NoSignUp,
}

impl InvitationProblem {
    /// The problem, for refusals after which the page is shown again.
    pub(super) fn of(refusal: &Refusal) -> Option<Self> {
        match refusal {
            Refusal::Fault(Fault::Conflict(Conflict::Taken("email"))) => Some(Self::Registered),
            Refusal::Fault(Fault::Conflict(Conflict::Taken(_))) => Some(Self::AlreadyMember),
            Refusal::Fault(Fault::Forbidden(Denial::MemberQuota)) => Some(Self::WorkspaceFull),
            Refusal::Fault(Fault::Forbidden(Denial::EmailMismatch)) => Some(Self::OtherAddress),
            Refusal::Fault(Fault::Forbidden(Denial::SignupClosed)) => Some(Self::NoSignUp),
            _ => None,
        }
    }

    const fn message(self) -> &'static str {
        match self {
            Self::Entry(problem) => problem.message(),
            Self::Registered => "The invited address has an account by now. Sign in with it.",
            Self::AlreadyMember => "You belong to this workspace already.",
            Self::WorkspaceFull => {
                "The workspace has as many members as it may have. Ask the person who invited you to make room."
            }
            Self::OtherAddress => "The invitation is for another email address than that of your account.",
            Self::NoSignUp => "No account can be created on this server.",
        }
    }
}

impl InvitationPage<'_> {
    pub(super) fn render(&self) -> Page {
        let Preview { invitation, workspace, inviter, .. } = self.preview;
        let title = format!("Join {}?", workspace.name.as_str());
        let content = html! {
            h1 { (title) }
            @if let Some(problem) = self.problem { (error_summary(problem.message())) }
            p {
                @match inviter {
                    Some(inviter) => { strong { (inviter.name.as_str()) } " invited you" }
                    None => "You are invited"
                }
                " to the workspace " strong { (workspace.name.as_str()) } ", as " (role(invitation.role)) "."
            }
            dl {
                dt { "Invited address" }
                dd { (invitation.email.masked()) }
                dt { "Valid until" }
                dd { (moment(invitation.expires_at)) }
            }
            (self.way_to_accept())
            form method="post" action={ (INVITATION) "/decline" } {
                (token_input(self.decline_token))
                input type="hidden" name="token" value=(self.link_token);
                button .second type="submit" { "Decline" }
            }
        };
        Card { title: title.into(), is_error: self.problem.is_some(), content }.into()
    }

    fn way_to_accept(&self) -> Markup {
        let here = address_of(self.link_token);
        match self.way {
            WayToAccept::SignedIn { email, accept_token } => html! {
                p { "You are signed in as " strong { (email) } "." }
                (self.accept_form(accept_token, &html! { button type="submit" { "Join" } }))
            },
            WayToAccept::OtherAccount { email, sign_out_token } => html! {
                p { "You are signed in as " strong { (email) } ", which is not the invited address." }
                form method="post" action=(api_address(LOGOUT)) {
                    (token_input(sign_out_token))
                    input type="hidden" name="returnTo" value=(here);
                    button type="submit" { "Use another account" }
                }
            },
            WayToAccept::SignInFirst => html! {
                p { "The invited address has an account here. Sign in with it to accept." }
                p { a .button href=(login_address(&here)) { "Sign in" } }
            },
            WayToAccept::NewAccount { name, accept_token } => html! {
                h2 { "Create your account" }
                (self.accept_form(accept_token, &html! {
                    (new_account::fields(name, self.entry()))
                    button type="submit" { "Create account and join" }
                }))
            },
            WayToAccept::NoSignUp => html! {
                p {
                    "The invited address has no account, and on this server only the operator creates accounts. Ask the \
                     operator for one, then open this link again."
                }
            },
        }
    }

    fn accept_form(&self, token: &str, fields: &Markup) -> Markup {
        html! {
            form method="post" action=(INVITATION) {
                (token_input(token))
                input type="hidden" name="token" value=(self.link_token);
                (fields)
            }
        }
    }

    const fn entry(&self) -> Option<EntryProblem> {
        match self.problem {
            Some(InvitationProblem::Entry(problem)) => Some(problem),
            _ => None,
        }
    }
}

/// The address of the page for a token.
pub(super) fn address_of(token: &str) -> String {
    format!("{INVITATION}?token={token}")
}

const fn role(role: Role) -> &'static str {
    match role {
        Role::Guest => "a guest",
        Role::Member => "a member",
        Role::Admin => "an admin",
        Role::Owner => "an owner",
    }
}

/// Why a link leads to no open invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeadLink {
    /// The address has no token.
    Incomplete,
    Unknown,
    /// The invitation was sent again.
    Replaced,
    Accepted,
    Declined,
    Revoked,
    Expired,
    WorkspaceDeleted,
}

impl DeadLink {
    /// The reason, for refusals that are about the link.
    pub(super) const fn of(refusal: &Refusal) -> Option<Self> {
        let Refusal::Fault(fault) = refusal else { return None };
        match fault {
            Fault::NotFound | Fault::Invalid(_) => Some(Self::Unknown),
            Fault::Conflict(Conflict::TokenRevoked) => Some(Self::Replaced),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Accepted)) => Some(Self::Accepted),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Declined)) => Some(Self::Declined),
            Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Revoked)) => Some(Self::Revoked),
            Fault::TokenExpired => Some(Self::Expired),
            Fault::WorkspaceDeleting => Some(Self::WorkspaceDeleted),
            _ => None,
        }
    }

    const fn reason(self) -> &'static str {
        match self {
            Self::Incomplete => "This link is incomplete.",
            Self::Unknown => "This link is not known here.",
            Self::Replaced => "This link was replaced by a newer one.",
            Self::Accepted => "This invitation was used already: it was accepted.",
            Self::Declined => "This invitation was used already: it was declined.",
            Self::Revoked => "This invitation was withdrawn.",
            Self::Expired => "This invitation has expired.",
            Self::WorkspaceDeleted => "The workspace of this invitation was deleted.",
        }
    }

    const fn advice(self) -> &'static str {
        match self {
            Self::Incomplete | Self::Unknown => {
                "Copy the whole address from the mail, or ask the person who invited you for a new invitation."
            }
            Self::Replaced => "The invitation was sent again. Open the link in the newest mail.",
            Self::Accepted => "If that was you, sign in.",
            Self::Declined | Self::Revoked | Self::Expired => {
                "If you want to join, ask the person who invited you for a new invitation."
            }
            Self::WorkspaceDeleted => "There is nothing left to join.",
        }
    }

    pub(super) fn screen(self) -> Screen {
        let status = if self == Self::WorkspaceDeleted { StatusCode::GONE } else { StatusCode::BAD_REQUEST };
        Screen::page(status, self.render())
    }

    fn render(self) -> Page {
        const TITLE: &str = "This invitation cannot be used";
        let content = html! {
            h1 { (TITLE) }
            (error_summary(self.reason()))
            p { (self.advice()) }
            p { a .button href=(api_address(LOGIN)) { "Sign in" } }
        };
        Card { title: TITLE.into(), is_error: true, content }.into()
    }
}

/// The page for a new member.
pub(super) fn joined_page(accepted: &AcceptedInBrowser) -> Page {
    let AcceptedInBrowser { user, workspace, has_lost_password, .. } = accepted;
    let title = format!("You joined {}", workspace.name.as_str());
    let content = html! {
        h1 { (title) }
        p {
            "You are " (role(accepted.role)) " of " strong { (workspace.name.as_str()) } " now, and signed in as "
            strong { (user.email.as_str()) } "."
        }
        @if !user.is_verified() {
            p { "We sent you a mail. Open the link in it to verify your address." }
        }
        @if *has_lost_password {
            p {
                "Your link was the first proof that this address is yours. Until now, somebody else could have used it "
                "for this account, so its password and its other sessions were removed. "
                a href=(FORGOT_PASSWORD) { "Choose a new password" } " to be able to sign in again."
            }
        }
        (account_menu())
    };
    Card { title: title.into(), is_error: false, content }.into()
}

/// The page after declining.
pub(super) fn declined_page() -> Page {
    let content = html! {
        h1 { "You declined the invitation" }
        p { "Its links do not work any more. If you change your mind, ask the person who invited you for a new one." }
    };
    Card { title: "You declined the invitation".into(), is_error: false, content }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::{
        Timestamp,
        account::User,
        id::{InvitationId, UserId, WorkspaceId},
        invitation::{Invitation, Inviter},
        text::{Email, Name, Slug, TextFlaw},
        workspace::Workspace,
    };

    const NOW: Timestamp = Timestamp::from_millis(1_700_000_000_000);

    fn name(text: &str) -> Name {
        Name::from_stored(text.to_owned())
    }

    fn preview() -> Preview {
        let (inviter, workspace) = (UserId::new(1, [1; 10]), WorkspaceId::new(1, [2; 10]));
        let slug = Slug::from_name("acme", "workspace");
        let invitation = Invitation {
            id: InvitationId::new(1, [3; 10]),
            workspace,
            email: Email::from_stored("grace@example.com".to_owned()),
            role: Role::Admin,
            invited_by: inviter,
            invited_by_key: None,
            created_at: NOW,
            expires_at: NOW,
            state: InvitationState::Pending,
        };
        Preview {
            invitation,
            workspace: Workspace::create(workspace, name("<Acme>"), slug, inviter, NOW),
            inviter: Some(Inviter { id: inviter, name: name("Ada & Co"), email: None }),
            account_exists: false,
        }
    }

    fn shown(preview: &Preview, way: WayToAccept<'_>, problem: Option<InvitationProblem>) -> String {
        InvitationPage { link_token: "itn_x", preview, way, decline_token: "no", problem }.render().render("nonce")
    }

    #[test]
    fn the_page_says_who_invites_to_what_and_hides_the_address() {
        let page = shown(&preview(), WayToAccept::SignInFirst, None);
        assert!(page.contains("<title>Join &lt;Acme&gt;? · Octavo</title>"), "{page}");
        assert!(page.contains("<strong>Ada &amp; Co</strong> invited you to the workspace"), "{page}");
        assert!(page.contains(", as an admin.") && page.contains("14 Nov 2023, 22:13 UTC"), "{page}");
        assert!(page.contains("g***@example.com") && !page.contains("grace@"), "{page}");
        let unsigned = shown(&Preview { inviter: None, ..preview() }, WayToAccept::SignInFirst, None);
        assert!(unsigned.contains("You are invited to the workspace"), "{unsigned}");
    }

    #[test]
    fn each_way_to_accept_has_its_own_form_or_advice() {
        let preview = preview();
        let joining = shown(&preview, WayToAccept::SignedIn { email: "grace@example.com", accept_token: "yes" }, None);
        assert!(joining.contains(">Join</button>") && !joining.contains("name=\"password\""), "{joining}");
        let other =
            shown(&preview, WayToAccept::OtherAccount { email: "bob@example.com", sign_out_token: "out" }, None);
        assert!(other.contains("value=\"/accept-invitation?token=itn_x\"") && !other.contains(">Join<"), "{other}");
        let first = shown(&preview, WayToAccept::SignInFirst, None);
        assert!(first.contains("returnTo=%2Faccept-invitation%3Ftoken%3Ditn_x"), "{first}");
        let problem = Some(InvitationProblem::Entry(EntryProblem::Name(TextFlaw::Empty)));
        let new = shown(&preview, WayToAccept::NewAccount { name: "", accept_token: "yes" }, problem);
        assert!(new.contains("Enter your name.") && new.contains("autocomplete=\"new-password\""), "{new}");
        assert!(new.contains("<title>Error: Join"), "{new}");
        let closed = shown(&preview, WayToAccept::NoSignUp, None);
        assert!(closed.contains("Ask the operator") && !closed.contains("name=\"password\""), "{closed}");
        for page in [joining, other, first, new, closed] {
            assert_eq!(page.matches("action=\"/accept-invitation/decline\"").count(), 1, "{page}");
        }
    }

    #[test]
    fn a_dead_link_says_why_and_what_to_do() {
        let answered = |state| Fault::Conflict(Conflict::InvitationAnswered(state));
        for (fault, dead, status) in [
            (Fault::NotFound, DeadLink::Unknown, 400),
            (Fault::TokenExpired, DeadLink::Expired, 400),
            (Fault::Conflict(Conflict::TokenRevoked), DeadLink::Replaced, 400),
            (answered(InvitationState::Accepted), DeadLink::Accepted, 400),
            (answered(InvitationState::Declined), DeadLink::Declined, 400),
            (answered(InvitationState::Revoked), DeadLink::Revoked, 400),
            (Fault::WorkspaceDeleting, DeadLink::WorkspaceDeleted, 410),
        ] {
            assert_eq!(DeadLink::of(&Refusal::Fault(fault)), Some(dead));
            assert_eq!(dead.screen().status.as_u16(), status);
            let page = dead.render().render("nonce");
            assert!(page.contains(dead.reason()) && page.contains(dead.advice()), "{page}");
            assert!(page.contains("role=\"alert\""), "{page}");
        }
        assert_eq!(DeadLink::of(&Refusal::Fault(Fault::HasherBusy)), None);
    }

    #[test]
    fn a_new_member_learns_what_is_left_to_do() {
        let Preview { invitation, workspace, .. } = preview();
        let user = User::register(UserId::new(1, [4; 10]), invitation.email, name("Grace"), workspace.id, NOW);
        let accepted = |has_lost_password, verified_at| AcceptedInBrowser {
            user: User { email_verified_at: verified_at, ..user.clone() },
            workspace: workspace.clone(),
            role: Role::Member,
            cookie: None,
            has_lost_password,
        };
        let shown = |accepted: &AcceptedInBrowser| joined_page(accepted).render("nonce");
        let unverified = shown(&accepted(false, None));
        assert!(unverified.contains("to verify your address") && !unverified.contains("/forgot-password"));
        let proven = shown(&accepted(true, Some(NOW)));
        assert!(!proven.contains("to verify your address") && proven.contains("href=\"/forgot-password\""));
    }
}
