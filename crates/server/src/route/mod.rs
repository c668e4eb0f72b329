//! Routes: each is declared once, for the router, the description and the caller matrix.

mod caller;
mod declare;
mod table;

// Files that declare routes find here everything that declarations name.
pub use crate::{
    keys_in_use::Duplicates,
    request::{Body, Confirmation, Cursors, EarlyFields, IfMatch, Part, Path, Query, expected_version},
    wire::{Bodies, FORM, JSON, Located, RouteReply},
};
pub use caller::Caller;
pub use table::{Ambiguous, BASE, PathRoutes, RouteMatch, Table, parameter_names};

pub(crate) use declare::{operation_id, routes};

use crate::{
    answer::Answer,
    request::{AdmittedRequest, Inputs},
    wire::{Documented, MediaDoc, Named},
};
use actix_web::http::Method;
use octavo_core_model::{Bucket, Fault, event::EventType, id::WorkspaceId};
use serde_json::Value;
use std::{future::Future, pin::Pin};
use tracing::Level;

/// The largest body of routes for passwords and tokens, which are small.
pub(crate) const CREDENTIAL_BODY: usize = 16 * 1024;

/// A running handler. It stays on the thread of its connection.
pub type Running = Pin<Box<dyn Future<Output = Answer>>>;

/// An area of the product: a chapter of the description, with the routes of one or more files.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    pub name: &'static str,
    pub about: &'static str,
    pub files: &'static [&'static [Route]],
}

impl Area {
    pub fn routes(&self) -> impl Iterator<Item = &'static Route> + use<> {
        self.files.iter().copied().flatten()
    }
}

/// One route, as `routes!` declares it.
#[derive(Debug)]
pub struct Route {
    pub method: Method,
    /// Relative to the base path of the API, unless `options.place` says otherwise.
    pub path: &'static str,
    /// The id of the operation, which names it in generated clients; `None` if the route is not published.
    pub operation: Option<&'static str>,
    /// Other paths of the same route. Counters and metrics always use `path`.
    pub also: &'static [Alias],
    /// The name of the handler.
    pub name: &'static str,
    pub summary: &'static str,
    pub description: &'static [&'static str],
    pub caller: Caller,
    /// The buckets that a call is charged to in addition to the general ones.
    pub limits: &'static [Bucket],
    pub takes: &'static [fn(&mut Inputs)],
    pub answers: &'static [AnswerDoc],
    /// The refusals of this route in addition to those of every route of its kind.
    pub refusals: &'static [Fault],
    pub events: &'static [EventType],
    pub options: Options,
    pub run: fn(AdmittedRequest) -> Running,
}

/// Another path of a route.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    pub path: &'static str,
    /// The id of the operation under this path.
    pub operation: Option<&'static str>,
}

impl Route {
    /// All paths of the route, the documented one first.
    pub fn paths(&self) -> impl Iterator<Item = &'static str> + use<> {
        [self.path].into_iter().chain(self.also.iter().map(|alias| alias.path))
    }

    /// The id of the operation under one of its paths.
    pub fn operation_at(&self, path: &str) -> Option<&'static str> {
        match self.also.iter().find(|alias| alias.path == path) {
            Some(alias) => alias.operation,
            None => self.operation,
        }
    }

    /// All inputs, for the description.
    pub fn inputs(&self) -> Inputs {
        let mut inputs = Inputs::default();
        if self.names_workspace() {
            Path::<WorkspaceId>::describe(&mut inputs);
        }
        for describe in self.takes {
            describe(&mut inputs);
        }
        if let (Some(body), Some(example)) = (&mut inputs.body, self.options.example) {
            body.example = example();
        }
        inputs
    }

    /// The largest body in bytes; `None` leaves it to the operator.
    pub fn max_body(&self) -> Option<usize> {
        let takes_credentials = ["/auth/", "/oauth/"].iter().any(|prefix| self.path.starts_with(prefix));
        self.options.max_body.or(takes_credentials.then_some(CREDENTIAL_BODY))
    }

    /// Whether the first parameter of its first path is the workspace of the call.
    pub fn names_workspace(&self) -> bool {
        self.path.contains("{workspaceId}")
    }

    /// Whether calls change anything.
    pub fn mutates(&self) -> bool {
        ![Method::GET, Method::HEAD, Method::OPTIONS].contains(&self.method)
    }

    /// Whether the idempotency key of a call must be well-formed.
    pub fn checks_key(&self) -> bool {
        self.mutates() && !self.takes_bytes()
    }

    /// Whether the idempotency key of a call has an effect. Forms of pages are not repeated by programs.
    pub fn takes_key(&self) -> bool {
        self.checks_key() && !self.is_screen()
    }

    /// Whether its handler reads the body as it arrives.
    pub fn takes_bytes(&self) -> bool {
        self.options.bodies.is_streamed()
    }

    /// Whether the route serves pages for browsers.
    pub fn is_screen(&self) -> bool {
        self.options.surface == Surface::Screen
    }

    /// Whether answers may be compressed: not on routes with an answer that contains a secret, and not on screens,
    /// whose forms contain tokens. A screen without a form says so itself (`Screen::may_compress`). Answers with and
    /// without a secret are therefore different types and routes.
    pub fn may_compress(&self) -> bool {
        !self.is_screen() && !self.answers.iter().any(|answer| answer.shape.holds_secret)
    }

    /// Whether clients can avoid downloading an answer that they already have.
    pub fn is_conditional(&self) -> bool {
        self.answers.iter().any(|answer| answer.status == 304)
    }

    /// The accepted encodings of bodies.
    pub fn bodies(&self) -> Bodies {
        if self.is_screen() { Bodies::Form } else { self.options.bodies }
    }

    /// Which pages of other origins may call it.
    pub fn cross_origin(&self) -> CrossOrigin {
        if self.is_screen() { CrossOrigin::Nobody } else { self.options.cross_origin }
    }

    /// Whether pages of at least some other origins may call it.
    pub fn is_open_to_other_origins(&self) -> bool {
        self.cross_origin() != CrossOrigin::Nobody
    }
}

