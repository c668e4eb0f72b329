//! Fields of a body that its route does not know. They are ignored and named in the answer, or refused if the caller
//! prefers that (RFC 7240, 4.4).

use super::preference::preference;
use crate::wire::MAX_UNKNOWN;
use actix_web::http::header::HeaderMap;
use octavo_app::Draft;
use octavo_core_model::{
    Fault,
    fault::{Issue, Violation},
};

/// What to do with unknown fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handling {
    Lenient,
    Strict,
}

impl Handling {
    /// What the caller prefers.
    pub(super) fn preferred(headers: &HeaderMap) -> Self {
        let is_strict = preference(headers, "handling").is_some_and(|value| value.eq_ignore_ascii_case("strict"));
        if is_strict { Self::Strict } else { Self::Lenient }
    }

    /// The draft of a body that was read, and what the answer says about the reading. `all` contains a violation for
    /// each unknown field.
    pub(super) fn decide<T>(self, read: Option<T>, all: Vec<Violation>) -> (Draft<T>, BodyReading) {
        let (unknown, mut flaws): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|violation| violation.issue == Issue::UnknownField);
        let unknown = unknown.into_iter().take(MAX_UNKNOWN);
        match self {
            Self::Lenient => {
                let ignored = unknown.map(|violation| violation.field).collect();
                (read.ok_or(Fault::Invalid(flaws)), BodyReading::Lenient { ignored })
            }
            Self::Strict => {
                flaws.extend(unknown);
                let draft = match read {
                    Some(read) if flaws.is_empty() => Ok(read),
                    _ => Err(Fault::Invalid(flaws)),
                };
                (draft, BodyReading::Strict)
            }
        }
    }
}

/// How the body of a call was read, for the headers of its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BodyReading {
    Lenient {
        /// The paths of unknown fields.
        ignored: Vec<String>,
    },
    Strict,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown(field: &str) -> Violation {
        Violation::new(field, Issue::UnknownField)
    }

    fn flaw() -> Violation {
        Violation::new("email", Issue::Required)
    }

    #[test]
    fn unknown_fields_are_named_or_refused_as_the_caller_prefers() {
        let lenient = |read, all| Handling::Lenient.decide::<u8>(read, all);
        let ignoring = |fields: &[&str]| BodyReading::Lenient {
            ignored: fields.iter().map(|field| (*field).to_owned()).collect(),
        };
        assert_eq!(lenient(Some(1), vec![]), (Ok(1), ignoring(&[])));
        assert_eq!(lenient(Some(1), vec![unknown("a"), unknown("b.c")]), (Ok(1), ignoring(&["a", "b.c"])));
        assert_eq!(lenient(None, vec![unknown("a"), flaw()]), (Err(flaw().into()), ignoring(&["a"])));

        let strict = |read, all| Handling::Strict.decide::<u8>(read, all);
        assert_eq!(strict(Some(1), vec![]), (Ok(1), BodyReading::Strict));
        assert_eq!(strict(Some(1), vec![unknown("a")]), (Err(unknown("a").into()), BodyReading::Strict));
        let both = Fault::Invalid(vec![flaw(), unknown("a")]);
        assert_eq!(strict(None, vec![unknown("a"), flaw()]), (Err(both), BodyReading::Strict));
    }

    #[test]
    fn at_most_twenty_fields_are_named() {
        let many = |count: usize| (0..count).map(|n| unknown(&format!("x{n}"))).collect::<Vec<_>>();
        let BodyReading::Lenient { ignored } = Handling::Lenient.decide(Some(()), many(30)).1 else { panic!("strict") };
        assert_eq!(ignored.len(), 20);
        let Err(Fault::Invalid(refused)) = Handling::Strict.decide(Some(()), many(30)).0 else { panic!("accepted") };
        assert_eq!(refused.len(), 20);
    }
}
