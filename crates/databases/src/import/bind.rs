//! Columns for a database that exists.

use super::{
    BoundColumn, MappingFault, importable,
    mapping::{Mapping, Wanted},
    warning::ColumnWarning,
};
use crate::{
    csv::Columns,
    schema::{PropertyDraft, Schema},
    types::ConfigInputs,
};
use octavo_core_model::{
    fault::{Hint, Issue, Violation},
    id::PropertyId,
    text::PropertyName,
};
use std::collections::BTreeSet;

/// The columns of a table that belong to a database.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bound {
    /// The columns whose properties exist.
    pub columns: Vec<BoundColumn>,
    /// New properties, each with the place and the name of its column.
    pub added: Vec<(usize, String, PropertyDraft)>,
    /// The columns that are left out although nobody asked for it.
    pub warnings: Vec<ColumnWarning>,
}

/// Finds the property of each column: the one that it is mapped to, else the one with its name.
pub fn bind(
    schema: &Schema,
    columns: &Columns,
    mapping: &Mapping,
    inputs: &mut ConfigInputs<'_>,
) -> Result<Bound, MappingFault> {
    let assigned = mapping.assign(&columns.columns)?;
    let mut binding = Binding { schema, bound: Bound::default(), taken: BTreeSet::new() };
    let mut flaws = Vec::new();
    for (index, wanted) in assigned.iter().enumerate() {
        let Some((field, wanted)) = wanted else { continue };
        let name = &columns.columns[index].name;
        match binding.mapped(index, name, field, wanted, inputs) {
            Ok(()) => {}
            Err(MappingFault::Invalid(found)) => flaws.extend(found),
            Err(taken) => return Err(taken),
        }
    }
    if !flaws.is_empty() {
        return Err(MappingFault::Invalid(flaws));
    }
    let others = assigned.iter().zip(&columns.columns).enumerate().filter(|(_, (wanted, _))| wanted.is_none());
    for (index, (_, column)) in others {
        binding.named(index, &column.name);
    }
    binding.bound.columns.sort_unstable_by_key(|column| column.index);
    Ok(binding.bound)
}

struct Binding<'a> {
    schema: &'a Schema,
    bound: Bound,
    taken: BTreeSet<PropertyId>,
}

impl Binding<'_> {
    fn mapped(
        &mut self,
        index: usize,
        name: &str,
        field: &str,
        wanted: &Wanted,
        inputs: &mut ConfigInputs<'_>,
    ) -> Result<(), MappingFault> {
        match wanted {
            Wanted::Nothing => Ok(()),
            Wanted::Property(id) => {
                let unknown = || {
                    let rule = Hint::ruled_by(&["the id of a property of this database"]);
                    Violation::new(field, Issue::InvalidValue).with(id.to_string().into()).hinting(rule)
                };
                let id = self.schema.property(*id).map(|property| property.id).ok_or_else(unknown)?;
                self.take(index, name, field, id)
            }
            Wanted::New(sent) => {
                let draft = PropertyDraft::read(sent.clone(), field, inputs).map_err(MappingFault::Invalid)?;
                match self.schema.by_name(draft.name.as_str()).map(|property| (property.id, property.kind())) {
                    Some((id, kind)) if kind == draft.config.kind() => self.take(index, name, field, id),
                    Some(_) => Err(MappingFault::Taken(format!("{field}.name"))),
                    None => self.add(index, name, field, draft),
                }
            }
        }
    }

    fn take(&mut self, index: usize, name: &str, field: &str, id: PropertyId) -> Result<(), MappingFault> {
        if !self.taken.insert(id) {
            return Err(once(field).into());
        }
        self.put(index, name, id);
        Ok(())
    }

    fn add(&mut self, index: usize, name: &str, field: &str, draft: PropertyDraft) -> Result<(), MappingFault> {
        if draft.config.kind().is_read_only() {
            return Err(Violation::new(format!("{field}.type"), Issue::InvalidValue).hinting(importable()).into());
        }
        let same = |(_, _, other): &(usize, String, PropertyDraft)| are_equal(&other.name, &draft.name);
        if self.bound.added.iter().any(same) {
            return Err(MappingFault::Taken(format!("{field}.name")));
        }
        self.bound.added.push((index, name.to_owned(), draft));
        Ok(())
    }

    /// A column that the mapping does not mention.
    fn named(&mut self, index: usize, name: &str) {
        match self.schema.by_name(name).map(|property| property.id) {
            None => self.bound.warnings.push(ColumnWarning::Unknown(name.to_owned())),
            Some(id) if self.taken.contains(&id) => {
                self.bound.warnings.push(ColumnWarning::Occupied(name.to_owned()));
            }
            Some(id) => {
                self.taken.insert(id);
                self.put(index, name, id);
            }
        }
    }

    fn put(&mut self, index: usize, name: &str, property: PropertyId) {
        if self.schema.property(property).is_some_and(|property| property.kind().is_read_only()) {
            self.bound.warnings.push(ColumnWarning::ReadOnly(name.to_owned()));
        } else {
            self.bound.columns.push(BoundColumn { index, name: name.to_owned(), property });
        }
    }
}

fn once(field: &str) -> Violation {
    let rule = "each property belongs to one column";
    Violation::new(field, Issue::InvalidValue).hinting(Hint::ruled_by(&[rule]))
}

pub(super) fn are_equal(one: &PropertyName, other: &PropertyName) -> bool {
    crate::text::folded_line(one.as_str()) == crate::text::folded_line(other.as_str())
}
