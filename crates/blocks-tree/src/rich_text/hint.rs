//! What would have been right in place of a mark that is refused.

use super::{LINK_MARK, MENTION_MARK, PLAIN_MARKS};
use octavo_core_model::fault::Hint;
use serde_json::Value;

/// The rules for a mark on a text with this many UTF-16 code units, and the known types if that of the mark is none of
/// them.
pub(super) fn for_mark(sent: &Value, length: usize) -> Hint {
    let names = || PLAIN_MARKS.into_iter().chain([LINK_MARK, MENTION_MARK]);
    let kind = sent.get("type").and_then(Value::as_str);
    let mut rules = vec![
        "`type`, `from` and `to` are required".to_owned(),
        "`from` and `to` are offsets in UTF-16 code units, and neither is inside a character".to_owned(),
        format!("`from` is less than `to`, and `to` is at most {length}"),
    ];
    match kind {
        Some(LINK_MARK) => rules.push(
            "`attrs.url` is an address with http, https, mailto or tel, or one relative to the page, of at most 2048 \
             characters and without spaces"
                .to_owned(),
        ),
        Some(MENTION_MARK) => rules.push(
            "`attrs.mentionType` is user, team, page or database, and `attrs.mentionId` is the id of such a thing"
                .to_owned(),
        ),
        _ => {}
    }
    let is_known = kind.is_some_and(|kind| names().any(|name| name == kind));
    let hint = if is_known { Hint::default() } else { Hint::one_of(names()) };
    Hint { rules, ..hint }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_unknown_type_gets_the_known_ones_and_every_mark_the_rules() {
        for unknown in [json!({ "type": "bald", "from": 0, "to": 1 }), json!({ "from": 0 }), json!("bold")] {
            let hint = for_mark(&unknown, 3);
            assert_eq!((hint.allowed.len(), &*hint.allowed[0]), (9, "bold"), "{unknown}");
            assert_eq!(hint.rules.len(), 3, "{unknown}");
        }
        let misnamed = for_mark(&json!({ "type": "bold", "start": 0, "end": 2 }), 3);
        assert!(misnamed.allowed.is_empty());
        assert_eq!(misnamed.rules[0], "`type`, `from` and `to` are required");
        assert!(misnamed.rules[2].ends_with("at most 3"));
        for (kind, named) in [("link", "attrs.url"), ("mention", "attrs.mentionId")] {
            let hint = for_mark(&json!({ "type": kind, "from": 0, "to": 1 }), 3);
            assert!(hint.rules.iter().any(|rule| rule.contains(named)), "{kind}");
        }
    }
}
