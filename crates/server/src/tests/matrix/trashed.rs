//! Every route that names a page, for somebody who sees a page in the trash and may not edit it.

use super::*;
use octavo_core_model::{Fault, Level, fault::Denial};
use serde_json::json;

#[test]
fn routes_that_refuse_a_page_in_the_trash_say_so_in_their_declaration() {
    let server = Server::start();
    let world = World::new(&server, "person");
    let workspace = world.workspace.to_string();
    let by = |caller: Caller, line: &str| {
        request(line).bearer(world.token(caller).unwrap()).header("X-Service-Workspace", workspace.clone())
    };
    let id = |answer: Answer| {
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.json()["data"]["id"].as_str().unwrap().to_owned()
    };
    let page = id(server.send(&by(Caller::Owner, "POST /api/v1/pages").json(&json!({}))));
    let pages = format!("/api/v1/pages/{page}");
    let divider = json!({ "type": "divider" });
    let block = id(server.send(&by(Caller::Owner, &format!("POST {pages}/blocks")).json(&divider)));
    let seen = json!({ "principalType": "workspace", "level": "VIEW" });
    id(server.send(&by(Caller::Owner, &format!("POST {pages}/permissions")).json(&seen)));
    assert_eq!(server.send(&by(Caller::Owner, &format!("DELETE {pages}")).json(&json!({}))).status, 200);
    let mut refused = Vec::new();
    for route in v1::AREAS.iter().flat_map(Area::routes).filter(|route| route.options.place != Place::Origin) {
        let path = match route.path {
            "/pages/tree" => format!("/pages/tree?root={page}"),
            path => path.replace("{pageId}", &page).replace("{resourceId}", &page).replace("{blockId}", &block),
        };
        if path == route.path {
            continue;
        }
        let path = parameter_names(route.path).zip(route.inputs().path).fold(path, |path, (name, (_, example))| {
            path.replace(&format!("{{{name}}}"), example.as_str().unwrap_or_default())
        });
        let call = by(Caller::Member, &format!("{} {BASE}{path}", route.method));
        let call = if route.mutates() { call.text(JSON, "{}") } else { call };
        let answer = server.send(&call);
        if answer.status == 403 && answer.json()["error"]["details"][0]["reason"] == "requires_EDIT" {
            refused.push(format!("{} {}", route.method, route.path));
            let declared = Fault::Forbidden(Denial::RequiresLevel(Level::Edit));
            assert!(route.refusals.contains(&declared), "{} {} does not list requires_EDIT", route.method, route.path);
        }
    }
    for route in ["GET /pages/{pageId}", "GET /blocks/{blockId}", "GET /pages/tree", "PUT /favorites/{resourceId}"] {
        assert!(refused.iter().any(|refused| refused == route), "{route} {refused:#?}");
    }
}
