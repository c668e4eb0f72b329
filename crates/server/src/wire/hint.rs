//! What would have been right in place of a refused value, by its schema.

use octavo_core_model::fault::{Hint, Issue};
use serde_json::Value;

/// The hint for a value that does not fit a schema. For one that is missing these are the values to choose from.
pub(super) fn of_schema(schema: &Value, issue: Issue) -> Hint {
    let words = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let allowed = words.filter_map(Value::as_str).map(str::to_owned).collect();
    if issue == Issue::Required {
        return Hint { allowed, ..Hint::default() };
    }
    if schema["type"] == "boolean" {
        return Hint::boolean();
    }
    let number = |names: [&str; 2]| names.into_iter().find_map(|name| schema.get(name)?.as_i64());
    let (min, max) = match issue {
        Issue::TooShort | Issue::TooLong => (number(["minLength", "minItems"]), number(["maxLength", "maxItems"])),
        _ => (number(["minimum"; 2]), number(["maximum"; 2])),
    };
    let pattern = schema.get("pattern").and_then(Value::as_str).filter(|_| issue != Issue::InvalidType);
    let format = schema.get("format").and_then(Value::as_str).filter(|_| issue == Issue::InvalidFormat);
    Hint {
        allowed,
        min,
        max,
        pattern: pattern.map(str::to_owned),
        rules: format.and_then(in_words).map(str::to_owned).into_iter().collect(),
        position: None,
        offset: None,
    }
}

/// Like [`of_schema`], for a format that the schema does not describe.
pub(super) fn of_schema_and_rule(schema: &Value, issue: Issue, rule: &str) -> Hint {
    let rules = (issue == Issue::InvalidFormat).then(|| rule.to_owned()).into_iter().collect();
    Hint { rules, ..of_schema(schema, issue) }
}

/// What a format of JSON Schema means.
fn in_words(format: &str) -> Option<&'static str> {
    Some(match format {
        "email" => "an email address, for example ada@example.com; its part before the @ is ASCII",
        "uri" => "an absolute address that starts with http:// or https://",
        "date-time" => "a time with its offset from UTC (RFC 3339), for example 2026-11-21T09:30:00Z",
        "cidr" => "an IP address or a network, for example 203.0.113.0/24",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Documented, Listed, Readable, Several, Text, Whole};
    use octavo_core_model::{
        KeyScope, Timestamp,
        id::UserId,
        oauth::RedirectUri,
        text::{Color, Email, Locale, NewPassword, PageIcon, TimeZone},
    };

    fn hint<T: Readable>(issue: Issue) -> Hint {
        T::hint(issue)
    }

    #[test]
    fn a_schema_says_what_would_have_been_right() {
        let scopes = Hint::one_of(KeyScope::ALL);
        assert_eq!(hint::<KeyScope>(Issue::InvalidValue), scopes);
        assert_eq!(hint::<Listed<KeyScope>>(Issue::InvalidValue), scopes, "of each item");
        assert_eq!(hint::<KeyScope>(Issue::Required), scopes);
        assert!(hint::<UserId>(Issue::Required).is_empty());
        assert_eq!(hint::<bool>(Issue::InvalidType), Hint::boolean());
        let bounds = |min, max| Hint { min: Some(min), max: Some(max), ..Hint::default() };
        assert_eq!(hint::<Whole<1, 9>>(Issue::TooLarge), bounds(1, 9));
        assert_eq!(hint::<Whole<1, 9>>(Issue::InvalidType), bounds(1, 9));
        assert_eq!(hint::<Text<2, 3>>(Issue::TooShort), bounds(2, 3));
        assert_eq!(hint::<Several<KeyScope, 1, 2>>(Issue::TooLong), bounds(1, 2));
        for (pattern, schema) in [
            (hint::<Color>(Issue::InvalidFormat), Color::schema()),
            (hint::<UserId>(Issue::InvalidId), UserId::schema()),
        ] {
            assert_eq!(pattern.pattern.as_deref(), schema["pattern"].as_str());
        }
        assert!(hint::<Text<2, 3>>(Issue::InvalidType).is_empty(), "the length of a number says nothing");
        assert_eq!(hint::<Timestamp>(Issue::InvalidFormat).rules.len(), 1);
        assert_eq!(hint::<Email>(Issue::InvalidFormat).rules.len(), 1);
        assert_eq!(hint::<RedirectUri>(Issue::InvalidFormat).rules, RedirectUri::RULES);
        assert_eq!(hint::<RedirectUri>(Issue::TooLong).max, Some(2000));
        for hint in [hint::<TimeZone>, hint::<Locale>, hint::<PageIcon>] {
            assert_eq!(hint(Issue::InvalidFormat).rules.len(), 1);
            assert!(hint(Issue::TooLong).rules.is_empty() && hint(Issue::TooLong).max.is_some());
        }
    }

    #[test]
    fn a_password_names_all_of_its_rules() {
        for issue in [Issue::TooShort, Issue::TooLong, Issue::InvalidFormat] {
            assert_eq!(hint::<NewPassword>(issue).rules, NewPassword::RULES);
        }
        assert_eq!(hint::<NewPassword>(Issue::TooShort).min, Some(8));
    }
}
