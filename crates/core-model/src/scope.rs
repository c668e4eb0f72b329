//! What credentials other than those of a signed-in user may do: scopes of API keys and of apps.

use crate::{level::Level, name::named};

named! {
    /// A scope of an API key, lowest first; each includes those below it.
    KeyScope {
        Read = "READ",
        Write = "WRITE",
        Admin = "ADMIN",
    }
}

impl KeyScope {
    /// The level of a key on every page and database of its workspace.
    pub const fn level(self) -> Level {
        match self {
            Self::Read => Level::View,
            Self::Write => Level::Edit,
            Self::Admin => Level::FullAccess,
        }
    }
}

named! {
    /// A scope that an app can be granted.
    AppScope {
        PagesRead = "pages:read",
        PagesWrite = "pages:write",
        DatabasesRead = "databases:read",
        DatabasesWrite = "databases:write",
        FilesRead = "files:read",
        FilesWrite = "files:write",
    }
}

/// A part of the product that app scopes open separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScopeArea {
    /// Pages and what is on them.
    Pages,
    /// Databases and their records.
    Databases,
    /// Files.
    Files,
}

impl AppScope {
    /// The part of the product that the scope opens.
    pub const fn area(self) -> ScopeArea {
        match self {
            Self::PagesRead | Self::PagesWrite => ScopeArea::Pages,
            Self::DatabasesRead | Self::DatabasesWrite => ScopeArea::Databases,
            Self::FilesRead | Self::FilesWrite => ScopeArea::Files,
        }
    }

    /// Whether it opens that part for writing.
    pub const fn writes(self) -> bool {
        matches!(self, Self::PagesWrite | Self::DatabasesWrite | Self::FilesWrite)
    }

    /// The least scope that opens an area for reading or for writing.
    pub const fn needed(area: ScopeArea, writes: bool) -> Self {
        match (area, writes) {
            (ScopeArea::Pages, false) => Self::PagesRead,
            (ScopeArea::Pages, true) => Self::PagesWrite,
            (ScopeArea::Databases, false) => Self::DatabasesRead,
            (ScopeArea::Databases, true) => Self::DatabasesWrite,
            (ScopeArea::Files, false) => Self::FilesRead,
            (ScopeArea::Files, true) => Self::FilesWrite,
        }
    }
}
