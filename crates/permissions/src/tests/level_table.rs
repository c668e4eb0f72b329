//! The level of every kind of caller on the root of a chain, as a table for review.

use super::{SNAPSHOTS, callers};
use crate::{Root, Team, level};
use std::fmt::Write;

#[test]
fn every_caller_has_the_reviewed_level_on_each_root() {
    let team = |is_private| Root::Team(Team { id: callers::team(0), is_private });
    let mut table =
        "The level of each caller on the root of a chain, and so on all below it that grants nothing itself.\n\n"
            .to_owned();
    let mut line = |words: [&str; 6]| {
        let [credential, role, team_role, workspace, public, private] = words;
        writeln!(table, "{credential:<28}{role:<8}{team_role:<11}{workspace:<13}{public:<13}{private}").unwrap();
    };
    line(["credential", "role", "team role", "workspace", "public team", "private team"]);
    for row in callers::all() {
        let [workspace, public, private] =
            [Root::Workspace, team(false), team(true)].map(|root| level(&row.authority, root, []).name());
        line([&row.credential, row.role, row.team_role, workspace, public, private]);
    }
    insta::with_settings!({ snapshot_path => SNAPSHOTS, prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("levels", table);
    });
}
