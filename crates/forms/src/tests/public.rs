//! What everybody sees.

use super::*;
use octavo_core_model::{id::FileId, text::FormSlug};

fn shown(form: &Form, access: PublicAccess, icon: Option<&str>) -> Option<Value> {
    form.to_public_json(&FormSlug::parse("contact").unwrap(), access, icon)
}

fn sample() -> Form {
    let schema = schema();
    let sent = json!({
        "name": "Contact",
        "description": "Write to us",
        "questions": [
            question("SHORT_TEXT", json!({
                "placeholder": "Ada",
                "description": "Your name",
                "required": true,
                "propertyId": property(&schema, "text"),
                "validation": { "minLength": 1, "maxLength": 5, "pattern": "^[a-z]+$" },
            })),
            question("NUMBER", json!({ "validation": { "min": 1, "max": 2, "integer": true } })),
            question("DATE", json!({ "validation": { "minDate": "2024-01-01" } })),
            question("SINGLE_SELECT", json!({ "validation": { "options": ["a"] } })),
            question("RATING", json!({ "validation": { "max": 5, "default": 3 } })),
            question("FILE", json!({ "validation": { "maxFiles": 2, "maxBytes": 5 } })),
        ],
    });
    create(&schema, sent).unwrap()
}

#[test]
fn the_form_and_its_questions_are_shown_and_nothing_else() {
    let view = shown(&sample(), PublicAccess::Open, None).unwrap();
    let config = json!({
        "intro": null,
        "accent": null,
        "successMessage": null,
        "closedMessage": null,
        "poweredBy": null,
        "recaptcha": { "enabled": false },
    });
    let expected = json!({
        "slug": "contact",
        "name": "Contact",
        "description": "Write to us",
        "status": "published",
        "config": config,
    });
    assert_eq!(view["form"], expected);
    assert_eq!(
        view["questions"][0],
        json!({
            "id": id(1),
            "type": "SHORT_TEXT",
            "label": "SHORT_TEXT",
            "description": "Your name",
            "required": true,
            "placeholder": "Ada",
            "validation": { "minLength": 1, "maxLength": 5 },
        })
    );
    let validation: Vec<_> =
        view["questions"].as_array().unwrap().iter().map(|question| question["validation"].clone()).collect();
    let expected = [
        json!({ "min": 1, "max": 2 }),
        json!({}),
        json!({ "options": ["a"] }),
        json!({ "max": 5 }),
        json!({ "maxFiles": 2 }),
    ];
    assert_eq!(validation[1..], expected);
    let text = view.to_string();
    for hidden in ["pattern", "prop_", "db_", "wks_", "position", "maxBytes", "minDate"] {
        assert!(!text.contains(hidden), "{hidden}");
    }
}

#[test]
fn a_closed_form_has_no_validation_and_a_hidden_one_is_not_there() {
    let view = shown(&sample(), PublicAccess::Closed, None).unwrap();
    assert_eq!(view["form"]["status"], "closed");
    assert!(view["questions"].as_array().unwrap().iter().all(|question| question["validation"] == json!({})));
    assert_eq!(shown(&sample(), PublicAccess::Hidden, None), None);
}

#[test]
fn settings_are_shown_with_the_address_of_the_icon() {
    let config = json!({
        "accent": "red",
        "intro": "**Hello**",
        "icon": FileId::EXAMPLE,
        "successMessage": "Thanks",
        "poweredBy": true,
        "recaptcha": { "enabled": true },
    });
    let form = change(&sample(), &schema(), json!({ "config": config })).unwrap();
    let expected = json!({
        "iconUrl": "https://example.com/icon",
        "accent": "red",
        "intro": "<p><strong>Hello</strong></p>",
        "successMessage": "Thanks",
        "closedMessage": null,
        "poweredBy": true,
        "recaptcha": { "enabled": true },
    });
    let view = shown(&form, PublicAccess::Open, Some("https://example.com/icon")).unwrap();
    assert_eq!(view["form"]["config"], expected);
    assert!(!view.to_string().contains("fil_"));
    let without = shown(&form, PublicAccess::Open, None).unwrap();
    assert!(without["form"]["config"].get("iconUrl").is_none());
}
