//! The scopes that a user granted to an app: the overall cap, and the parts of the product that they open.

use crate::Denied;
use octavo_core_model::{AppScope, Level, scope::ScopeArea};
use std::fmt;

/// Whether a call reads or changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// It only reads.
    Read,
    /// It changes something.
    Write,
}

/// A set of scopes that were granted to an app.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct AppScopes(u8);

impl AppScopes {
    /// No scope: such an app can do nothing.
    pub const NONE: Self = Self(0);

    /// Whether the set contains exactly this scope.
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

    /// The level that an app never exceeds, whoever it acts for and in every part of the product.
    ///
    /// It is an overall cap: with `files:write` and `pages:read` it is `EDIT`. [`require`](Self::require) ensures
    /// that pages are still read-only.
    pub fn cap(self) -> Level {
        let levels = self.iter().map(|scope| if scope.writes() { Level::Edit } else { Level::View });
        levels.max().unwrap_or(Level::None)
    }

    /// Requires a scope of the area. For reading, a scope for writing is enough too.
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
