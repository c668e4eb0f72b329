//! What a document of the index consists of. A change here needs a new [`FORMAT`].

use crate::tokenizer;
use octavo_search::Field as Part;
use tantivy::schema::{BytesOptions, Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions};

/// The number of the format. An index of another format is removed and made anew.
pub(crate) const FORMAT: u32 = 1;

/// The names of the columns, by which they are opened.
pub(crate) mod column {
    pub(crate) const ID_HIGH: &str = "id_high";
    pub(crate) const ID_LOW: &str = "id_low";
    pub(crate) const KIND: &str = "kind";
    pub(crate) const PAGE: &str = "page";
    pub(crate) const DATABASE: &str = "database";
    pub(crate) const CREATED_BY: &str = "created_by";
    pub(crate) const UPDATED_BY: &str = "updated_by";
    pub(crate) const CREATED_AT: &str = "created_at";
    pub(crate) const UPDATED_AT: &str = "updated_at";
    pub(crate) const SOURCES: &str = "sources";
    pub(crate) const SEQUENCE: &str = "sequence";
}

/// The fields of a document.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    /// Terms that name the unit and what it belongs to, see `keys`.
    pub(crate) keys: Field,
    pub(crate) words: [Field; WordField::ALL.len()],
    pub(crate) id_high: Field,
    pub(crate) id_low: Field,
    pub(crate) kind: Field,
    /// The page of a comment; other units are their own page.
    pub(crate) page: Field,
    pub(crate) database: Field,
    pub(crate) created_by: Field,
    pub(crate) updated_by: Field,
    pub(crate) created_at: Field,
    pub(crate) updated_at: Field,
    /// Where borrowed texts come from: page and database of each source, 0 for none.
    pub(crate) sources: Field,
    /// How far a log was followed.
    pub(crate) sequence: Field,
    /// What is still to be done in a workspace.
    pub(crate) rest: Field,
}

/// A field with words. Borrowed texts have fields of their own, because not everybody that finds a unit may find it by
/// these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WordField {
    Title,
    Text,
    Property,
    Comment,
    BorrowedText,
    BorrowedProperty,
}

impl WordField {
    pub(crate) const ALL: [Self; 6] =
        [Self::Title, Self::Text, Self::Property, Self::Comment, Self::BorrowedText, Self::BorrowedProperty];

    pub(crate) const fn of(part: Part, is_borrowed: bool) -> Self {
        match (part, is_borrowed) {
            (Part::Title, _) => Self::Title,
            (Part::Text, false) => Self::Text,
            (Part::Text, true) => Self::BorrowedText,
            (Part::Property, false) => Self::Property,
            (Part::Property, true) => Self::BorrowedProperty,
            (Part::Comment, _) => Self::Comment,
        }
    }

    pub(crate) const fn part(self) -> Part {
        match self {
            Self::Title => Part::Title,
            Self::Text | Self::BorrowedText => Part::Text,
            Self::Property | Self::BorrowedProperty => Part::Property,
            Self::Comment => Part::Comment,
        }
    }

    pub(crate) const fn is_borrowed(self) -> bool {
        matches!(self, Self::BorrowedText | Self::BorrowedProperty)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Text => "text",
            Self::Property => "property",
            Self::Comment => "comment",
            Self::BorrowedText => "borrowed_text",
            Self::BorrowedProperty => "borrowed_property",
        }
    }
}

impl Fields {
    pub(crate) fn schema() -> (Schema, Self) {
        let mut schema = Schema::builder();
        let keys = TextFieldIndexing::default()
            .set_tokenizer("raw")
            .set_fieldnorms(false)
            .set_index_option(IndexRecordOption::Basic);
        let number = || NumericOptions::default().set_fast();
        // Few different values: those are kept once, in a dictionary.
        let owner = || BytesOptions::default().set_fast();
        let fields = Self {
            keys: schema.add_text_field("keys", TextOptions::default().set_indexing_options(keys)),
            words: WordField::ALL.map(|field| {
                let words = TextFieldIndexing::default()
                    .set_tokenizer(tokenizer::NAME)
                    .set_fieldnorms(field == WordField::Text)
                    .set_index_option(IndexRecordOption::WithFreqsAndPositions);
                schema.add_text_field(field.name(), TextOptions::default().set_indexing_options(words))
            }),
            id_high: schema.add_u64_field(column::ID_HIGH, number()),
            id_low: schema.add_u64_field(column::ID_LOW, number()),
            kind: schema.add_u64_field(column::KIND, number()),
            page: schema.add_u64_field(column::PAGE, number()),
            database: schema.add_bytes_field(column::DATABASE, owner()),
            created_by: schema.add_bytes_field(column::CREATED_BY, owner()),
            updated_by: schema.add_bytes_field(column::UPDATED_BY, owner()),
            created_at: schema.add_i64_field(column::CREATED_AT, number()),
            updated_at: schema.add_i64_field(column::UPDATED_AT, number()),
            sources: schema.add_u64_field(column::SOURCES, number()),
            sequence: schema.add_i64_field(column::SEQUENCE, number()),
            rest: schema.add_text_field("rest", TextOptions::default().set_stored()),
        };
        (schema.build(), fields)
    }

    pub(crate) const fn words(&self, field: WordField) -> Field {
        self.words[field as usize]
    }
}
