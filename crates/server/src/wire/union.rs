//! Unions in the description: objects of several kinds, and the field that says which kind an object is.

use serde_json::{Map, Value, json};

/// A reference to a schema in `components`.
pub fn reference(name: &str) -> Value {
    json!({ "$ref": path_of(name) })
}

/// The schema of the field that distinguishes the members of a union, in a member for which it has one of these values.
pub fn tag(words: &[&str]) -> Value {
    match words {
        [word] => json!({ "type": "string", "const": word }),
        words => json!({ "type": "string", "enum": words }),
    }
}

/// A union: for each value of the field `tag`, the name of a schema. Several values may share a schema.
pub fn union(about: &str, tag: &str, members: &[(&str, String)]) -> Value {
    let mut names: Vec<&String> = members.iter().map(|(_, name)| name).collect();
    names.dedup();
    let mapping: Map<_, _> =
        members.iter().map(|(word, name)| ((*word).to_owned(), Value::String(path_of(name)))).collect();
    json!({
        "description": about,
        "oneOf": names.into_iter().map(|name| reference(name)).collect::<Vec<_>>(),
        "discriminator": { "propertyName": tag, "mapping": mapping },
    })
}

fn path_of(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_union_lists_each_schema_once_and_each_value_of_its_tag() {
        let members =
            [("upsert", "Upsert".to_owned()), ("insert", "Upsert".to_owned()), ("delete", "Delete".to_owned())];
        let expected = json!({
            "description": "A change.",
            "oneOf": [{ "$ref": "#/components/schemas/Upsert" }, { "$ref": "#/components/schemas/Delete" }],
            "discriminator": {
                "propertyName": "op",
                "mapping": {
                    "upsert": "#/components/schemas/Upsert",
                    "insert": "#/components/schemas/Upsert",
                    "delete": "#/components/schemas/Delete",
                },
            },
        });
        assert_eq!(union("A change.", "op", &members), expected);
        assert_eq!(tag(&["delete"]), json!({ "type": "string", "const": "delete" }));
        assert_eq!(tag(&["upsert", "insert"]), json!({ "type": "string", "enum": ["upsert", "insert"] }));
    }
}
