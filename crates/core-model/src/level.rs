//! What a caller may do with a page, a database or a file.

use crate::name::named;

named! {
    /// A permission level, lowest first.
    Level {
        /// The resource is as good as absent.
        None = "NONE",
        View = "VIEW",
        Comment = "COMMENT",
        Edit = "EDIT",
        FullAccess = "FULL_ACCESS",
    }
}
