//! Options and groups that callers sent.

use super::{InvalidOptionId, OptionColor, OptionId, Options, SelectOption};
use crate::read::{Fields, Flaw, Origin, line, one_of, text};
use octavo_core_model::{
    fault::{Issue, Violation},
    text::OptionName,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// What was sent for one option.
struct Draft {
    id: Option<OptionId>,
    name: OptionName,
    color: OptionColor,
}

/// Reads the field `options`: the list replaces the one before. Options without an id keep that of the option with the
/// same name, and others get one that is derived from their name.
pub(crate) fn read(before: &Options, fields: &mut Fields<'_>) -> Option<Options> {
    let Some(sent) = fields.take("options") else { return Some(before.clone()) };
    let Value::Array(list) = sent else {
        fields.refuse("options", Flaw::of_shape("a list of options `{ id, name, color }`"), Some(sent));
        return None;
    };
    if list.len() > Options::MAX {
        fields.refuse("options", Flaw::too_long(Options::MAX), None);
        return None;
    }
    let (at, origin) = (fields.path("options"), if fields.is_stored() { Origin::Store } else { Origin::Caller });
    let mut flaws = Vec::new();
    let drafts = drafts(before, list, &at, origin, &mut flaws);
    let is_flawed = !flaws.is_empty();
    fields.report(flaws);
    (!is_flawed).then(|| finish(before, drafts))
}

fn drafts(before: &Options, list: Vec<Value>, at: &str, origin: Origin, flaws: &mut Vec<Violation>) -> Vec<Draft> {
    let mut taken = BTreeSet::new();
    let mut drafts = Vec::with_capacity(list.len());
    for (index, sent) in list.into_iter().enumerate() {
        let at = format!("{at}.{index}");
        let Value::Object(sent) = sent else {
            flaws.push(Flaw::of_shape("an option `{ id, name, color }`").at(at, Some(sent)));
            continue;
        };
        let Some(draft) = draft(before, sent, &at, origin, flaws) else { continue };
        match &draft.id {
            Some(id) if !taken.insert(id.clone()) => {
                let flaw = Flaw::new(Issue::Duplicate).ruled(&["each option has an id of its own"]);
                flaws.push(flaw.at(format!("{at}.id"), Some(json!(id))));
            }
            _ => drafts.push(draft),
        }
    }
    drafts
}

fn draft(
    before: &Options,
    sent: Map<String, Value>,
    at: &str,
    origin: Origin,
    flaws: &mut Vec<Violation>,
) -> Option<Draft> {
    let derived = sent.get("name").and_then(Value::as_str).map(OptionId::of_name);
    let mut fields = Fields::new(sent, at, origin, flaws);
    let is_stored = fields.is_stored();
    let id = fields.nullable("id", |sent| {
        let id = text(sent)?;
        let is_known = is_stored || before.by_id(id).is_some() || derived.as_ref().is_some_and(|name| is_of(id, name));
        if is_known { Ok(OptionId::from_stored(id)) } else { OptionId::parse(id).map_err(invalid_id) }
    });
    let id = id.or(None);
    let known = id.as_ref().and_then(|id| before.by_id(id.as_str()));
    let name = fields
        .required("name", known.map(|known| known.name.clone()), |sent| line(sent, OptionName::parse, OptionName::MAX));
    let color = fields.nullable("color", |sent| one_of(sent, OptionColor::ALL));
    let name = name?;
    let color_before = known.or_else(|| before.by_name(name.as_str())).map(|known| known.color);
    Some(Draft { id, color: color.or(color_before).unwrap_or(OptionColor::Default), name })
}

/// Whether an id is the one that is derived from a name, possibly with a number.
fn is_of(id: &str, derived: &OptionId) -> bool {
    let number = id.strip_prefix(derived.as_str());
    number.is_some_and(|rest| {
        rest.is_empty() || rest.strip_prefix('-').is_some_and(|number| number.parse::<u16>().is_ok())
    })
}

fn invalid_id(_: InvalidOptionId) -> Flaw {
    Flaw::of_pattern(Issue::InvalidId, OptionId::PATTERN)
}

/// Gives ids to the options that were sent without one.
fn finish(before: &Options, mut drafts: Vec<Draft>) -> Options {
    let mut taken: BTreeSet<OptionId> = drafts.iter().filter_map(|draft| draft.id.clone()).collect();
    for draft in drafts.iter_mut().filter(|draft| draft.id.is_none()) {
        let known = before.list().iter().filter(|known| known.is_called(draft.name.as_str()));
        let kept = known.map(|known| &known.id).find(|id| !taken.contains(id)).cloned();
        let id = kept.unwrap_or_else(|| free_id(draft.name.as_str(), |id| taken.contains(id)));
        taken.insert(id.clone());
        draft.id = Some(id);
    }
    let options = drafts.into_iter().filter_map(|draft| {
        let Draft { id, name, color } = draft;
        id.map(|id| SelectOption { id, name, color })
    });
    Options::new(options)
}

/// The first id for this name that is not taken.
fn free_id(name: &str, is_taken: impl Fn(&OptionId) -> bool) -> OptionId {
    let mut number = 1;
    loop {
        let id = OptionId::derived(name, number);
        if !is_taken(&id) {
            return id;
        }
        number += 1;
    }
}

impl Options {
    /// An option for a name that has none yet: appended with an id derived from the name. `None` if there is no room.
    pub fn append(&mut self, name: OptionName) -> Option<&SelectOption> {
        if self.list.len() >= Self::MAX {
            return None;
        }
        let id = free_id(name.as_str(), |id| self.by_id(id.as_str()).is_some());
        self.add(SelectOption { id, name, color: OptionColor::Default });
        self.list.last()
    }

    /// The options in JSON.
    pub(crate) fn to_json(&self) -> Value {
        self.list.iter().map(|option| json!({ "id": option.id, "name": option.name, "color": option.color })).collect()
    }
}

/// The field `options` as JSON Schema; in answers every key is present.
pub(crate) fn schema() -> Value {
    json!({
        "type": "array",
        "maxItems": Options::MAX,
        "items": {
            "type": "object",
            "properties": {
                "id": { "type": "string", "maxLength": OptionId::MAX },
                "name": { "type": "string", "minLength": 1, "maxLength": OptionName::MAX },
                "color": { "type": "string", "enum": OptionColor::ALL },
            },
        },
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn read_list(before: &Options, sent: Value) -> Result<Options, Vec<(String, Issue)>> {
        let mut flaws = Vec::new();
        let sent = Map::from_iter([("options".to_owned(), sent)]);
        let read = read(before, &mut Fields::new(sent, "config", Origin::Caller, &mut flaws));
        let flaws: Vec<_> = flaws.into_iter().map(|flaw| (flaw.field, flaw.issue)).collect();
        if flaws.is_empty() { Ok(read.unwrap()) } else { Err(flaws) }
    }

    fn ids(options: &Options) -> Vec<&str> {
        options.list().iter().map(|option| option.id.as_str()).collect()
    }

    fn first() -> Options {
        read_list(&Options::default(), json!([{ "name": "To do", "color": "red" }, { "name": "Done" }])).unwrap()
    }

    #[test]
    fn ids_are_derived_and_collisions_are_numbered() {
        let sent = json!([{ "name": "A b" }, { "name": "a-B" }, { "id": "opt_1", "name": "a b" }, { "name": "A  B" }]);
        let options = read_list(&Options::default(), sent).unwrap();
        assert_eq!(ids(&options), ["opt-a-b", "opt-a-b-2", "opt_1", "opt-a-b-3"]);
    }

    #[test]
    fn an_option_that_is_listed_again_keeps_its_id_and_colour() {
        let options =
            read_list(&first(), json!([{ "name": "DONE" }, { "name": "Later" }, { "name": "To do" }])).unwrap();
        assert_eq!(ids(&options), ["opt-done", "opt-later", "opt-to-do"]);
        assert_eq!(options.by_id("opt-to-do").unwrap().color, OptionColor::Red);
        // A renamed option keeps its id, and the name is free for a new one.
        let sent = json!([{ "id": "opt-done", "name": "Finished" }, { "name": "Done" }]);
        let options = read_list(&options, sent).unwrap();
        assert_eq!(ids(&options), ["opt-done", "opt-done-2"]);
        let recolored = read_list(&options, json!([{ "id": "opt-done", "color": "blue" }])).unwrap();
        assert_eq!(recolored.list()[0].name.as_str(), "Finished");
    }

    #[test]
    fn derived_ids_of_any_script_can_be_sent_back() {
        let options = read_list(&Options::default(), json!([{ "name": "\u{65e5}\u{672c}" }])).unwrap();
        let again = read_list(&Options::default(), options.to_json()).unwrap();
        assert_eq!(again, options);
        let Err(flaws) = read_list(&Options::default(), json!([{ "id": "\u{65e5}", "name": "Japan" }])) else {
            panic!("it is no id")
        };
        assert_eq!(flaws, [("config.options.0.id".to_owned(), Issue::InvalidId)]);
    }

    #[test]
    fn every_flaw_has_its_path() {
        let sent = json!([{ "name": "" }, 5, { "name": "a", "color": "mauve" }, { "id": "x", "name": "b" }, { "id": "x" , "name": "c" }]);
        let expected = [
            ("config.options.0.name", Issue::TooShort),
            ("config.options.1", Issue::InvalidType),
            ("config.options.2.color", Issue::InvalidValue),
            ("config.options.4.id", Issue::Duplicate),
        ];
        let expected = expected.map(|(field, issue)| (field.to_owned(), issue));
        assert_eq!(read_list(&Options::default(), sent).unwrap_err(), expected);
        let many: Value = (0..501).map(|number| json!({ "name": format!("{number}") })).collect();
        assert_eq!(read_list(&Options::default(), many).unwrap_err(), [("config.options".to_owned(), Issue::TooLong)]);
    }
}
