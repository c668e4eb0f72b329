//! The types of blocks.

use std::fmt;

/// Declares the types with their public names.
macro_rules! kinds {
    ($($kind:ident = $name:literal,)*) => {
        /// The type of a block.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $(
                #[doc = concat!("`", $name, "`")]
                $kind,
            )*
        }

        impl Kind {
            /// All types.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// The name of the type in the API.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// The type with this name.
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$kind),)*
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    Paragraph = "paragraph",
    Heading1 = "heading_1",
    Heading2 = "heading_2",
    Heading3 = "heading_3",
    Quote = "quote",
    Callout = "callout",
    BulletedList = "bulleted_list",
    NumberedList = "numbered_list",
    Todo = "todo",
    Toggle = "toggle",
    Image = "image",
    Video = "video",
    Audio = "audio",
    File = "file",
    Bookmark = "bookmark",
    Embed = "embed",
    Code = "code",
    Equation = "equation",
    Column = "column",
    ColumnList = "column_list",
    Divider = "divider",
    Spacer = "spacer",
    Database = "database",
    LinkedDatabase = "linked_database",
    Table = "table",
    Chart = "chart",
    Form = "form",
    SyncedBlock = "synced_block",
    ChildPage = "child_page",
    ChildDatabase = "child_database",
}

impl Kind {
    /// Whether a block of this type may be a direct child of `parent`, or at the top of a page.
    pub const fn may_stand_in(self, parent: Option<Self>) -> bool {
        match parent {
            Some(Self::ColumnList) => matches!(self, Self::Column),
            Some(Self::Column) => !matches!(self, Self::Column | Self::ColumnList),
            // An instance shows its source and has no children of its own.
            Some(Self::SyncedBlock) => false,
            _ => true,
        }
    }

    /// Whether its content is rich text.
    pub const fn is_text(self) -> bool {
        matches!(
            self,
            Self::Paragraph
                | Self::Heading1
                | Self::Heading2
                | Self::Heading3
                | Self::Quote
                | Self::Callout
                | Self::BulletedList
                | Self::NumberedList
                | Self::Todo
                | Self::Toggle
        )
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_thirty_types_and_each_reads_back_from_its_name() {
        assert_eq!(Kind::ALL.len(), 30);
        for kind in Kind::ALL {
            assert_eq!(Kind::parse(kind.name()), Some(*kind));
        }
    }

    #[test]
    fn columns_alone_stand_in_a_list_of_columns_and_never_in_each_other() {
        for kind in Kind::ALL {
            let is_column = *kind == Kind::Column;
            assert_eq!(kind.may_stand_in(Some(Kind::ColumnList)), is_column, "{kind}");
            let refused = is_column || *kind == Kind::ColumnList;
            assert_eq!(kind.may_stand_in(Some(Kind::Column)), !refused, "{kind}");
            assert!(kind.may_stand_in(None) && kind.may_stand_in(Some(Kind::Toggle)), "{kind}");
        }
    }
}
