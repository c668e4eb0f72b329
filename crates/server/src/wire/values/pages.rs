//! Types for requests about pages: places, orders, versions, and refused fields.

use super::text;
use crate::wire::{Documented, Readable, Whole, Writable};
use octavo_core_model::{
    fault::Issue,
    id::{PageId, TeamId},
    page::{PageSort, ParentRef, ResourceId},
    text::Name,
};
use serde::Serializer;
use serde_json::{Value, json};

/// The parent of a page: a page, or a record for its page.
#[derive(Clone, Copy, Debug)]
pub struct Parent(pub ParentRef);

impl Documented for Parent {
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^(pg|rpt|rec|db)_[0-7][0-9A-HJKMNP-TV-Z]{25}$" })
    }

    fn example() -> Value {
        PageId::example()
    }
}

impl Readable for Parent {
    fn read(value: &Value) -> Result<Self, Issue> {
        text(value)?.parse().map(Self).map_err(|_| Issue::InvalidId)
    }
}

/// A page or a database, wherever either is possible.
impl Documented for ResourceId {
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^(pg|db)_[0-7][0-9A-HJKMNP-TV-Z]{25}$" })
    }

    fn example() -> Value {
        PageId::example()
    }
}

impl Readable for ResourceId {
    fn read(value: &Value) -> Result<Self, Issue> {
        text(value)?.parse().map_err(|_| Issue::InvalidId)
    }
}

impl Writable for ResourceId {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde::Serialize::serialize(self, serializer)
    }
}

/// A favorite next to which to put another one.
#[derive(Clone, Copy, Debug)]
pub struct NeighbourFavorite(pub ResourceId);

impl Documented for NeighbourFavorite {
    const IN_EXAMPLES: bool = false;

    fn schema() -> Value {
        ResourceId::schema()
    }

    fn example() -> Value {
        ResourceId::example()
    }
}

impl Readable for NeighbourFavorite {
    fn read(value: &Value) -> Result<Self, Issue> {
        ResourceId::read(value).map(Self)
    }
}

/// A sibling next to which to put a page. There are several ways to name a place, and examples show another one.
#[derive(Clone, Copy, Debug)]
pub struct Neighbour(pub PageId);

impl Documented for Neighbour {
    const IN_EXAMPLES: bool = false;

    fn schema() -> Value {
        PageId::schema()
    }

    fn example() -> Value {
        PageId::example()
    }
}

impl Readable for Neighbour {
    fn read(value: &Value) -> Result<Self, Issue> {
        PageId::read(value).map(Self)
    }
}

/// The page whose children to list, or `root`.
#[derive(Clone, Copy, Debug)]
pub struct Root(pub Option<PageId>);

impl Documented for Root {
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^(root|pg_[0-7][0-9A-HJKMNP-TV-Z]{25})$" })
    }

    fn example() -> Value {
        "root".into()
    }
}

impl Readable for Root {
    fn read(value: &Value) -> Result<Self, Issue> {
        match text(value)? {
            "root" => Ok(Self(None)),
            id => id.parse().map(|id| Self(Some(id))).map_err(|_| Issue::InvalidId),
        }
    }
}

/// The label of a version; an empty text counts as none.
#[derive(Clone, Debug)]
pub struct VersionLabel(pub Option<Name>);

impl Documented for VersionLabel {
    fn schema() -> Value {
        json!({ "type": "string", "maxLength": Name::MAX })
    }

    fn example() -> Value {
        "Before the launch".into()
    }
}

impl Readable for VersionLabel {
    fn read(value: &Value) -> Result<Self, Issue> {
        if text(value)?.trim().is_empty() {
            return Ok(Self(None));
        }
        Name::read(value).map(|label| Self(Some(label)))
    }
}

/// The order of a list of pages.
#[derive(Clone, Copy, Debug)]
pub struct Sort(pub PageSort);

impl Documented for Sort {
    fn schema() -> Value {
        json!({ "type": "string", "enum": PageSort::ALL.map(|(word, _)| word) })
    }

    fn example() -> Value {
        "-updatedAt".into()
    }
}

impl Readable for Sort {
    fn read(value: &Value) -> Result<Self, Issue> {
        let word = text(value)?;
        let found = PageSort::ALL.into_iter().find(|(known, _)| *known == word);
        found.map(|(_, sort)| Self(sort)).ok_or(Issue::InvalidValue)
    }
}

/// The root of a tree.
#[derive(Clone, Copy, Debug)]
pub struct TreeRootRef(pub octavo_app::pages::TreeRoot);

impl Documented for TreeRootRef {
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^(workspace|shared|(tm|pg)_[0-7][0-9A-HJKMNP-TV-Z]{25})$" })
    }

    fn example() -> Value {
        "workspace".into()
    }
}

impl Readable for TreeRootRef {
    fn read(value: &Value) -> Result<Self, Issue> {
        use octavo_app::pages::TreeRoot;
        match text(value)? {
            "workspace" => Ok(Self(TreeRoot::Workspace)),
            "shared" => Ok(Self(TreeRoot::Shared)),
            id => {
                let team = id.parse::<TeamId>().map(TreeRoot::Team);
                let page = || id.parse::<PageId>().map(TreeRoot::Page);
                team.or_else(|_| page()).map(Self).map_err(|_| Issue::InvalidId)
            }
        }
    }
}

/// The version that a change is based on.
#[derive(Clone, Copy, Debug)]
pub struct Version(pub i64);

impl Documented for Version {
    // An example would name a version that does not exist.
    const IN_EXAMPLES: bool = false;

    fn schema() -> Value {
        json!({ "type": "integer", "minimum": 0 })
    }

    fn example() -> Value {
        7.into()
    }
}

impl Readable for Version {
    fn read(value: &Value) -> Result<Self, Issue> {
        match value.as_i64() {
            Some(number) if number >= 0 => Ok(Self(number)),
            Some(_) => Err(Issue::TooSmall),
            None if value.as_u64().is_some() => Err(Issue::TooLarge),
            None => Err(Issue::InvalidType),
        }
    }

    fn read_text(text: &str) -> Result<Self, Issue> {
        Whole::<0, { i64::MAX }>::read_text(text).map(|number| Self(number.0))
    }
}

/// A field that only another route can change: any value is refused.
#[derive(Clone, Copy, Debug)]
pub enum ChangedByMove {}

/// A field that is not supported yet: any value is refused.
#[derive(Clone, Copy, Debug)]
pub enum UnsupportedField {}

macro_rules! refused {
    ($($field:ident $issue:ident;)*) => {$(
        impl Documented for $field {
            const IN_EXAMPLES: bool = false;

            fn schema() -> Value {
                json!({ "readOnly": true })
            }

            fn example() -> Value {
                Value::Null
            }
        }

        impl Readable for $field {
            fn read(_: &Value) -> Result<Self, Issue> {
                Err(Issue::$issue)
            }
        }
    )*};
}

refused! {
    ChangedByMove UseMoveRoute;
    UnsupportedField Unsupported;
}
