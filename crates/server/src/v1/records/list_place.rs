//! The place where a list of records continues.

use octavo_app::queries::QueryPlace;
use octavo_core_model::record::RecordPlace;
use std::{fmt, str::FromStr};

/// The place where a list of records continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ListPlace {
    /// In the order of the records.
    InOrder(RecordPlace),
    /// In the answer to a query.
    InQuery(QueryPlace),
}

impl fmt::Display for ListPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InOrder(place) => place.fmt(f),
            Self::InQuery(place) => place.fmt(f),
        }
    }
}

/// The text is not such a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InvalidListPlace;

impl FromStr for ListPlace {
    type Err = InvalidListPlace;

    fn from_str(text: &str) -> Result<Self, InvalidListPlace> {
        let in_query = || text.parse().map(Self::InQuery);
        text.parse().map(Self::InOrder).or_else(|_| in_query()).map_err(|_| InvalidListPlace)
    }
}
