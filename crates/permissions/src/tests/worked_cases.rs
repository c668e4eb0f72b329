//! The cases that the product's documentation explains. A is a root page, B its child, C the child of B.

use super::callers::{team, user};
use crate::{AppScopes, Authority, ContentNode, Member, NodeEntry, Principal, Resolver, Root, Team};
use octavo_core_model::{
    AppScope, KeyScope,
    Level::{self, Comment, Edit, FullAccess, None, View},
    Role, TeamRole,
    id::TeamId,
};

const MIA: u8 = 1;
const GUS: u8 = 2;

/// The team of Mia.
fn t() -> TeamId {
    team(1)
}

/// The team that page A belongs to in some cases.
fn u() -> TeamId {
    team(2)
}

fn mia() -> Authority {
    mia_in([(t(), TeamRole::Member)])
}

fn mia_in(teams: impl IntoIterator<Item = (TeamId, TeamRole)>) -> Authority {
    Authority::Member(Member::new(user(MIA), Role::Member, teams))
}

fn gus() -> Authority {
    Authority::Member(Member::new(user(GUS), Role::Guest, []))
}

fn somebody(role: Role) -> Authority {
    Authority::Member(Member::new(user(9), role, []))
}

fn to(principal: Principal, level: Level) -> NodeEntry {
    NodeEntry { principal, level, expires: false }
}

fn to_mia(level: Level) -> NodeEntry {
    to(Principal::User(user(MIA)), level)
}

fn to_gus(level: Level) -> NodeEntry {
    to(Principal::User(user(GUS)), level)
}

/// A page in a case: whether it inherits, and its grants.
type Page = (bool, Vec<NodeEntry>);

fn plain() -> Page {
    grants([])
}

fn grants(entries: impl Into<Vec<NodeEntry>>) -> Page {
    (true, entries.into())
}

fn cut(entries: impl Into<Vec<NodeEntry>>) -> Page {
    (false, entries.into())
}

/// The caller's levels on A, B and C.
fn levels(caller: &Authority, root: Root, pages: &[Page; 3]) -> [Level; 3] {
    let mut resolver = Resolver::at(caller, root);
    pages.each_ref().map(|(inherit, entries)| {
        resolver = resolver.clone().enter(ContentNode { inherit: *inherit, entries });
        resolver.level()
    })
}

#[track_caller]
fn check(pages: &[Page; 3], cases: &[(Authority, [Level; 3])]) {
    for (caller, expected) in cases {
        assert_eq!(levels(caller, Root::Workspace, pages), *expected, "{caller:?}");
    }
}

#[test]
fn members_edit_what_nobody_granted_and_guests_see_nothing() {
    check(
        &[plain(), plain(), plain()],
        &[
            (mia(), [Edit; 3]),
            (gus(), [None; 3]),
            (Authority::Outsider, [None; 3]),
            (somebody(Role::Owner), [FullAccess; 3]),
        ],
    );
}

#[test]
fn a_grant_to_a_guest_reaches_all_below() {
    check(&[grants([to_gus(View)]), plain(), plain()], &[(gus(), [View; 3]), (mia(), [Edit; 3])]);
}

#[test]
fn a_nearer_grant_to_the_same_user_replaces_the_one_above() {
    check(&[grants([to_gus(Edit)]), grants([to_gus(None)]), plain()], &[(gus(), [Edit, None, None])]);
}

#[test]
fn a_lower_entry_for_the_workspace_narrows_from_there_on() {
    check(
        &[plain(), grants([to(Principal::Workspace, View)]), plain()],
        &[(mia(), [Edit, View, View]), (somebody(Role::Admin), [FullAccess; 3])],
    );
}

#[test]
fn a_lower_entry_for_a_team_does_not_lower_who_has_more_from_the_workspace() {
    check(&[plain(), grants([to(Principal::Team(t()), View)]), plain()], &[(mia(), [Edit; 3])]);
}

#[test]
fn a_page_can_be_opened_to_one_team_only() {
    check(
        &[plain(), grants([to(Principal::Workspace, None), to(Principal::Team(t()), Comment)]), plain()],
        &[(mia(), [Edit, Comment, Comment]), (somebody(Role::Member), [Edit, None, None])],
    );
}

#[test]
fn an_entry_that_names_the_user_beats_a_nearer_one_for_the_workspace() {
    check(
        &[grants([to_mia(FullAccess)]), grants([to(Principal::Workspace, View)]), plain()],
        &[(mia(), [FullAccess; 3]), (somebody(Role::Member), [Edit, View, View])],
    );
}

#[test]
fn a_cut_chain_leaves_only_owners_admins_and_keys() {
    check(
        &[grants([to_mia(FullAccess), to(Principal::Team(t()), FullAccess)]), cut([]), plain()],
        &[
            (mia(), [FullAccess, None, None]),
            (somebody(Role::Admin), [FullAccess; 3]),
            (somebody(Role::Owner), [FullAccess; 3]),
            (Authority::Key(KeyScope::Write), [Edit; 3]),
        ],
    );
}

