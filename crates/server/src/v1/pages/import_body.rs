//! What `/pages/import` takes and answers.

use crate::{
    v1::blocks::sent::SentDocument,
    wire::{Documented, JsonOf, Parent, Readable, UnsupportedField, body, reply},
};
use octavo_app::Draft;
use octavo_core_model::{
    Fault,
    fault::{Issue, TextFlaw, TextProblem, Violation},
    id::{DatabaseId, PageId, PropertyId, TeamId},
    page::ImportFormat,
    text::PageTitle,
};
use octavo_databases::{PropertyType, csv::Delimiter};
use serde_json::{Value, json};

/// The largest document that can be imported, in bytes.
pub(super) const MAX_DOCUMENT: usize = 5 << 20;

body! {
    /// A document to import.
    pub(crate) ImportBody {
        /// `markdown`, `html`, `json` from an export, or `csv` for a table.
        format "format": required ImportFormat = "markdown",
        /// The document, at most 5 MB.
        content "content": required SentDocument = "# Plan\n\n- [ ] Ship **it**",
        /// The parent page; null or left out means the root.
        parent_id "parentId": nullable Parent,
        /// The team of a root page; null for none.
        team_id "teamId": nullable TeamId = null,
        /// The title of the page or database; for a page by default the one with which the document begins.
        title "title": optional PageTitle,
        /// The database that gets the rows of a table as records; null or left out means a new one. Only with `csv`.
        database_id "databaseId": nullable DatabaseId,
        /// What becomes of the columns of a table, by their headers: the id of a property, `{ name, type }` for a new
        /// one, or null to leave the column out. Other columns belong to the property with their name. Only with `csv`.
        mapping "mapping": optional SentMapping,
        /// What is between the cells of a table; by default a comma, a semicolon or a tab, whichever fits. Only with `csv`.
        delimiter "delimiter": optional Delimiter = ";",
        /// Whether one bad row rejects all rows of a table; false by default. Only with `csv`.
        atomic "atomic": optional bool = false,
        /// Refused: there are no files yet.
        file_id "fileId": optional UnsupportedField,
    }
}

/// A row of a table that could not become a record.
#[derive(Debug)]
pub(crate) struct RejectedRow;

impl Documented for RejectedRow {
    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "row": { "type": "integer", "minimum": 1, "description": "Its number as a spreadsheet shows it: the header is row 1." },
                "column": { "type": ["string", "null"], "description": "The name of the column that is the reason." },
                "issue": { "type": "string", "description": "What is wrong with the cell or row." },
            },
            "required": ["row", "column", "issue"],
        })
    }

    fn example() -> Value {
        json!({ "row": 2, "column": "Due", "issue": "invalid_format" })
    }
}

reply! {
    /// The result of an import.
    pub(crate) ImportReply {
        /// The new page. For a table the page that its database is in; null at the root.
        page_id "pageId": nullable PageId,
        /// The database of a table; null for a page.
        database_id "databaseId": nullable DatabaseId = null,
        /// How many records were created.
        imported_records "importedRecords": required u64 = 0,
        /// The rows of a table that could not become records.
        rejected_rows "rejectedRows": required Vec<JsonOf<RejectedRow>> = [],
        /// What was left out.
        warnings "warnings": required Vec<String> =
            ["Mentions of things that do not exist for you became plain text: 2."],
    }
}

body! {
    /// The format of an import, which decides which right the call needs.
    pub(crate) FormatField {
        /// Any value.
        format "format": optional SentFormat,
    }
}

body! {
    /// The database that an import adds records to.
    pub(crate) DatabaseField {
        /// Its id.
        id "databaseId": nullable DatabaseId,
    }
}

impl FormatField {
    pub(super) fn is_table(&self) -> bool {
        self.format.as_ref().is_some_and(|format| format.0 == ImportFormat::Csv.name())
    }
}

/// A format, whether there is one with this name or not.
#[derive(Clone, Debug)]
pub(crate) struct SentFormat(Value);

impl Documented for SentFormat {
    fn schema() -> Value {
        ImportFormat::schema()
    }

    fn example() -> Value {
        ImportFormat::example()
    }
}

impl Readable for SentFormat {
    fn read(value: &Value) -> Result<Self, Issue> {
        Ok(Self(value.clone()))
    }
}

/// What becomes of columns. It is read later, so that every flaw is reported with its header.
#[derive(Clone, Debug)]
pub(crate) struct SentMapping(pub(super) Value);

impl Documented for SentMapping {
    fn schema() -> Value {
        let property = json!({
            "type": "object",
            "properties": {
                "name": { "type": "string", "minLength": 1, "maxLength": 100 },
                "type": PropertyType::schema(),
                "config": { "type": "object", "additionalProperties": true },
            },
        });
        json!({
            "type": "object",
            "additionalProperties": { "anyOf": [PropertyId::schema(), property, { "type": "null" }] },
        })
    }

    fn example() -> Value {
        json!({ "Deadline": { "name": "Due", "type": "date" }, "Internal": null })
    }
}

impl Readable for SentMapping {
    fn read(value: &Value) -> Result<Self, Issue> {
        if value.is_object() { Ok(Self(value.clone())) } else { Err(Issue::InvalidType) }
    }
}

/// The text of a document of any format.
pub(super) fn text_of(body: ImportBody) -> Draft<String> {
    if let Some(never) = body.file_id {
        match never {}
    }
    let Value::String(text) = body.content.0 else {
        return Err(Violation::new("content", Issue::InvalidType).into());
    };
    if text.len() > MAX_DOCUMENT {
        return Err(Fault::Text(TextFlaw { index: None, problem: TextProblem::TooLong { most: MAX_DOCUMENT } }));
    }
    Ok(text)
}
