//! The router: from path and verb to a route.

use super::{Area, Caller, Place, Route, Takes};
use actix_web::http::Method;
use matchit::Router;
use std::{collections::BTreeSet, sync::Arc};

pub const BASE: &str = "/api/v1";

/// All routes by path. Paths are compared as they were sent: another case, a trailing or doubled slash or a
/// percent-encoded letter is another path, and there is nothing there.
pub struct Table {
    paths: Router<Arc<Entry>>,
    areas: Vec<&'static Area>,
}

/// What stands at one path.
#[derive(Debug, Default)]
pub struct Entry {
    routes: Vec<&'static Route>,
}

/// What a verb finds at a path.
#[derive(Debug)]
pub enum Found<'a> {
    Route(&'static Route),
    /// The path exists, but not for this verb.
    WrongVerb(&'a Arc<Entry>),
    Nothing,
}

/// Two routes cannot be told apart.
#[derive(Debug)]
pub struct Ambiguous(pub String);

impl Table {
    pub fn new(areas: &[&'static Area]) -> Result<Self, Ambiguous> {
        let mut by_path: Vec<(String, Entry)> = Vec::new();
        for route in areas.iter().flat_map(|area| area.routes) {
            for path in addresses(route) {
                match by_path.iter_mut().find(|(known, _)| *known == path) {
                    Some((_, entry)) if entry.routes.iter().any(|known| known.method == route.method) => {
                        return Err(Ambiguous(format!("{} {path} is declared twice", route.method)));
                    }
                    Some((_, entry)) => entry.routes.push(route),
                    None => by_path.push((path, Entry { routes: vec![route] })),
                }
            }
        }
        let mut paths = Router::new();
        for (path, entry) in by_path {
            paths.insert(&path, Arc::new(entry)).map_err(|error| Ambiguous(format!("{path}: {error}")))?;
        }
        Ok(Self { paths, areas: areas.to_vec() })
    }

    /// Finds the route of a call. HEAD is answered like GET, without the body.
    pub fn find(&self, method: &Method, path: &str) -> Found<'_> {
        let Ok(matched) = self.paths.at(path) else { return Found::Nothing };
        let wanted = if *method == Method::HEAD { &Method::GET } else { method };
        match matched.value.routes.iter().find(|route| route.method == *wanted) {
            Some(route) => Found::Route(route),
            None => Found::WrongVerb(matched.value),
        }
    }

    pub fn areas(&self) -> &[&'static Area] {
        &self.areas
    }
}

impl Entry {
    /// The verbs that are declared. HEAD comes with GET and OPTIONS with everything; neither is listed.
    pub fn verbs(&self) -> Vec<Method> {
        self.routes.iter().map(|route| route.method.clone()).collect()
    }

    /// The request headers that the routes here know.
    pub fn headers(&self) -> BTreeSet<&'static str> {
        let mut known = BTreeSet::new();
        for route in &self.routes {
            if route.caller != Caller::Anyone {
                known.extend(["Authorization", "X-Service-Workspace"]);
            }
            if route.mutates() {
                known.extend(["Content-Type", "Idempotency-Key"]);
            }
            known.extend(Takes::of(route).headers.iter().map(|header| header.name));
        }
        known
    }
}

/// The paths at which a route is found.
fn addresses(route: &Route) -> Vec<String> {
    let under_base = format!("{BASE}{}", route.path);
    match route.options.place {
        Place::Api => vec![under_base],
        Place::Origin => vec![route.path.to_owned()],
        Place::Both => vec![under_base, route.path.to_owned()],
    }
}

impl Route {
    /// The text in the path where the parameter of this number stands.
    pub fn segment<'a>(&self, path: &'a str, number: usize) -> Option<&'a str> {
        let relative = match self.options.place {
            Place::Origin => path,
            Place::Api | Place::Both => path.strip_prefix(BASE).unwrap_or(path),
        };
        let mut parameters =
            self.path.split('/').zip(relative.split('/')).filter(|(template, _)| template.starts_with('{'));
        parameters.nth(number).map(|(_, text)| text)
    }

    /// The names of the path's parameters.
    pub fn parameter_names(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("areas", &self.areas.len()).finish_non_exhaustive()
    }
}