#[test]
fn grants_on_the_node_that_cuts_the_chain_count() {
    check(
        &[plain(), cut([to(Principal::Team(t()), Comment)]), plain()],
        &[(mia(), [Edit, Comment, Comment]), (somebody(Role::Member), [Edit, None, None])],
    );
}

#[test]
fn a_grant_far_below_opens_nothing_above() {
    check(&[plain(), plain(), grants([to_gus(View)])], &[(gus(), [None, None, View])]);
}

#[test]
fn guests_stop_at_edit() {
    check(&[grants([to_gus(FullAccess)]), plain(), plain()], &[(gus(), [Edit; 3])]);
}

#[test]
fn guests_get_nothing_through_teams_or_the_workspace() {
    for role in [TeamRole::Member, TeamRole::Admin] {
        let guest = Authority::Member(Member::new(user(GUS), Role::Guest, [(t(), role)]));
        let pages = [
            grants([to(Principal::Team(t()), FullAccess), to(Principal::Workspace, FullAccess)]),
            grants([to_gus(Comment)]),
            plain(),
        ];
        let root = Root::Team(Team { id: t(), is_private: false });
        assert_eq!(levels(&guest, root, &pages), [None, Comment, Comment], "{role}");
    }
}

#[test]
fn a_team_opens_its_pages_by_the_role_in_it() {
    let pages = [plain(), plain(), plain()];
    for (is_private, outside_the_team) in [(false, View), (true, None)] {
        let root = Root::Team(Team { id: u(), is_private });
        assert_eq!(levels(&mia(), root, &pages), [outside_the_team; 3]);
        assert_eq!(levels(&mia_in([(u(), TeamRole::Member)]), root, &pages), [Edit; 3]);
        assert_eq!(levels(&mia_in([(u(), TeamRole::Admin)]), root, &pages), [FullAccess; 3]);
        assert_eq!(levels(&somebody(Role::Admin), root, &pages), [FullAccess; 3]);
    }
}

#[test]
fn what_makes_a_team_admin_is_an_entry_that_names_the_user() {
    let root = Root::Team(Team { id: t(), is_private: true });
    let lead = mia_in([(t(), TeamRole::Admin)]);
    let narrowed = [grants([to(Principal::Team(t()), View)]), grants([to_mia(View)]), cut([])];
    assert_eq!(levels(&lead, root, &narrowed), [FullAccess, View, None]);
}

#[test]
fn keys_have_their_level_whatever_is_granted() {
    let pages = [grants([to(Principal::Workspace, None)]), cut([]), plain()];
    let keys = [(KeyScope::Read, View), (KeyScope::Write, Edit), (KeyScope::Admin, FullAccess)];
    for (scope, expected) in keys {
        check(&pages, &[(Authority::Key(scope), [expected; 3])]);
    }
}

#[test]
fn an_app_has_the_level_of_its_member_below_its_cap() {
    let pages = [grants([to_mia(FullAccess)]), grants([to_mia(Comment)]), cut([])];
    let cases = [
        (vec![AppScope::FilesWrite], [Edit, Comment, None]),
        (vec![AppScope::PagesRead, AppScope::DatabasesRead], [View, View, None]),
        (vec![], [None; 3]),
    ];
    for (scopes, expected) in cases {
        let member = Member::new(user(MIA), Role::Member, []);
        check(&pages, &[(Authority::App { member, scopes: scopes.into_iter().collect() }, expected)]);
    }
}

#[test]
fn an_app_of_an_owner_stops_at_edit() {
    let member = Member::new(user(MIA), Role::Owner, []);
    let app = Authority::App { member, scopes: AppScopes::from_iter([AppScope::PagesWrite]) };
    check(&[plain(), cut([]), plain()], &[(app, [Edit; 3])]);
}

#[test]
fn the_uploader_of_a_file_is_an_entry_in_front_of_its_grants() {
    let kept = cut([to_mia(FullAccess)]);
    let narrowed = cut([to_mia(FullAccess), to_mia(View)]);
    check(&[plain(), kept, narrowed], &[(mia(), [Edit, FullAccess, View])]);
}

#[test]
fn teams_count_in_any_number() {
    let many = (1..=40).rev().map(|number| (team(number), TeamRole::Member));
    let caller = mia_in(many);
    let pages = [
        cut([to(Principal::Team(team(1)), View), to(Principal::Team(team(40)), Comment)]),
        grants([to(Principal::Team(team(40)), None)]),
        grants([to(Principal::Team(team(41)), FullAccess)]),
    ];
    check(&pages, &[(caller, [Comment, View, View])]);
}

#[test]
fn a_team_named_twice_counts_with_the_lower_role() {
    let Authority::Member(member) = mia_in([(t(), TeamRole::Admin), (t(), TeamRole::Member)]) else { unreachable!() };
    assert_eq!(member.teams(), [(t(), TeamRole::Member)]);
}
