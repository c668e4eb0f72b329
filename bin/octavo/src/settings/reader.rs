//! Chooses the strongest source of a setting and parses its value.

use super::{
    fault::Fault,
    kinds::{Flaw, Kind, Shape},
    mask::Secrecy,
    raw::Raw,
    row::Fallback,
    source::Source,
    sources::Offers,
};

/// A value and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chosen<T> {
    pub(super) value: T,
    pub(super) source: Source,
}

pub(super) struct Reader<'a> {
    pub(super) offers: &'a Offers,
    pub(super) faults: &'a mut Vec<Fault>,
}

impl Reader<'_> {
    /// The value that is used. Weaker sources are ignored, even if they are wrong.
    pub(super) fn choose<K: Kind>(
        &mut self,
        setting: &str,
        kind: &K,
        secrecy: Secrecy,
        fallback: &Fallback,
    ) -> Option<Chosen<K::Value>> {
        let default = match fallback {
            Fallback::Value(text) => {
                Some((Source::Default, Raw { bytes: text.clone().into_bytes(), shape: Shape::Text }))
            }
            Fallback::None | Fallback::Derived(_) | Fallback::Generated => None,
        };
        let (source, raw) = self.offers.strongest(setting).or(default.as_ref())?;
        let fits = raw.shape == Shape::Text || raw.shape == K::NATIVE;
        match if fits { kind.parse_bytes(&raw.bytes) } else { Err(Flaw::Malformed) } {
            Ok(value) => Some(Chosen { value, source: source.clone() }),
            Err(flaw) => {
                self.faults.push(Fault::new(setting, source, problem(&flaw, kind, secrecy, raw)));
                None
            }
        }
    }
}

fn problem<K: Kind>(flaw: &Flaw, kind: &K, secrecy: Secrecy, raw: &Raw) -> String {
    match flaw {
        Flaw::Because(reason) => reason.clone(),
        Flaw::Malformed => {
            let quoted = std::str::from_utf8(&raw.bytes).ok().and_then(|text| secrecy.quoted(text));
            let quoted = quoted.map_or_else(String::new, |text| format!(", not \"{text}\""));
            format!("must be {}{quoted}", kind.wants())
        }
    }
}
