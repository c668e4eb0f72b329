//! What has to be looked up for values, and what was found.

use super::read::ReadValues;
use crate::{
    input::{LinkInput, PersonInput},
    text::folded_line,
};
use octavo_core_model::{
    id::{DatabaseId, FileId, RecordId, UserId},
    text::Email,
};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that values name and that the schema does not know. Look-ups of several records can be joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lookups {
    /// Users that may belong to the workspace.
    pub users: BTreeSet<UserId>,
    /// Addresses of users that may belong to the workspace.
    pub emails: BTreeSet<Email>,
    /// Names of such users, folded.
    pub user_names: BTreeSet<String>,
    /// Files that may exist.
    pub files: BTreeSet<FileId>,
    /// Records that may exist in a database.
    pub records: BTreeSet<(DatabaseId, RecordId)>,
    /// Titles that records of a database may have.
    pub titles: BTreeSet<(DatabaseId, String)>,
}

/// What was found. Whatever is missing does not exist for the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Users that belong to the workspace.
    pub users: BTreeSet<UserId>,
    /// Users by their addresses.
    pub emails: BTreeMap<Email, UserId>,
    /// Users by their folded names; a name that several users have is missing.
    pub user_names: BTreeMap<String, UserId>,
    /// Files.
    pub files: BTreeSet<FileId>,
    /// Records by their databases.
    pub records: BTreeSet<(DatabaseId, RecordId)>,
    /// All records with a title.
    pub titles: BTreeMap<(DatabaseId, String), Vec<RecordId>>,
    /// Records that earlier operations created, by their labels.
    pub references: BTreeMap<String, (DatabaseId, RecordId)>,
}

impl Lookups {
    /// Adds what these values name.
    pub fn add(&mut self, read: &ReadValues) {
        for person in read.persons.iter().flat_map(|(_, _, persons)| persons) {
            match person {
                PersonInput::Id(id) => drop(self.users.insert(*id)),
                PersonInput::Email(email) => drop(self.emails.insert(email.clone())),
                PersonInput::Name(name) => drop(self.user_names.insert(folded_line(name))),
            }
        }
        self.files.extend(read.files.iter().flat_map(|(_, _, files)| files));
        for read in &read.links {
            for link in &read.links {
                match link {
                    LinkInput::Id(id) => drop(self.records.insert((read.target, *id))),
                    LinkInput::Title(title) => {
                        self.titles.insert((read.target, title.clone()));
                        self.titles.extend(title_parts(title).map(|part| (read.target, part.to_owned())));
                    }
                    LinkInput::Reference(_) => {}
                }
            }
        }
    }

    /// Whether there is nothing to look up.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The titles in a text that joins several.
pub(super) fn title_parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}
