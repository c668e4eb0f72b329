//! Every route times every kind of caller: as a text for reviewers, and compared with the declaration of the route.

mod apps;
mod caller;
mod prediction;
mod trashed;
mod world;

use super::*;
use crate::{
    SNAPSHOTS,
    route::{Area, BASE, Bodies, FORM, JSON, Place, Route, parameter_names},
    tests::server::ORIGIN,
    v1,
};
use caller::Caller;
use prediction::predicts;
use std::fmt::Write;
use world::World;

/// The simplest call of a route: in the test workspace, with other ids that do not exist and an empty body. With it a
/// caller with enough rights passes all checks of rights and changes nothing that others would notice.
fn call(route: &Route, name: &str, world: &World, names_workspace: bool) -> wire::Request {
    let mut path = name.replace("{workspaceId}", &world.workspace.to_string());
    for (name, (_, example)) in parameter_names(name).zip(route.inputs().path) {
        path = path.replace(&format!("{{{name}}}"), example.as_str().unwrap());
    }
    let base = if route.options.place == Place::Origin { "" } else { BASE };
    let mut request = request(&format!("{} {base}{path}", route.method));
    if names_workspace || (route.names_workspace() && !name.contains("{workspaceId}")) {
        // An alternative path leaves it to the header; an app always sends the header.
        request = request.header("X-Service-Workspace", world.workspace.to_string());
    }
    match route.mutates().then(|| route.bodies()) {
        None => request,
        Some(Bodies::Form) => request.header("Origin", ORIGIN).text(FORM, ""),
        Some(Bodies::Json | Bodies::JsonOrForm) => request.text(JSON, "{}"),
        Some(Bodies::Bytes) => request.bytes(b"x"),
        Some(Bodies::Csv) => request.text("text/csv", "Name"),
    }
}

fn outcome(answer: &Answer) -> String {
    match answer.status {
        status if status < 400 => status.to_string(),
        status if answer.header("content-type").is_some_and(|media| media.starts_with("text/html")) => {
            let heading = answer.body.split("<h1>").nth(1).and_then(|rest| rest.split("</h1>").next());
            format!("{status} page: {}", heading.unwrap_or_default())
        }
        status => format!("{status} {}", answer.refusal()),
    }
}

/// If a use case forgets to check rights, its answers differ from what the declaration of its route predicts.
#[test]
fn every_route_answers_every_kind_of_caller_as_its_row_and_its_declaration_say() {
    let server = Server::start();
    let mut table = String::from(
        "What each kind of caller gets from the plainest call of each route: in a workspace of which owner, admin, member and guest are members,\n\
         with other ids that name nothing, and an empty body.\n",
    );
    let mut faults = Vec::new();
    let mut number = 0;
    // Reading changes nothing, so all reading routes can share one set of people.
    let readers = World::new(&server, "reader");
    for route in v1::AREAS.iter().flat_map(Area::routes) {
        for path in route.paths() {
            number += 1;
            let fresh = route.mutates().then(|| World::new(&server, &format!("person{number}")));
            let world = fresh.as_ref().unwrap_or(&readers);
            write!(table, "\n{} {path}\n", route.method).unwrap();
            for caller in Caller::of(route) {
                let call = call(route, path, world, caller.is_app());
                let call = world.token(*caller).iter().fold(call, |call, token| call.bearer(token));
                let outcome = outcome(&server.send(&call));
                writeln!(table, "    {:<17} {outcome}", caller.name()).unwrap();
                if let Err(fault) = predicts(route, *caller, &outcome) {
                    faults.push(format!("{} {path} by {}: {outcome}, though {fault}", route.method, caller.name()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    insta::with_settings!({ snapshot_path => SNAPSHOTS, prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("caller_matrix", table);
    });
}
