//! `config`.

use super::*;
use octavo_core_model::id::FileId;

fn flaws(sent: Value) -> Vec<(String, &'static str)> {
    match create(&schema(), json!({ "name": "Contact", "config": sent })) {
        Err(FormFault::Config(flaws)) => flaws.into_iter().map(|flaw| (flaw.field, flaw.issue.name())).collect(),
        other => panic!("{other:?}"),
    }
}

fn all() -> Value {
    json!({
        "accent": "purple",
        "intro": "# Hello\n",
        "icon": FileId::EXAMPLE,
        "successMessage": "Thanks",
        "closedMessage": "Too late",
        "poweredBy": false,
        "recaptcha": { "enabled": true },
    })
}

#[test]
fn config_has_seven_keys() {
    let form = create(&schema(), json!({ "name": "Contact", "config": all() })).unwrap();
    assert_eq!(form.config.to_json(), all());
    assert_eq!(form.config.icon, Some(FileId::EXAMPLE));
    assert_eq!(Config::default().to_json(), json!({}));
}

#[test]
fn unknown_keys_long_texts_and_wrong_types_make_config_invalid() {
    for (sent, field, issue) in [
        (json!({ "theme": 1 }), "config.theme", "unknown_field"),
        (json!({ "accent": "mauve" }), "config.accent", "invalid_value"),
        (json!({ "intro": "a".repeat(2001) }), "config.intro", "too_long"),
        (json!({ "successMessage": "a".repeat(501) }), "config.successMessage", "too_long"),
        (json!({ "closedMessage": 5 }), "config.closedMessage", "invalid_type"),
        (json!({ "icon": "x" }), "config.icon", "invalid_id"),
        (json!({ "poweredBy": "yes" }), "config.poweredBy", "invalid_type"),
        (json!({ "recaptcha": true }), "config.recaptcha", "invalid_type"),
        (json!({ "recaptcha": {} }), "config.recaptcha.enabled", "required"),
        (json!({ "recaptcha": { "enabled": true, "key": "x" } }), "config.recaptcha.key", "unknown_field"),
        (json!([]), "config", "invalid_type"),
        (json!(null), "config", "invalid_type"),
    ] {
        assert_eq!(flaws(sent), [(field.to_owned(), issue)]);
    }
    assert_eq!(flaws(json!({ "theme": 1, "accent": 2 })).len(), 2, "all are reported");
}

#[test]
fn a_change_of_config_is_merged_by_key_and_null_clears() {
    let form = create(&schema(), json!({ "name": "Contact", "config": all() })).unwrap();
    let config = json!({ "intro": null, "accent": "red", "recaptcha": { "enabled": false } });
    let changed = change(&form, &schema(), json!({ "config": config })).unwrap();
    let mut expected = all();
    expected.as_object_mut().unwrap().remove("intro");
    expected["accent"] = json!("red");
    expected["recaptcha"] = json!({ "enabled": false });
    assert_eq!(changed.config.to_json(), expected);
    assert_eq!(change(&form, &schema(), json!({ "config": {} })).unwrap(), form);
}

#[test]
fn config_that_is_broken_in_the_store_reads_as_the_empty_one() {
    assert_eq!(Config::from_stored(&all()).to_json(), all());
    for broken in [json!({ "accent": "mauve", "intro": "a" }), json!({ "old": 1 }), json!(null), json!("x")] {
        assert_eq!(Config::from_stored(&broken), Config::default());
    }
}
