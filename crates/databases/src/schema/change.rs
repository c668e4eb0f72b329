//! Changes of a property.

use super::{
    Effect, Effects, Schemas, default,
    draft::{position, required},
    reverse::ReverseName,
};
use crate::{
    fault::SchemaFault,
    property::Property,
    read::{Fields, Flaw, Origin, boolean, line},
    types::{ConfigInputs, PropertyConfig},
};
use octavo_core_model::{
    Timestamp,
    fault::{Issue, Violation},
    id::{DatabaseId, PropertyId},
    text::PropertyName,
};
use serde_json::{Map, Value};

impl Schemas {
    /// Applies a merge patch of `name`, `isVisible`, `required`, `position`, `config` and `default`.
    pub fn change(
        &mut self,
        database: DatabaseId,
        id: PropertyId,
        sent: Map<String, Value>,
        inputs: &mut ConfigInputs<'_>,
        now: Timestamp,
    ) -> Result<Effects, SchemaFault> {
        let before = self.property(database, id)?.clone();
        let named = ReverseName::of_change(&sent);
        let after = read(&before, sent, inputs).map_err(SchemaFault::Invalid)?;
        if after == before {
            return Ok(Effects::default());
        }
        self.check_name(database, &after.name, Some(id), "name")?;
        let ((), effects) = self.all_or_nothing(|schemas, effects| {
            schemas.held(database)?.replace(after.clone());
            if after.config != before.config {
                schemas.check_references(database, id, "")?;
            }
            schemas.follow(&before, &after, named, now, effects)?;
            // A formula that was sent with names can be the one that is there.
            if *schemas.property(database, id)? != before {
                effects.push(database, Effect::Updated(id));
                options_removed(&before, &after, effects);
            }
            Ok(())
        })?;
        Ok(effects)
    }

    /// Adds options that values name; those whose ids are taken meanwhile are left out.
    pub fn add_options(
        &mut self,
        database: DatabaseId,
        added: &[crate::options::NewOptions],
    ) -> Result<Effects, SchemaFault> {
        let ((), effects) = self.all_or_nothing(|schemas, effects| {
            for new in added {
                let before = schemas.property(database, new.property)?;
                let config = match before.config.clone() {
                    PropertyConfig::Select(options) => PropertyConfig::Select(options.with(&new.options)),
                    PropertyConfig::MultiSelect(options) => PropertyConfig::MultiSelect(options.with(&new.options)),
                    PropertyConfig::Status(mut config) => {
                        config.options = config.options.with(&new.options);
                        PropertyConfig::Status(config)
                    }
                    other => other,
                };
                let after = Property { config, ..before.clone() };
                if after != *before {
                    effects.push(database, Effect::Updated(after.id));
                    schemas.held(database)?.replace(after);
                }
            }
            Ok(())
        })?;
        Ok(effects)
    }
}

fn read(
    before: &Property,
    sent: Map<String, Value>,
    inputs: &mut ConfigInputs<'_>,
) -> Result<Property, Vec<Violation>> {
    let mut flaws = Vec::new();
    let mut fields = Fields::new(sent, "", Origin::Caller, &mut flaws);
    let immutable = |fields: &mut Fields<'_>, name: &str, holds: &Value| {
        fields.optional(name, |sent| if sent == holds { Ok(()) } else { Err(Flaw::new(Issue::Immutable)) });
    };
    immutable(&mut fields, "type", &before.kind().name().into());
    immutable(&mut fields, "isTitle", &before.is_title().into());
    let name = fields.optional("name", |sent| line(sent, PropertyName::parse, PropertyName::MAX));
    let place = fields.optional("position", position);
    let is_visible = fields.optional("isVisible", boolean);
    let must_have_value = fields.optional("required", |sent| required(Some(before.kind()), sent));
    let config = read_config(before, &mut fields, inputs);
    let held = default::without_lost_options(&config, before.default.clone());
    let default = fields.nullable("default", |sent| default::read(&config, sent)).or(Some(held)).flatten();
    let after = Property {
        name: name.unwrap_or_else(|| before.name.clone()),
        position: place.unwrap_or_else(|| before.position.clone()),
        is_visible: is_visible.unwrap_or(before.is_visible),
        required: must_have_value.unwrap_or(before.required),
        config,
        default,
        ..before.clone()
    };
    if flaws.is_empty() { Ok(after) } else { Err(flaws) }
}

fn read_config(before: &Property, fields: &mut Fields<'_>, inputs: &mut ConfigInputs<'_>) -> PropertyConfig {
    match fields.take("config") {
        None => before.config.clone(),
        Some(Value::Object(sent)) => {
            fields
                .within("config", sent, |fields| before.config.read_change(fields, inputs))
                // It has flaws then, so the result is not used.
                .unwrap_or_else(|| before.config.clone())
        }
        Some(other) => {
            fields.refuse("config", Flaw::new(Issue::InvalidType), Some(other));
            before.config.clone()
        }
    }
}

fn options_removed(before: &Property, after: &Property, effects: &mut Effects) {
    let (Some(old), Some(new)) = (before.config.options(), after.config.options()) else { return };
    let gone = old.list().iter().filter(|option| new.by_id(option.id.as_str()).is_none());
    let options: Vec<_> = gone.map(|option| option.id.clone()).collect();
    if !options.is_empty() {
        effects.push(before.database, Effect::OptionsRemoved { property: before.id, slot: before.slot, options });
    }
}
