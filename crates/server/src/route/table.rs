//! The router: finds the route for a path and verb.

use super::{Area, CrossOrigin, Place, Route};
use crate::{answer::Preflight, request::PathTemplate};
use actix_web::http::Method;
use matchit::Router;
use std::collections::{BTreeMap, BTreeSet};

pub const BASE: &str = "/api/v1";

/// All routes by path. Paths are compared as they were sent: with different case, a trailing or doubled slash or a
/// percent-encoded letter it is another path, which does not exist.
pub struct Table(Router<PathRoutes>);

/// The routes at one path.
#[derive(Debug)]
pub struct PathRoutes {
    template: PathTemplate,
    routes: Vec<&'static Route>,
}

/// The result of looking up a verb at a path.
#[derive(Debug)]
pub enum RouteMatch<'a> {
    Route(&'static Route, &'a PathRoutes),
    /// The path exists, but not for this verb.
    WrongVerb(&'a PathRoutes),
    Nothing,
}

/// Two routes are ambiguous.
#[derive(Debug)]
pub struct Ambiguous(pub String);

impl Table {
    pub fn new(areas: &[Area]) -> Result<Self, Ambiguous> {
        let mut by_path: BTreeMap<String, Vec<&'static Route>> = BTreeMap::new();
        for route in areas.iter().flat_map(Area::routes) {
            for path in route.paths().flat_map(|path| addresses(route, path)) {
                let routes = by_path.entry(path.clone()).or_default();
                if routes.iter().any(|known| known.method == route.method) {
                    return Err(Ambiguous(format!("{} {path} is declared twice", route.method)));
                }
                routes.push(route);
            }
        }
        let mut paths = Router::new();
        for (template, routes) in by_path {
            let entry = PathRoutes { template: PathTemplate::new(&template), routes };
            paths.insert(&template, entry).map_err(|error| Ambiguous(format!("{template}: {error}")))?;
        }
        Ok(Self(paths))
    }

    /// Finds the route of a call. HEAD is answered like GET, without the body.
    pub fn find(&self, method: &Method, path: &str) -> RouteMatch<'_> {
        let Ok(matched) = self.0.at(path) else { return RouteMatch::Nothing };
        let wanted = if *method == Method::HEAD { &Method::GET } else { method };
        match matched.value.routes.iter().find(|route| route.method == *wanted) {
            Some(route) => RouteMatch::Route(route, matched.value),
            None => RouteMatch::WrongVerb(matched.value),
        }
    }
}

impl PathRoutes {
    pub const fn template(&self) -> &PathTemplate {
        &self.template
    }

    /// The text of the parameter with this number in a path.
    pub fn parameter<'a>(&self, path: &'a str, number: usize) -> Option<&'a str> {
        self.template.parameter(path, number)
    }

    /// Whether the path contains the workspace of the call. An alternative path of a route may leave it to the
    /// header.
    pub fn names_workspace(&self) -> bool {
        self.template.names_workspace()
    }

    /// The declared verbs. HEAD comes with GET, and OPTIONS is always possible; neither is listed.
    pub fn verbs(&self) -> Vec<Method> {
        self.routes.iter().map(|route| route.method.clone()).collect()
    }

    /// Whether all routes here serve pages.
    pub fn is_screen(&self) -> bool {
        self.routes.iter().all(|route| route.is_screen())
    }

    /// The verbs that pages of other origins may use.
    pub fn verbs_for_other_origins(&self) -> Vec<Method> {
        let open = self.routes.iter().filter(|route| route.is_open_to_other_origins());
        open.map(|route| route.method.clone()).collect()
    }

    /// Which pages of other origins may learn that a method is not allowed here. Routes that are open to nobody do not
    /// count; of the others, the strictest decides.
    pub fn cross_origin(&self) -> CrossOrigin {
        let open = self.routes.iter().filter(|route| route.is_open_to_other_origins());
        open.map(|route| route.cross_origin()).min().unwrap_or(CrossOrigin::Nobody)
    }

    /// The answer to OPTIONS.
    pub fn preflight(&self) -> Preflight {
        Preflight {
            verbs: self.verbs(),
            verbs_for_other_origins: self.verbs_for_other_origins(),
            headers: self.headers(),
        }
    }

    /// The request headers that the routes here use.
    fn headers(&self) -> BTreeSet<&'static str> {
        let mut known = BTreeSet::new();
        for route in &self.routes {
            if route.caller.brings_credential() {
                known.extend(["Authorization", "X-Service-Workspace"]);
            }
            if route.mutates() {
                known.insert("Content-Type");
            }
            if route.takes_key() {
                known.insert("Idempotency-Key");
            }
            if route.is_conditional() {
                known.insert("If-None-Match");
            }
            known.extend(route.inputs().headers.iter().map(|header| header.name));
        }
        known
    }
}

/// The addresses at which a path of a route is found.
fn addresses(route: &Route, path: &str) -> Vec<String> {
    let under_base = format!("{BASE}{path}");
    match route.options.place {
        Place::Api => vec![under_base],
        Place::Origin => vec![path.to_owned()],
        Place::Both => vec![under_base, path.to_owned()],
    }
}

/// The names of a path's parameters.
pub fn parameter_names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::v1::AREAS;

    #[test]
    fn every_name_of_a_route_leads_to_it_and_gives_its_parameters() {
        let table = Table::new(AREAS).unwrap();
        for (method, path, route, parameter) in [
            (Method::POST, "/api/v1/auth/password-reset/request", "/auth/password-reset/request", None),
            (Method::POST, "/api/v1/auth/reset-password", "/auth/password-reset/request", None),
            (Method::DELETE, "/api/v1/sessions/ses_1", "/sessions/{sessionId}", Some("ses_1")),
            (Method::GET, "/docs/assets/1/a.js", "/docs/assets/{digest}/{name}", Some("1")),
            (Method::HEAD, "/api/v1/docs/assets/1/a.js", "/docs/assets/{digest}/{name}", Some("1")),
        ] {
            let RouteMatch::Route(found, entry) = table.find(&method, path) else { panic!("{path} leads nowhere") };
            assert_eq!((found.path, entry.parameter(path, 0)), (route, parameter));
        }
        assert!(matches!(table.find(&Method::HEAD, "/api/v1/auth/login"), RouteMatch::WrongVerb(_)));
        assert!(matches!(table.find(&Method::GET, "/api/v1/sessions/a/b"), RouteMatch::Nothing));
    }

    #[test]
    fn two_routes_at_one_place_are_no_table() {
        let twice = Table::new(&[AREAS[0], AREAS[0]]).unwrap_err();
        assert!(twice.0.ends_with("is declared twice"), "{twice:?}");
    }
}
