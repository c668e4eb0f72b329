//! The page with the apps that have access to an account.

use super::{APPS, account_links, signed_in_as};
use crate::{
    screen::{Card, Page, moment, token_input},
    v1::consent,
};
use maud::{Markup, html};
use octavo_core_model::{id::GrantId, oauth::Grant, workspace::OwnWorkspace};

/// What the page shows.
#[derive(Debug)]
pub(super) struct AppsPage<'a> {
    pub(super) email: &'a str,
    /// The apps, each with the token of the form that withdraws its access.
    pub(super) apps: &'a [(Grant, String)],
    pub(super) workspaces: &'a [OwnWorkspace],
    /// Where the next page begins, if there is one.
    pub(super) next: Option<GrantId>,
    /// The token of the form for signing out.
    pub(super) sign_out_token: &'a str,
}

impl AppsPage<'_> {
    pub(super) fn render(&self) -> Page {
        let content = html! {
            (account_links(APPS))
            h1 { "Apps with access to your account" }
            @if self.apps.is_empty() {
                p { "No app has access to your account." }
            } @else {
                p { "You allowed these apps to act for you. An app whose access you withdraw loses it at once." }
                ul .entries { @for (grant, token) in self.apps { li { (self.entry(grant, token)) } } }
            }
            @if let Some(next) = self.next { p { a href={ (APPS) "?after=" (next) } { "More apps" } } }
            (signed_in_as(self.email, self.sign_out_token))
        };
        Card { title: "Apps with access to your account".into(), is_error: false, content }.into()
    }

    fn entry(&self, grant: &Grant, token: &str) -> Markup {
        html! {
            h2 id=(grant.id) { (grant.app.name.as_str()) }
            ul { @for scope in &grant.scopes { li { (consent::words(*scope)) } } }
            dl {
                dt { "Workspaces" }
                dd { (self.reached(grant)) }
                dt { "Allowed" }
                dd { (moment(grant.created_at)) }
                dt { "Last used" }
                dd { @match grant.last_used_at { Some(time) => { (moment(time)) } None => { "Never" } } }
                dt { "Ends" }
                dd { (moment(grant.expires_at)) }
            }
            form method="post" action={ (APPS) "/" (grant.id) } {
                (token_input(token))
                button .danger type="submit" aria-describedby=(grant.id) { "Withdraw access" }
            }
        }
    }

    /// The names of the workspaces in which the app can act. Those that the user has left are not among them.
    fn reached(&self, grant: &Grant) -> String {
        let reached = self.workspaces.iter().filter(|own| grant.reaches(own.id));
        let names: Vec<_> = reached.map(|own| own.name.as_str()).collect();
        if names.is_empty() { "None that you belong to".to_owned() } else { names.join(", ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::{
        AppScope, Role, Timestamp,
        id::{ClientId, UserId, WorkspaceId},
        oauth::GrantedApp,
        text::Name,
    };

    fn name(text: &str) -> Name {
        Name::from_stored(text.to_owned())
    }

    fn grant(workspace: WorkspaceId) -> Grant {
        Grant {
            id: GrantId::new(1, [1; 10]),
            user: UserId::new(1, [2; 10]),
            app: GrantedApp { id: ClientId::new(1, [3; 10]), name: name("<Planner>"), logo_url: None, public: true },
            scopes: [AppScope::PagesRead].into(),
            common_scopes: [AppScope::PagesRead].into(),
            workspaces: vec![workspace],
            created_at: Timestamp::from_millis(1_700_000_000_000),
            last_used_at: None,
            expires_at: Timestamp::from_millis(1_800_000_000_000),
            revoked_at: None,
        }
    }

    fn shown(apps: &[(Grant, String)], workspaces: &[OwnWorkspace], next: Option<GrantId>) -> String {
        AppsPage { email: "ada@example.com", apps, workspaces, next, sign_out_token: "out" }.render().render("nonce")
    }

    #[test]
    fn an_app_is_shown_with_what_it_may_do_and_where() {
        let own = |id, text| OwnWorkspace { id, name: name(text), is_personal: false, role: Role::Owner };
        let [inside, outside] = [1, 2].map(|bits| WorkspaceId::new(1, [bits; 10]));
        let apps = [(grant(inside), "withdraw".to_owned())];
        let page = shown(&apps, &[own(inside, "R&D"), own(outside, "Private")], None);
        for part in ["&lt;Planner&gt;", "See pages", "R&amp;D", "14 Nov 2023, 22:13 UTC", "Never", "value=\"withdraw\""]
        {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains("Private") && !page.contains("More apps"), "{page}");
        assert!(shown(&apps, &[], None).contains("None that you belong to"));
        assert!(shown(&apps, &[], Some(apps[0].0.id)).contains("/account/apps?after="));
    }

    #[test]
    fn an_account_without_apps_says_so() {
        let page = shown(&[], &[], None);
        assert!(page.contains("No app has access to your account.") && !page.contains("Withdraw"), "{page}");
    }
}
