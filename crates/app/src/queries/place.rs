//! The place where the answer to a query continues.

use octavo_query_engine::Place;
use std::{fmt, str::FromStr};

/// The place where the answer to a query continues. It can be parsed from its text form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryPlace(pub Place);

impl fmt::Display for QueryPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { anchor, offset, key, digest } = self.0;
        write!(f, "{anchor} {offset} {key} {digest}")
    }
}

/// The text is not such a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidQueryPlace;

impl FromStr for QueryPlace {
    type Err = InvalidQueryPlace;

    fn from_str(text: &str) -> Result<Self, InvalidQueryPlace> {
        let mut parts = text.split(' ');
        let number = |parts: &mut std::str::Split<'_, char>| parts.next()?.parse().ok();
        let anchor = parts.next().and_then(|part| part.parse().ok());
        let numbers = (number(&mut parts), number(&mut parts), number(&mut parts), parts.next());
        match (anchor, numbers) {
            (Some(anchor), (Some(offset), Some(key), Some(digest), None)) => {
                Ok(Self(Place { anchor, offset, key, digest }))
            }
            _ => Err(InvalidQueryPlace),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::id::RecordId;

    #[test]
    fn a_place_is_read_as_it_is_written() {
        let place = QueryPlace(Place { anchor: RecordId::EXAMPLE, offset: 50, key: u64::MAX, digest: 7 });
        assert_eq!(place.to_string().parse(), Ok(place));
        let text = place.to_string();
        for wrong in ["", "rpt_1 1 2 3", &text[..text.len() - 2], &format!("{text} 4"), &text.replace("50", "-1")] {
            assert_eq!(wrong.parse::<QueryPlace>(), Err(InvalidQueryPlace), "{wrong}");
        }
    }
}
