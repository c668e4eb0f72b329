//! What every kind of caller may do by role, as a table for review.

use super::{
    SNAPSHOTS,
    callers::{self, Row, team, user},
};
use crate::{
    Authority, Denied, Team,
    members::{may_change_role, may_grant_role, may_remove_member, require_admin, require_person},
    teams::{TeamEdit, may_add_team_member, may_change_team_role, may_edit_team, may_remove_team_member, may_see_team},
};
use octavo_core_model::{Role, TeamRole};
use std::fmt::Write;

const PUBLIC: bool = false;
const PRIVATE: bool = true;

type Rule = (&'static str, fn(&Authority) -> Result<(), Denied>);

const RULES: &[Rule] = &[
    ("administer the workspace", require_admin),
    ("administer the workspace in person", |caller| require_person(caller, Role::Admin)),
    ("own the workspace in person", |caller| require_person(caller, Role::Owner)),
    ("be any member in person", |caller| require_person(caller, Role::Guest)),
    ("add an ADMIN", |caller| may_grant_role(caller, Role::Admin)),
    ("add an OWNER", |caller| may_grant_role(caller, Role::Owner)),
    ("make a GUEST an ADMIN", |caller| may_change_role(caller, Role::Guest, Role::Admin)),
    ("make a MEMBER an OWNER", |caller| may_change_role(caller, Role::Member, Role::Owner)),
    ("make an OWNER an ADMIN", |caller| may_change_role(caller, Role::Owner, Role::Admin)),
    ("remove another ADMIN", |caller| may_remove_member(caller, user(1), Role::Admin)),
    ("remove another OWNER", |caller| may_remove_member(caller, user(1), Role::Owner)),
    ("leave the workspace as user 0, or remove that MEMBER", |caller| may_remove_member(caller, user(0), Role::Member)),
    ("rename the public team", |caller| may_edit_team(caller, a_team(PUBLIC), TeamEdit::OtherFields)),
    ("rename the private team", |caller| may_edit_team(caller, a_team(PRIVATE), TeamEdit::OtherFields)),
    ("make the public team private", |caller| may_edit_team(caller, a_team(PUBLIC), TeamEdit::Privacy)),
    ("make the private team public", |caller| may_edit_team(caller, a_team(PRIVATE), TeamEdit::Privacy)),
    ("add a team MEMBER", |caller| may_add_team_member(caller, team(0), TeamRole::Member)),
    ("add a team ADMIN", |caller| may_add_team_member(caller, team(0), TeamRole::Admin)),
    ("make a team MEMBER its ADMIN", |caller| may_change_team_role(caller, team(0), TeamRole::Member, TeamRole::Admin)),
    ("make a team ADMIN its MEMBER", |caller| may_change_team_role(caller, team(0), TeamRole::Admin, TeamRole::Member)),
    ("take another out of the team", |caller| may_remove_team_member(caller, team(0), user(1))),
    ("leave the team as user 0, or take that user out of it", |caller| {
        may_remove_team_member(caller, team(0), user(0))
    }),
];

const SIGHTS: &[(&str, bool)] = &[("see the public team", PUBLIC), ("see the private team", PRIVATE)];

fn a_team(is_private: bool) -> Team {
    Team { id: team(0), is_private }
}

#[test]
fn every_caller_may_do_what_was_reviewed() {
    let mut table = "Who may do what, and what the others would need. A caller without further words has the same answer with any role\n\
                     in the workspace and in the team. Every user who calls is user 0.\n"
        .to_owned();
    for (words, rule) in RULES {
        let answer = |caller: &Authority| rule(caller).map_or_else(|denied| denied.to_string(), |()| "yes".to_owned());
        list(&mut table, words, answer);
    }
    for (words, is_private) in SIGHTS {
        let sees = |caller: &Authority| may_see_team(caller, a_team(*is_private));
        list(&mut table, words, |caller| if sees(caller) { "yes" } else { "no" }.to_owned());
    }
    insta::with_settings!({ snapshot_path => SNAPSHOTS, prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("rules", table);
    });
}

/// Lists each answer that occurs, with the callers that get it.
fn list(table: &mut String, rule: &str, answer: impl Fn(&Authority) -> String) {
    let callers = callers::all().into_iter().map(|row| (answer(&row.authority), row)).collect::<Vec<_>>();
    let mut answers = callers.iter().map(|(answer, _)| answer).collect::<Vec<_>>();
    answers.sort_by_key(|answer| (*answer != "yes", answer.as_str()));
    answers.dedup();
    writeln!(table, "\n{rule}").unwrap();
    for answer in answers {
        let mut names =
            callers.iter().filter(|(own, _)| own == answer).map(|(_, row)| name(row, &callers)).collect::<Vec<_>>();
        names.dedup();
        write_wrapped(table, &format!("    {answer}:"), &names);
    }
}

fn write_wrapped(table: &mut String, head: &str, names: &[String]) {
    let mut line = head.to_owned();
    for (index, name) in names.iter().enumerate() {
        if line.len() + name.len() > 118 {
            writeln!(table, "{line}").unwrap();
            line = " ".repeat(7);
        }
        write!(line, " {name}{}", if index + 1 < names.len() { "," } else { "" }).unwrap();
    }
    writeln!(table, "{line}").unwrap();
}

/// Names a caller by the properties that change the answer.
fn name(row: &Row, callers: &[(String, Row)]) -> String {
    let one_answer = |alike: &dyn Fn(&Row) -> bool| {
        let mut answers = callers.iter().filter(|(_, other)| alike(other)).map(|(answer, _)| answer);
        let first = answers.next();
        answers.all(|answer| Some(answer) == first)
    };
    let same_credential = |other: &Row| other.credential == row.credential;
    if one_answer(&same_credential) {
        row.credential.clone()
    } else if one_answer(&|other| same_credential(other) && other.role == row.role) {
        format!("{} {}", row.credential, row.role)
    } else {
        format!("{} {} (team: {})", row.credential, row.role, row.team_role)
    }
}