/// Rarely used options, with their defaults.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub place: Place,
    /// The date (`YYYY-MM-DD`) on which a deprecated route will be removed.
    pub deprecated: Option<&'static str>,
    pub duplicates: Duplicates,
    /// The route is not rate limited.
    pub free: bool,
    /// The level of the log line of a call that is answered as intended.
    pub logged_at: Level,
    /// The largest body in bytes, if it differs from the general limit.
    pub max_body: Option<usize>,
    /// `Cache-Control`, if answers may be cached.
    pub cache: &'static str,
    /// The route is part of the published description.
    pub published: bool,
    pub surface: Surface,
    pub bodies: Bodies,
    /// An example of the body, if that of its type is one for another route.
    pub example: Option<fn() -> Value>,
    pub cross_origin: CrossOrigin,
    pub indexing: Indexing,
    pub ids: Ids,
    /// A ticket in the query can take the place of a credential in a header.
    pub takes_ticket: bool,
}

impl Options {
    pub const PLAIN: Self = Self {
        place: Place::Api,
        deprecated: None,
        duplicates: Duplicates::Refused,
        free: false,
        logged_at: Level::INFO,
        max_body: None,
        cache: "no-store",
        published: true,
        surface: Surface::Json,
        bodies: Bodies::Json,
        example: None,
        cross_origin: CrossOrigin::Listed,
        indexing: Indexing::NotInstructed,
        ids: Ids::Revealed,
        takes_ticket: false,
    };
}

/// Which pages of other origins may call a route and read its answers (CORS).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CrossOrigin {
    Nobody,
    /// Pages of the origins that the operator lists.
    Listed,
    /// All pages. For routes whose address is the credential: who knows the address may read the answer.
    Anybody,
}

/// What a caller learns about an id in the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ids {
    /// 404 if the caller cannot see anything with this id.
    Revealed,
    /// Nothing: the answer is the same for every id.
    Concealed,
}

/// Whether search engines are told to index the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indexing {
    NotInstructed,
    /// They must not index an answer, unless the answer says otherwise.
    Excluded,
}

/// The clients that a route serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Programs.
    Json,
    /// Browsers: the route accepts forms of its own pages, and every answer, including refusals, is a page.
    Screen,
}

/// Where a route is located.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Under the base path of the API.
    Api,
    /// At the origin itself.
    Origin,
    Both,
}

/// One successful answer of a route.
#[derive(Clone, Copy, Debug)]
pub struct AnswerDoc {
    pub status: u16,
    pub shape: Shape,
}

/// The shape of a body, for the description.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Empty if there is no body.
    pub media: &'static str,
    pub schema: fn() -> Value,
    pub example: fn() -> Value,
    pub collect: fn(&mut Named),
    /// The same in other media types.
    pub alternatives: fn() -> Vec<MediaDoc>,
    /// The body contains a token, a secret or a signed address.
    pub holds_secret: bool,
    /// The answer has a `Location`.
    pub has_location: bool,
}

impl Shape {
    pub const fn of<T: RouteReply>() -> Self {
        Self {
            media: T::MEDIA,
            schema: T::schema,
            example: T::example,
            collect: T::collect,
            alternatives: T::alternatives,
            holds_secret: T::HOLDS_SECRET,
            has_location: T::HAS_LOCATION,
        }
    }
}

/// 302 or 303: a redirect to another page.
#[derive(Clone, Copy, Debug)]
pub struct Redirect;

impl Documented for Redirect {
    fn schema() -> Value {
        Value::Null
    }

    fn example() -> Value {
        Value::Null
    }
}

impl RouteReply for Redirect {
    const MEDIA: &'static str = "";
    const HAS_LOCATION: bool = true;
}

/// 204.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Documented for Nothing {
    fn schema() -> Value {
        Value::Null
    }

    fn example() -> Value {
        Value::Null
    }
}

impl RouteReply for Nothing {
    const MEDIA: &'static str = "";
}

/// Rejects, at compile time, a doc comment that only has a summary.
pub const fn is_described(summary: &str, lines: &[&str]) -> bool {
    let blank_behind_summary = lines.len() >= 2 && is_blank(lines[0]);
    !is_blank(summary) && blank_behind_summary && !is_blank(lines[1])
}

const fn is_blank(text: &str) -> bool {
    text.trim_ascii().is_empty()
}
