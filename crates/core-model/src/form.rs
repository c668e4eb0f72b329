//! Forms: through them anybody adds records to a database, without an account.

use crate::{
    id::{DatabaseId, FormId, PropertyId, QuestionId, UserId, WorkspaceId},
    named,
    position::Position,
    text::{FormName, FormSlug, FormText, Placeholder, QuestionLabel},
    time::Timestamp,
};
use serde_json::Value;

named! {
    /// Whether a form takes answers.
    FormStatus {
        /// It is being made; nobody else sees it.
        Draft = "DRAFT",
        /// Anybody sees it and may answer.
        Published = "PUBLISHED",
        /// Anybody sees it, but nobody may answer any more.
        Closed = "CLOSED",
    }
}

named! {
    /// The type of a question.
    QuestionType {
        /// A line of text.
        ShortText = "SHORT_TEXT",
        /// Text of several lines.
        LongText = "LONG_TEXT",
        /// A number.
        Number = "NUMBER",
        /// An email address.
        Email = "EMAIL",
        /// A day.
        Date = "DATE",
        /// Yes or no.
        Checkbox = "CHECKBOX",
        /// One of some options.
        SingleSelect = "SINGLE_SELECT",
        /// Any number of some options.
        MultiSelect = "MULTI_SELECT",
        /// A number of stars.
        Rating = "RATING",
        /// Files.
        File = "FILE",
    }
}

/// A form as the store holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The id of the form.
    pub id: FormId,
    /// Its workspace.
    pub workspace: WorkspaceId,
    /// The database that gets the records.
    pub database: DatabaseId,
    /// What people see.
    pub name: FormName,
    /// Its name in the public address; no other form of the deployment has it.
    pub slug: FormSlug,
    /// What it is for.
    pub description: Option<FormText>,
    /// Whether it takes answers.
    pub status: FormStatus,
    /// How it looks, and what it says. `octavo-forms` reads it.
    pub config: Value,
    /// Who created it; `None` if the user is unknown.
    pub created_by: Option<UserId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// A question as the store holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredQuestion {
    /// The id of the question.
    pub id: QuestionId,
    /// What it asks.
    pub label: QuestionLabel,
    /// What explains it.
    pub description: Option<FormText>,
    /// Its type.
    pub kind: QuestionType,
    /// Whether nobody can submit the form without an answer.
    pub required: bool,
    /// Which answers are accepted. `octavo-forms` reads it.
    pub validation: Value,
    /// The property that gets the answers.
    pub property: Option<PropertyId>,
    /// What an empty field shows.
    pub placeholder: Option<Placeholder>,
    /// Its place among the questions.
    pub position: Position,
}
