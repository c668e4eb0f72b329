//! `query!`: declares a query with its struct, its parser and its description.

use super::{Binding, CursorSeal, PageLimits, PageRequest, Readable};
use octavo_core_model::fault::{Hint, Issue, Violation};
use percent_encoding::percent_decode_str;
use std::{borrow::Cow, str::FromStr};

/// Declares the parameters of a query. The grammar is that of `body!`; for a list, the first line declares its
/// pagination:
///
/// ```text
/// query! {
///     /// Which sessions to list.
///     pub SessionsQuery {
///         page: SessionId, 20 up to 100;
///         /// Only sessions in this state.
///         status "status": optional SessionStatus = "ACTIVE",
///     }
/// }
/// ```
macro_rules! query {
    ($(#[doc = $about:literal])+ $vis:vis $name:ident {
        $(page: $key:ty, $default:literal up to $max:literal $(in $size:literal)?;)?
        $($(#[doc = $doc:literal])+ $field:ident $json:literal: $kind:ident $type:ty $(= $example:tt)?),* $(,)?
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug)]
        $vis struct $name {
            $(pub page: $crate::wire::PageRequest<$key>,)?
            $($(#[doc = $doc])+ pub $field: $crate::wire::field_type!($kind $type),)*
        }

        impl $crate::wire::QueryParameters for $name {
            $(const PAGE: Option<$crate::wire::PageLimits> =
                Some($crate::wire::PageLimits {
                    name: $crate::wire::size_name!($($size)?),
                    default: $default,
                    max: $max,
                });)?

            fn read(parameters: &mut $crate::wire::Parameters<'_>) -> Option<Self> {
                $(let page = parameters.page::<$key>($crate::wire::PageLimits {
                    name: $crate::wire::size_name!($($size)?),
                    default: $default,
                    max: $max,
                });)?
                $(let $field = parameters.$kind::<$type>($json);)*
                Some(Self {
                    $(page: { let page: Option<$crate::wire::PageRequest<$key>> = page; page? },)?
                    $($field: $field?,)*
                })
            }

            fn describe() -> Vec<$crate::wire::ParameterDoc> {
                let page = Vec::<[$crate::wire::ParameterDoc; 2]>::from([
                    $($crate::wire::PageLimits {
                    name: $crate::wire::size_name!($($size)?),
                    default: $default,
                    max: $max,
                }.describe())?
                ]);
                let filters = vec![$($crate::wire::ParameterDoc {
                    name: $json,
                    about: $crate::wire::prose(&[$($doc),+]),
                    required: $crate::wire::is_always!(body $kind),
                    schema: <$type as $crate::wire::Documented>::schema(),
                    example: $crate::wire::field_example!($type $(, $example)?),
                }),*];
                [page.concat(), filters].concat()
            }
        }
    };
}

/// The parameter for the size of a page, which has another name on some lists.
macro_rules! size_name {
    () => {
        "limit"
    };
    ($name:literal) => {
        $name
    };
}

pub(crate) use {query, size_name};

/// The parameters for pagination.
const PAGING: [&str; 3] = ["cursor", "limit", "pageSize"];

/// The parameters of one query. Each method either returns a value, or records a violation and returns `None`.
#[derive(Debug)]
pub struct Parameters<'a> {
    pairs: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    seal: Option<&'a CursorSeal>,
    violations: Vec<Violation>,
}

impl<'a> Parameters<'a> {
    /// Splits a query into its pairs. Invalid UTF-8 becomes replacement characters, which no rule accepts.
    pub fn parse(query: &'a str) -> Self {
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name), decode(value))
        });
        Self { pairs: pairs.collect(), seal: None, violations: Vec::new() }
    }

    /// All names with their values, in the order of the query.
    pub fn into_pairs(self) -> impl Iterator<Item = (String, String)> {
        self.pairs.into_iter().map(|(name, value)| (name.into_owned(), value.into_owned()))
    }

    /// What a cursor is bound to in addition to its list: every parameter except those for pagination.
    pub fn binding(&self, principal: &str, workspace: &str, route: &str) -> Binding {
        let filters = self.pairs.iter().map(|(name, value)| (&**name, &**value));
        Binding::new(principal, workspace, route, filters.filter(|(name, _)| !PAGING.contains(name)))
    }

    #[must_use]
    pub fn sealed_by(mut self, seal: &'a CursorSeal) -> Self {
        self.seal = Some(seal);
        self
    }

    pub fn required<T: Readable>(&mut self, name: &'static str) -> Option<T> {
        let found = self.single(name, T::SECRET)?;
        if found.is_none() {
            self.violations.push(Violation::new(name, Issue::Required).hinting(T::hint(Issue::Required)));
        }
        self.value(name, found?)
    }

    pub fn optional<T: Readable>(&mut self, name: &'static str) -> Option<Option<T>> {
        match self.single(name, T::SECRET)? {
            Some(text) => self.value(name, text).map(Some),
            None => Some(None),
        }
    }

    pub fn page<K: FromStr>(&mut self, limits: PageLimits) -> Option<PageRequest<K>> {
        let is_sized = self.pairs.iter().any(|(name, _)| name == limits.name);
        let limit = self.single(limits.name, false).and_then(|text| match limits.read(text.as_deref()) {
            Ok(limit) => Some(limit),
            Err(issue) => self.flaw(limits.name, issue, text, limits.hint()),
        });
        let after = self.single("cursor", false).and_then(|text| {
            let Some(text) = text else { return Some(None) };
            match self.seal.and_then(|seal| seal.open(&text)) {
                Some(key) => Some(Some(key)),
                None => self.flaw("cursor", Issue::InvalidValue, Some(text), Hint::default()),
            }
        });
        Some(PageRequest { limit: limit?, is_sized, after: after? })
    }

    /// The page size.
    pub fn limit(&self, limits: PageLimits) -> Option<u32> {
        let text = self.pairs.iter().find(|(name, _)| name == limits.name).map(|(_, text)| &**text);
        limits.read(text).ok()
    }

    pub fn into_violations(self) -> Vec<Violation> {
        self.violations
    }

    /// The value of a parameter that may be sent once; the outer `None` means that it was repeated.
    #[expect(clippy::option_option, reason = "outermost: sent at most once; then: sent")]
    fn single(&mut self, name: &'static str, is_secret: bool) -> Option<Option<Cow<'a, str>>> {
        let mut values: Vec<_> = self.pairs.iter().filter(|(found, _)| found == name).map(|(_, text)| text).collect();
        if values.len() > 1 {
            let violation = Violation::new(name, Issue::Duplicate);
            let sent = || values.iter().map(ToString::to_string).collect();
            self.violations.push(if is_secret { violation } else { violation.with(sent()) });
            return None;
        }
        Some(values.pop().cloned())
    }

    fn value<T: Readable>(&mut self, name: &'static str, text: Cow<'a, str>) -> Option<T> {
        // As in bodies: NUL is refused, because not every store accepts it.
        if text.contains('\0') {
            return self.flaw(name, Issue::InvalidFormat, (!T::SECRET).then_some(text), Hint::default());
        }
        match T::read_text(&text) {
            Ok(value) => Some(value),
            Err(issue) => self.flaw(name, issue, (!T::SECRET).then_some(text), T::hint(issue)),
        }
    }

    fn flaw<T>(&mut self, name: &'static str, issue: Issue, received: Option<Cow<'a, str>>, hint: Hint) -> Option<T> {
        let received = received.map(|text| text.into_owned().into());
        self.violations.push(Violation { received, ..Violation::new(name, issue).hinting(hint) });
        None
    }
}

/// Forms encode spaces as `+`.
fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains(['%', '+']) {
        return Cow::Borrowed(text);
    }
    let spaced = text.replace('+', " ");
    Cow::Owned(percent_decode_str(&spaced).decode_utf8_lossy().into_owned())
}
