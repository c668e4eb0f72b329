//! What a user granted an app: the overall cap, and the parts of the product it opens.

use crate::Denied;
use octavo_core_model::{AppScope, Level, scope::ScopeArea};
use std::fmt;

/// Whether a call reads or changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Nothing changes.
    Read,
    /// Something changes.
    Write,
}

/// A set of scopes that an app was granted.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct AppScopes(u8);

impl AppScopes {
    /// No scope at all: such an app reaches nothing.
    pub const NONE: Self = Self(0);

    /// Whether the set holds this scope itself.
    pub const fn contains(self, scope: AppScope) -> bool {
        self.0 & bit(scope) != 0
    }

    /// Whether nothing was granted.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The scopes of the set, in the order of their declaration.
    pub fn iter(self) -> impl Iterator<Item = AppScope> {
        AppScope::ALL.iter().copied().filter(move |scope| self.contains(*scope))
    }

    /// The level that an app never exceeds, whoever it acts for and whichever part of the product is meant.
    ///
    /// The cap is overall: with `files:write` and `pages:read` it is `EDIT`. That pages stay read-only is what
    /// [`require`](Self::require) answers.
    pub fn cap(self) -> Level {
        let levels = self.iter().map(|scope| if scope.writes() { Level::Edit } else { Level::View });
        levels.max().unwrap_or(Level::None)
    }

    /// Requires a scope of the area. For reading, the area's scope for reading or for writing will do.
    pub fn require(self, area: ScopeArea, access: Access) -> Result<(), Denied> {
        let for_writing = AppScope::needed(area, true);
        let needed = AppScope::needed(area, access == Access::Write);
        if self.contains(needed) || self.contains(for_writing) { Ok(()) } else { Err(Denied::NeedsAppScope(needed)) }
    }
}

const fn bit(scope: AppScope) -> u8 {
    1 << scope as u8
}

impl FromIterator<AppScope> for AppScopes {
    fn from_iter<T: IntoIterator<Item = AppScope>>(scopes: T) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | bit(scope)))
    }
}

impl fmt::Debug for AppScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
