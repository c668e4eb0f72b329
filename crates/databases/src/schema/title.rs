//! Another title.

use super::{Effect, Effects, Schemas};
use crate::{
    fault::{Refusal, SchemaFault},
    property::Property,
    types::{NoConfig, PropertyConfig},
};
use octavo_core_model::id::{DatabaseId, PropertyId};

/// Which property is the title, and which one was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TitleTransfer {
    /// The title.
    pub title: PropertyId,
    /// The title before; the same if nothing changed.
    pub previous: PropertyId,
}

impl Schemas {
    /// Makes a text the title; the former title becomes a text. Values stay where they are.
    pub fn set_title(&mut self, database: DatabaseId, id: PropertyId) -> Result<(TitleTransfer, Effects), SchemaFault> {
        let property = self.property(database, id)?.clone();
        if property.is_title() {
            return Ok((TitleTransfer { title: id, previous: id }, Effects::default()));
        }
        if !property.kind().facts().can_become_title {
            return Err(Refusal::NotTextCompatible.into());
        }
        self.all_or_nothing(|schemas, effects| {
            let schema = schemas.held(database)?;
            let former = schema.title().cloned().ok_or(SchemaFault::UnknownProperty)?;
            let previous = former.id;
            schema.replace(Property { config: PropertyConfig::Text(NoConfig), ..former });
            schema.replace(Property { config: PropertyConfig::Title(NoConfig), ..property });
            effects.push(database, Effect::Updated(id));
            effects.push(database, Effect::Updated(previous));
            Ok(TitleTransfer { title: id, previous })
        })
    }
}
