//! Every route times every kind of caller, as a text that a reviewer reads.

use super::{
    server::{Person, now},
    *,
};
use crate::{
    route::{Area, BASE, Place, Route, Takes, parameter_names},
    snapshot, v1,
};
use std::{fmt::Write, time::Duration};

/// A kind of caller. A new kind of credential or standing is one more row here.
#[derive(Clone, Copy, Debug)]
enum Caller {
    Anonymous,
    SignedIn,
    Expired,
    Malformed,
    Suspended,
    Deleting,
}

impl Caller {
    const ALL: &'static [Self] =
        &[Self::Anonymous, Self::SignedIn, Self::Expired, Self::Malformed, Self::Suspended, Self::Deleting];

    const fn name(self) -> &'static str {
        match self {
            Self::Anonymous => "anonymous",
            Self::SignedIn => "signed in",
            Self::Expired => "expired token",
            Self::Malformed => "malformed token",
            Self::Suspended => "suspended",
            Self::Deleting => "deleting",
        }
    }

    /// A token of a fresh person of this kind: what one route did must not be seen by the next.
    fn token(self, server: &Server, name: &str) -> Option<String> {
        match self {
            Self::Anonymous => None,
            Self::Malformed => Some("svc_live_abcdefghijklmnopqrstuvwxyzabcdef123456".to_owned()),
            Self::SignedIn => Some(server.person(name).token),
            Self::Expired => {
                let long_ago = now().minus(Duration::from_hours(1));
                Some(server.token_issued(&server.person(name), long_ago))
            }
            Self::Suspended => {
                let person = server.person(name);
                server.suspend(&person);
                Some(person.token)
            }
            Self::Deleting => {
                let person = server.person(name);
                delete(server, &person);
                Some(person.token)
            }
        }
    }
}

fn delete(server: &Server, person: &Person) {
    let confirm = format!("DELETE {}", person.id);
    let answer = server.send(&request("DELETE /api/v1/users/me").bearer(&person.token).header("X-Confirm", confirm));
    assert_eq!(answer.status, 202, "{answer:?}");
}

/// The plainest call of a route: an id that names nothing, an empty body. Whoever may call gets past the checks of rights with it.
fn call(route: &Route, name: &str) -> wire::Request {
    let mut path = name.to_owned();
    for (name, (_, example)) in parameter_names(name).zip(Takes::of(route).path) {
        path = path.replace(&format!("{{{name}}}"), example.as_str().unwrap());
    }
    let base = if route.options.place == Place::Origin { "" } else { BASE };
    let request = request(&format!("{} {base}{path}", route.method));
    if route.mutates() { request.text("application/json", "{}") } else { request }
}

fn outcome(answer: &Answer) -> String {
    if answer.status < 400 { answer.status.to_string() } else { format!("{} {}", answer.status, answer.refusal()) }
}

#[test]
fn every_route_answers_every_kind_of_caller_as_its_row_says() {
    let server = Server::start();
    let mut table = String::from(
        "What each kind of caller gets from the plainest call of each route: ids that name nothing, an empty body.\n",
    );
    let mut number = 0;
    for route in v1::AREAS.iter().flat_map(Area::routes) {
        for path in route.paths() {
            write!(table, "\n{} {path}\n", route.method).unwrap();
            for caller in Caller::ALL {
                number += 1;
                let token = caller.token(&server, &format!("person{number}"));
                let call = token.iter().fold(call(route, path), |call, token| call.bearer(token));
                writeln!(table, "    {:<16} {}", caller.name(), outcome(&server.send(&call))).unwrap();
            }
        }
    }
    snapshot::check("caller_matrix.txt", &table);
}
