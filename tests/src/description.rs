//! The published description of the API, read back.

use crate::Answer;
use serde_json::{Map, Value};

const METHODS: [&str; 7] = ["get", "put", "post", "delete", "options", "head", "patch"];
/// Schemas may contain themselves.
const DEPTH: usize = 32;

#[derive(Debug)]
pub struct Description {
    pub document: Value,
}

#[derive(Clone, Debug)]
pub struct Operation {
    /// In upper case.
    pub method: String,
    /// The base path, or empty for routes at the origin.
    pub base: String,
    /// With its parameters in braces.
    pub path: String,
    pub spec: Value,
}

impl Operation {
    /// The path with all parameters replaced by the same value.
    pub fn target(&self, filling: &str) -> String {
        let parts = self.path.split('/').map(|part| if part.starts_with('{') { filling } else { part });
        format!("{}{}", self.base, parts.collect::<Vec<_>>().join("/"))
    }
}

impl Description {
    #[track_caller]
    pub fn parse(yaml: &str) -> Self {
        Self { document: yaml_serde::from_str(yaml).unwrap_or_else(|fault| panic!("not YAML: {fault}")) }
    }

    #[track_caller]
    pub fn operations(&self) -> Vec<Operation> {
        let paths = self.document["paths"].as_object().expect("the description has paths");
        let of_path = |(path, item): (&String, &Value)| {
            let methods = METHODS.iter().filter(|method| item.get(method).is_some());
            let operation = |method: &&str| Operation {
                method: method.to_uppercase(),
                base: base_of([&item[*method], item, &self.document]),
                path: path.clone(),
                spec: item[*method].clone(),
            };
            methods.map(operation).collect::<Vec<_>>()
        };
        paths.iter().flat_map(of_path).collect()
    }

    /// The target of a reference, or the value itself.
    #[track_caller]
    pub fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        let Some(reference) = value.get("$ref").and_then(Value::as_str) else { return value };
        let pointer = reference.strip_prefix('#').expect("references stay inside the document");
        let target = self.document.pointer(pointer).unwrap_or_else(|| panic!("{reference} leads nowhere"));
        self.resolve(target)
    }

    /// The schema of an operation's JSON body, if it has one.
    pub fn body_schema<'a>(&'a self, operation: &'a Operation) -> Option<&'a Value> {
        let body = self.resolve(operation.spec.get("requestBody")?);
        body.pointer("/content/application~1json/schema").map(|schema| self.resolve(schema))
    }

    /// The parameters in one place: `path`, `query` or `header`.
    pub fn parameters<'a>(&'a self, operation: &'a Operation, place: &str) -> Vec<&'a Value> {
        let all = operation.spec["parameters"].as_array().into_iter().flatten();
        all.map(|parameter| self.resolve(parameter)).filter(|parameter| parameter["in"] == place).collect()
    }

    /// The parts of an answer that the operation does not declare.
    pub fn undeclared(&self, operation: &Operation, answer: &Answer) -> Vec<String> {
        let Some(response) = operation.spec["responses"].get(answer.status.to_string()) else {
            return vec![format!("status {}", answer.status)];
        };
        let response = self.resolve(response);
        let content_type = answer.header("Content-Type").unwrap_or_default().split(';').next().unwrap_or_default();
        let declared = response.get("content").and_then(Value::as_object).cloned().unwrap_or_default();
        if answer.body.is_empty() {
            return if declared.is_empty() { vec![] } else { vec!["no body".to_owned()] };
        }
        let Some(content) = declared.get(content_type) else { return vec![format!("content type {content_type}")] };
        match content.get("schema") {
            Some(schema) if content_type == "application/json" => self.flaws(schema, &answer.json(), "$", 0),
            _ => vec![],
        }
    }

    /// The flaws of a value according to a schema. Supports the keywords that the description uses.
    pub fn flaws(&self, schema: &Value, value: &Value, at: &str, depth: usize) -> Vec<String> {
        let schema = self.resolve(schema);
        let Some(rules) = schema.as_object() else { return vec![] };
        if depth > DEPTH {
            return vec![];
        }
        let mut flaws = self.alternatives(rules, value, at, depth);
        if let Some(wanted) = rules.get("type")
            && !has_type(wanted, value)
        {
            flaws.push(format!("{at} is {value}, not {wanted}"));
        }
        if rules.get("enum").and_then(Value::as_array).is_some_and(|words| !words.contains(value)) {
            flaws.push(format!("{at} is {value}, not one of {}", rules["enum"]));
        }
        if rules.get("const").is_some_and(|only| only != value) {
            flaws.push(format!("{at} is {value}, not {}", rules["const"]));
        }
        if let Some(object) = value.as_object() {
            flaws.extend(self.of_object(rules, object, at, depth));
        }
        if let (Some(items), Some(values)) = (rules.get("items"), value.as_array()) {
            let each = values.iter().enumerate();
            flaws.extend(each.flat_map(|(n, item)| self.flaws(items, item, &format!("{at}[{n}]"), depth + 1)));
        }
        flaws
    }

    fn of_object(
        &self,
        rules: &Map<String, Value>,
        object: &Map<String, Value>,
        at: &str,
        depth: usize,
    ) -> Vec<String> {
        let required = rules.get("required").and_then(Value::as_array).into_iter().flatten();
        let missing = required.filter_map(Value::as_str).filter(|key| !object.contains_key(*key));
        let mut flaws: Vec<_> = missing.map(|key| format!("{at}.{key} is missing")).collect();
        let properties = rules.get("properties").and_then(Value::as_object);
        for (key, value) in object {
            match properties.and_then(|known| known.get(key)) {
                Some(schema) => flaws.extend(self.flaws(schema, value, &format!("{at}.{key}"), depth + 1)),
                None if properties.is_some() && rules.get("additionalProperties") == Some(&Value::Bool(false)) => {
                    flaws.push(format!("{at}.{key} is not declared"));
                }
                None => {}
            }
        }
        flaws
    }

    fn alternatives(&self, rules: &Map<String, Value>, value: &Value, at: &str, depth: usize) -> Vec<String> {
        let mut flaws = Vec::new();
        for schema in rules.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            flaws.extend(self.flaws(schema, value, at, depth + 1));
        }
        for keyword in ["oneOf", "anyOf"] {
            let Some(schemas) = rules.get(keyword).and_then(Value::as_array) else { continue };
            let tried: Vec<_> = schemas.iter().map(|schema| self.flaws(schema, value, at, depth + 1)).collect();
            if !tried.iter().any(Vec::is_empty) {
                flaws.push(format!("{at} is {value}, which fits no alternative: {tried:?}"));
            }
        }
        flaws
    }
}

