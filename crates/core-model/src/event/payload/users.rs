//! Events about accounts. They are in the log of the user's personal workspace.

use super::{FieldChanges, Location, Payload};
use crate::{event::Resource, id::UserId, text::Name};
use serde::Serialize;

/// Somebody changed their profile.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProfileUpdated {
    /// The account.
    #[serde(skip)]
    pub user: UserId,
    /// Which fields, with their old and new values.
    #[serde(flatten)]
    pub changes: FieldChanges,
}

impl Payload for ProfileUpdated {
    fn resource(&self) -> Resource {
        Resource::User(self.user)
    }

    fn location(&self) -> Location {
        Location::WORKSPACE
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self { user: UserId::EXAMPLE, changes: FieldChanges::example("name", "Ada Byron", "Ada Lovelace") }
    }
}

/// Somebody registered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UserRegistered {
    /// The new account.
    pub user_id: UserId,
    /// The name it was registered with.
    pub name: Name,
}

impl Payload for UserRegistered {
    fn resource(&self) -> Resource {
        Resource::User(self.user_id)
    }

    fn location(&self) -> Location {
        Location::WORKSPACE
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self { user_id: UserId::EXAMPLE, name: Name::from_stored("Ada Lovelace".to_owned()) }
    }
}
