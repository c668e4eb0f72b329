//! Levels of access to pages, databases and files.

use crate::name::named;

named! {
    /// A permission level, lowest first.
    Level {
        /// The caller must not even learn that the resource exists.
        None = "NONE",
        View = "VIEW",
        Comment = "COMMENT",
        Edit = "EDIT",
        FullAccess = "FULL_ACCESS",
    }
}
