//! Words of search.

use crate::name::named;

named! {
    /// What a search finds.
    ResultType {
        /// A page that belongs to no record.
        Page = "page",
        /// A record with its page.
        Record = "record",
        /// A database.
        Database = "database",
        /// A thread: a comment with its replies.
        Comment = "comment",
    }
}

named! {
    /// Where a search looks for words.
    ResultField {
        /// The title of a page, a record or a database.
        Title = "title",
        /// The blocks of a page, the description of a database.
        Text = "text",
        /// The values of a record.
        Property = "property",
        /// Comments and replies.
        Comment = "comment",
    }
}

named! {
    /// The order of results.
    ResultOrder {
        /// The best ones first.
        Relevance = "relevance",
        /// Last changed first.
        NewestChange = "-updatedAt",
        /// Last changed last.
        OldestChange = "updatedAt",
        /// Newest first.
        Newest = "-createdAt",
        /// Oldest first.
        Oldest = "createdAt",
    }
}
