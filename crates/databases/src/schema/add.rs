//! New properties.

use super::{Effect, Effects, PropertyDraft, Schemas, draft::one_title, formulas, reverse::ReverseName, rollup};
use crate::{
    fault::SchemaFault,
    types::{FormulaConfig, PropertyConfig},
};
use octavo_core_model::{
    Timestamp,
    fault::{Issue, Violation},
    id::{DatabaseId, PropertyId},
};

impl Schemas {
    /// Adds a property, and the other side of a relation that is visible on both.
    pub fn add(
        &mut self,
        database: DatabaseId,
        id: PropertyId,
        draft: PropertyDraft,
        now: Timestamp,
    ) -> Result<Effects, SchemaFault> {
        if matches!(draft.config, PropertyConfig::Title(_)) {
            return Err(Violation::new("type", Issue::InvalidValue).hinting(one_title()).into());
        }
        self.check_name(database, &draft.name, None, "name")?;
        self.check_room(database)?;
        let ((), effects) = self.all_or_nothing(|schemas, effects| {
            let schema = schemas.held(database)?;
            let named = ReverseName::of(&draft);
            let property = draft.made(id, database, schema.end(), now);
            schema.insert(property);
            schemas.join((database, id), "", named, now, effects)
        })?;
        Ok(effects)
    }

    /// Checks what a new property names, and adds the other side of a relation. `at` is what the paths of fields begin
    /// with.
    pub(super) fn join(
        &mut self,
        (database, id): (DatabaseId, PropertyId),
        at: &str,
        named: ReverseName,
        now: Timestamp,
        effects: &mut Effects,
    ) -> Result<(), SchemaFault> {
        effects.push(database, Effect::Added(id));
        self.check_references(database, id, at)?;
        self.add_reverse((database, id), at, named, now, effects)
    }

    /// Checks what a rollup or formula names. A formula names properties by their ids from now on.
    pub(super) fn check_references(
        &mut self,
        database: DatabaseId,
        id: PropertyId,
        at: &str,
    ) -> Result<(), SchemaFault> {
        let property = self.property(database, id)?;
        match &property.config {
            PropertyConfig::Rollup(config) => rollup::check(self, database, config, at),
            PropertyConfig::Formula(config) => {
                let schema = self.get(database).ok_or(SchemaFault::UnknownProperty)?;
                let field = || format!("{at}config.expression");
                let bound = formulas::bound(&config.expression, schema)
                    .map_err(|flaw| flaw.at(field(), Some(config.expression.clone().into())))?;
                let config = PropertyConfig::Formula(FormulaConfig { expression: bound });
                let property = crate::property::Property { config, ..property.clone() };
                self.held(database)?.replace(property);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
