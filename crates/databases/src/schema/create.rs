//! The schema of a new database.

use super::{Effects, PropertyDraft, Schema, Schemas, reverse::ReverseName};
use crate::fault::SchemaFault;
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, PropertyId},
    position::Position,
};

impl Schemas {
    /// Adds the schema of a new database with the properties that [`super::read_drafts`] has read, in their order.
    pub fn create(
        &mut self,
        database: DatabaseId,
        drafts: Vec<PropertyDraft>,
        now: Timestamp,
        draw: &mut dyn FnMut() -> PropertyId,
    ) -> Result<Effects, SchemaFault> {
        let positions: Vec<_> = Position::spread(drafts.len()).collect();
        let ((), effects) = self.all_or_nothing(|schemas, effects| {
            schemas.put(Schema { version: 0, ..Schema::empty(database) });
            let mut added = Vec::with_capacity(drafts.len());
            for (index, (draft, position)) in drafts.into_iter().zip(positions).enumerate() {
                let at = format!("properties.{index}.");
                schemas.check_name(database, &draft.name, None, &format!("{at}name"))?;
                let named = ReverseName::of(&draft);
                let property = draft.made(draw(), database, position, now);
                added.push((property.id, at, named));
                schemas.held(database)?.insert(property);
            }
            // Properties can name each other, so they are joined when all are there.
            for (id, at, named) in added {
                schemas.join((database, id), &at, named, now, effects)?;
            }
            Ok(())
        })?;
        Ok(effects)
    }
}
