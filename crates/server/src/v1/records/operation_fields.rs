//! The fields that operations of a bulk call have, to find the unknown ones.

use crate::v1::blocks::known_fields::{Inside::Plain, KnownFields};

/// The values are checked with the properties of the database.
pub(super) static OPERATION: KnownFields = KnownFields::ByOp(&[
    (
        &["create"],
        &[
            ("op", Plain),
            ("properties", Plain),
            ("icon", Plain),
            ("coverUrl", Plain),
            ("parentRecordId", Plain),
            ("ref", Plain),
            ("templateId", Plain),
        ],
    ),
    (
        &["update"],
        &[
            ("op", Plain),
            ("recordId", Plain),
            ("properties", Plain),
            ("icon", Plain),
            ("position", Plain),
            ("version", Plain),
        ],
    ),
    (&["upsert"], &[("op", Plain), ("properties", Plain)]),
    (&["archive", "unarchive"], &[("op", Plain), ("recordId", Plain)]),
    (&["delete"], &[("op", Plain), ("recordId", Plain), ("confirm", Plain)]),
]);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        v1::records::operations::SentOperations,
        wire::{Documented as _, Named},
    };
    use serde_json::json;
    use std::collections::BTreeSet;

    #[test]
    fn unknown_fields_are_found_by_operation() {
        let operations = json!([
            { "op": "create", "properties": { "any": 1 }, "recordId": "x" },
            { "op": "archive", "recordId": "x", "confirm": "x" },
            { "op": "delete", "recordId": "x", "confirm": "x" },
            { "op": "upsert", "properties": {}, "reff": "a" },
            7,
        ]);
        let mut violations = Vec::new();
        OPERATION.check_field(&operations, &"ops", &mut violations);
        let found: Vec<_> = violations.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(found, ["ops.0.recordId", "ops.1.confirm", "ops.3.reff"]);
    }

    #[test]
    fn the_description_has_the_same_fields() {
        let mut named = Named::new();
        SentOperations::collect(&mut named);
        let KnownFields::ByOp(kinds) = &OPERATION else { panic!("operations have kinds") };
        let mapping = &named["RecordOperation"]["discriminator"]["mapping"];
        assert_eq!(
            mapping.as_object().map(serde_json::Map::len),
            Some(kinds.iter().map(|(words, _)| words.len()).sum::<usize>())
        );
        for (words, fields) in *kinds {
            for word in *words {
                let schema = mapping[*word].as_str().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
                let described: BTreeSet<_> =
                    named[schema]["properties"].as_object().into_iter().flat_map(serde_json::Map::keys).collect();
                let known: BTreeSet<_> = fields.iter().map(|(name, _)| *name).collect();
                assert!(described.into_iter().eq(known), "{schema}");
            }
        }
    }
}
