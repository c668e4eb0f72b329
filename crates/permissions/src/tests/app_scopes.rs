//! The cap of an app, and the areas that it opens.

use super::callers::user;
use crate::{Access, AppScopes, Authority, Denied, Member};
use octavo_core_model::{AppScope, KeyScope, Level, Role, scope::ScopeArea};

fn scopes(names: &str) -> AppScopes {
    names.split_whitespace().map(|name| name.parse::<AppScope>().unwrap()).collect()
}

#[test]
fn any_scope_for_writing_caps_at_edit_and_scopes_for_reading_at_view() {
    let cases = [
        ("", Level::None),
        ("pages:read", Level::View),
        ("pages:read databases:read files:read", Level::View),
        ("files:write", Level::Edit),
        ("pages:read files:write", Level::Edit),
    ];
    for (granted, cap) in cases {
        assert_eq!(scopes(granted).cap(), cap, "{granted}");
    }
}

#[test]
fn an_area_opens_by_its_own_scopes_only() {
    for scope in AppScope::ALL.iter().copied() {
        let granted = AppScopes::from_iter([scope]);
        for area in [ScopeArea::Pages, ScopeArea::Databases, ScopeArea::Files] {
            let reads = granted.require(area, Access::Read);
            let writes = granted.require(area, Access::Write);
            assert_eq!(reads.is_ok(), scope.area() == area, "{scope} {area:?}");
            assert_eq!(writes.is_ok(), scope.area() == area && scope.writes(), "{scope} {area:?}");
        }
    }
}

#[test]
fn the_least_scope_that_is_missing_is_named() {
    let cases = [
        ("pages:read", ScopeArea::Pages, Access::Write, AppScope::PagesWrite),
        ("pages:write", ScopeArea::Databases, Access::Read, AppScope::DatabasesRead),
        ("pages:write", ScopeArea::Files, Access::Write, AppScope::FilesWrite),
        ("", ScopeArea::Pages, Access::Read, AppScope::PagesRead),
    ];
    for (granted, area, access, missing) in cases {
        assert_eq!(scopes(granted).require(area, access), Err(Denied::NeedsAppScope(missing)), "{granted}");
    }
}

#[test]
fn only_apps_need_a_scope_of_the_area() {
    let member = Member::new(user(0), Role::Owner, []);
    let app = Authority::App { member: member.clone(), scopes: scopes("databases:write") };
    assert_eq!(app.require_area(ScopeArea::Pages, Access::Read), Err(Denied::NeedsAppScope(AppScope::PagesRead)));
    for other in [Authority::Member(member), Authority::Key(KeyScope::Read), Authority::Outsider] {
        assert_eq!(other.require_area(ScopeArea::Pages, Access::Write), Ok(()), "{other:?}");
    }
}

#[test]
fn a_set_tells_what_is_in_it() {
    let granted = scopes("files:read pages:write files:read");
    assert_eq!(granted.iter().collect::<Vec<_>>(), [AppScope::PagesWrite, AppScope::FilesRead]);
    assert!(granted.contains(AppScope::FilesRead) && !granted.contains(AppScope::FilesWrite));
    assert!(!granted.is_empty() && scopes("").is_empty());
}
