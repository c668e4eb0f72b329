//! The second step: users, files and records are known.

use super::{
    found::{Found, title_parts},
    read::{ReadLinks, ReadValues},
};
use crate::{
    fault::Refusal,
    input::{LinkInput, PersonInput},
    options::NewOptions,
    text::folded_line,
    value::{PropertyValue, Values},
};
use octavo_core_model::id::{DatabaseId, FileId, PropertyId, RecordId, UserId};

/// Values that can be written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResolvedValues {
    /// Values of the bag by slot; `None` clears.
    pub values: Vec<(u32, PropertyId, Option<PropertyValue>)>,
    /// The links that each relation has from now on.
    pub links: Vec<(PropertyId, Vec<RecordId>)>,
    /// Options that have to be created first.
    pub new_options: Vec<NewOptions>,
}

/// A value of the bag that a write changed.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueChange {
    /// The property.
    pub property: PropertyId,
    /// What it was.
    pub before: Option<PropertyValue>,
    /// What it is.
    pub after: Option<PropertyValue>,
}

impl ReadValues {
    /// Puts in what was found. Users and files that the record has already may stay, whether they exist or not.
    pub fn resolve(self, found: &Found, before: &Values) -> Result<ResolvedValues, Vec<Refusal>> {
        let mut refusals = Vec::new();
        let mut values = self.values;
        for (slot, property, sent) in self.persons {
            match persons(&sent, found, before.get(slot)) {
                Some(ids) => values.push((slot, property, list(ids, PropertyValue::Persons))),
                None => refusals.push(Refusal::UnknownPrincipal(property)),
            }
        }
        for (slot, property, sent) in self.files {
            if files_exist(&sent, found, before.get(slot)) {
                values.push((slot, property, list(sent, PropertyValue::Files)));
            } else {
                refusals.push(Refusal::UnknownFile(property));
            }
        }
        let mut links = Vec::with_capacity(self.links.len());
        for read in self.links {
            match read.resolve(found) {
                Ok(records) => links.push((read.property, records)),
                Err(refusal) => refusals.push(refusal),
            }
        }
        if refusals.is_empty() {
            Ok(ResolvedValues { values, links, new_options: self.new_options })
        } else {
            Err(refusals)
        }
    }
}

fn list<T>(ids: Vec<T>, value: fn(Vec<T>) -> PropertyValue) -> Option<PropertyValue> {
    (!ids.is_empty()).then(|| value(ids))
}

fn persons(sent: &[PersonInput], found: &Found, before: Option<&PropertyValue>) -> Option<Vec<UserId>> {
    let stored = match before {
        Some(PropertyValue::Persons(ids)) => ids.as_slice(),
        _ => &[],
    };
    let mut ids = Vec::with_capacity(sent.len());
    for person in sent {
        let id = match person {
            PersonInput::Id(id) => Some(*id).filter(|id| found.users.contains(id) || stored.contains(id)),
            PersonInput::Email(email) => found.emails.get(email).copied(),
            PersonInput::Name(name) => found.user_names.get(&folded_line(name)).copied(),
        }?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Some(ids)
}

fn files_exist(sent: &[FileId], found: &Found, before: Option<&PropertyValue>) -> bool {
    let stored = match before {
        Some(PropertyValue::Files(ids)) => ids.as_slice(),
        _ => &[],
    };
    sent.iter().all(|id| found.files.contains(id) || stored.contains(id))
}

impl ReadLinks {
    fn resolve(&self, found: &Found) -> Result<Vec<RecordId>, Refusal> {
        let missing = || Refusal::RelationIntegrity(self.property);
        let mut seen = std::collections::BTreeSet::new();
        let mut records = Vec::with_capacity(self.links.len());
        let mut add = |id: RecordId| {
            if seen.insert(id) {
                records.push(id);
            }
        };
        for link in &self.links {
            match link {
                LinkInput::Id(id) if found.records.contains(&(self.target, *id)) => add(*id),
                LinkInput::Id(_) => return Err(missing()),
                LinkInput::Reference(label) => match found.references.get(label) {
                    Some((database, id)) if *database == self.target => add(*id),
                    _ => return Err(missing()),
                },
                LinkInput::Title(text) => self.titled(text, found)?.into_iter().for_each(&mut add),
            }
        }
        let has_too_many = (self.links_one && records.len() > 1) || records.len() > crate::types::MAX_LINKS;
        if has_too_many { Err(Refusal::CardinalityViolation(self.property)) } else { Ok(records) }
    }

    /// The record with this title, or the records whose titles are joined in the text.
    fn titled(&self, text: &str, found: &Found) -> Result<Vec<RecordId>, Refusal> {
        match self.one_titled(text, found) {
            Err(Refusal::RelationIntegrity(_)) if text.contains(',') => {
                title_parts(text).map(|part| self.one_titled(part, found)).collect()
            }
            one => one.map(|id| vec![id]),
        }
    }

    fn one_titled(&self, title: &str, found: &Found) -> Result<RecordId, Refusal> {
        let key: (DatabaseId, String) = (self.target, title.to_owned());
        match found.titles.get(&key).map(Vec::as_slice) {
            Some([one]) => Ok(*one),
            None | Some([]) => Err(Refusal::RelationIntegrity(self.property)),
            Some(_) => Err(Refusal::AmbiguousMatch(self.property)),
        }
    }
}

impl ResolvedValues {
    /// Writes the values into the bag of a record and returns what that changed.
    pub fn apply(&self, bag: &mut Values) -> Vec<ValueChange> {
        let mut changes = Vec::new();
        for (slot, property, value) in &self.values {
            let before = bag.get(*slot).cloned();
            bag.set(*slot, value.clone());
            let after = bag.get(*slot).cloned();
            if before != after {
                changes.push(ValueChange { property: *property, before, after });
            }
        }
        changes
    }
}