/// The path of the first server that is named at one of these places, the nearest first.
fn base_of(places: [&Value; 3]) -> String {
    let named = places.iter().find_map(|place| place["servers"][0]["url"].as_str());
    named.unwrap_or_default().trim_end_matches('/').to_owned()
}

fn has_type(wanted: &Value, value: &Value) -> bool {
    match wanted {
        Value::Array(kinds) => kinds.iter().any(|kind| has_type(kind, value)),
        Value::String(kind) => match kind.as_str() {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn description() -> Description {
        let user = json!({
            "type": "object",
            "required": ["id"],
            "properties": { "id": { "type": "string" }, "age": { "type": ["integer", "null"] } },
        });
        Description { document: json!({ "components": { "schemas": { "User": user } } }) }
    }

    #[test]
    fn a_value_is_held_against_its_schema() {
        let description = description();
        let list = json!({ "type": "array", "items": { "$ref": "#/components/schemas/User" } });
        let flaws = |value: Value| description.flaws(&list, &value, "$", 0);
        assert_eq!(flaws(json!([{ "id": "a", "age": null }, { "id": "b", "age": 1 }])), Vec::<String>::new());
        assert_eq!(
            flaws(json!([{ "age": "1" }])),
            ["$[0].id is missing", r#"$[0].age is "1", not ["integer","null"]"#]
        );
        assert_eq!(flaws(json!({})).len(), 1);
    }

    #[test]
    fn one_fitting_alternative_is_enough() {
        let description = description();
        let either = json!({ "oneOf": [{ "type": "null" }, { "$ref": "#/components/schemas/User" }] });
        assert_eq!(description.flaws(&either, &Value::Null, "$", 0), Vec::<String>::new());
        assert_eq!(description.flaws(&either, &json!(1), "$", 0).len(), 1);
    }
}
