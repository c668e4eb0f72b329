//! The descriptions say what the reading accepts.

use super::*;
use crate::describe;
use octavo_core_model::{form::QuestionType, id::FileId};

fn keys(schema: &Value) -> Vec<String> {
    schema["properties"].as_object().unwrap().keys().cloned().collect()
}

#[test]
fn every_key_of_config_and_validation_is_described() {
    let config = json!({
        "accent": "red", "intro": "", "icon": FileId::EXAMPLE, "successMessage": "", "closedMessage": "", "poweredBy": true,
        "recaptcha": { "enabled": true },
    });
    let read = Config::default().changed(config).unwrap().to_json();
    assert_eq!(keys(&describe::config()), read.as_object().unwrap().keys().cloned().collect::<Vec<_>>());
    let described = keys(&describe::validation());
    for kind in QuestionType::ALL {
        assert!(validation_keys(*kind).iter().all(|key| described.iter().any(|known| known == key)), "{kind}");
    }
}

/// The bounds of a number or of a length, as they are described.
fn bounds(key: &str) -> (Value, Value) {
    let described = &describe::validation()["properties"][key];
    let bound = |names: [&str; 3]| names.iter().find_map(|name| described.get(*name)).cloned().unwrap();
    (bound(["minimum", "minLength", "minItems"]), bound(["maximum", "maxLength", "maxItems"]))
}

#[test]
fn the_bounds_that_are_described_are_accepted_and_no_others() {
    let accepts = |kind: &str, validation: Value| {
        create(&schema(), json!({ "name": "a", "questions": [question(kind, json!({ "validation": validation }))] }))
            .is_ok()
    };
    for (kind, key) in
        [("SHORT_TEXT", "minLength"), ("LONG_TEXT", "maxLength"), ("FILE", "maxFiles"), ("FILE", "maxBytes")]
    {
        let (min, max) = bounds(key);
        let (min, max) = (min.as_i64().unwrap(), max.as_i64().unwrap());
        for (value, fits) in [(min, true), (max, true), (min - 1, false), (max + 1, false)] {
            assert_eq!(accepts(kind, json!({ key: value })), fits, "{key} {value}");
        }
    }
    let (_, most) = bounds("pattern");
    let longest = usize::try_from(most.as_u64().unwrap()).unwrap();
    assert!(accepts("SHORT_TEXT", json!({ "pattern": "a".repeat(longest) })));
    assert!(!accepts("SHORT_TEXT", json!({ "pattern": "a".repeat(longest + 1) })));
    let (_, most) = bounds("options");
    let options = |count: u64| (0..count).map(|number| number.to_string()).collect::<Vec<_>>();
    assert!(accepts("MULTI_SELECT", json!({ "options": options(most.as_u64().unwrap()) })));
    assert!(!accepts("MULTI_SELECT", json!({ "options": options(most.as_u64().unwrap() + 1) })));
}
