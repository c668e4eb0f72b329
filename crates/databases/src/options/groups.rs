//! Groups of the options of a status.

use super::{OptionColor, OptionId, Options, StatusGroup};
use crate::read::{Fields, Flaw, Origin, line, one_of};
use octavo_core_model::{
    fault::{Issue, Violation},
    text::OptionName,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The largest number of groups.
pub(crate) const MAX: usize = 50;

/// Reads the field `groups`, which may name options by id or by name. Groups that are not sent stay, without the
/// options that are gone.
pub(crate) fn read(before: &[StatusGroup], options: &Options, fields: &mut Fields<'_>) -> Option<Vec<StatusGroup>> {
    let Some(sent) = fields.take("groups") else { return Some(kept(before, options)) };
    let Value::Array(list) = sent else {
        fields.refuse("groups", Flaw::of_shape("a list of groups `{ name, optionIds, color }`"), Some(sent));
        return None;
    };
    if list.len() > MAX {
        fields.refuse("groups", Flaw::too_long(MAX), None);
        return None;
    }
    let (at, mut flaws, mut taken) = (fields.path("groups"), Vec::new(), BTreeSet::new());
    let groups = list.into_iter().enumerate();
    let groups =
        groups.filter_map(|(index, sent)| group(options, sent, &format!("{at}.{index}"), &mut taken, &mut flaws));
    let groups = groups.collect();
    let is_flawed = !flaws.is_empty();
    fields.report(flaws);
    (!is_flawed).then_some(groups)
}

fn kept(before: &[StatusGroup], options: &Options) -> Vec<StatusGroup> {
    let mut groups = before.to_vec();
    for group in &mut groups {
        group.options.retain(|id| options.by_id(id.as_str()).is_some());
    }
    groups
}

fn group(
    options: &Options,
    sent: Value,
    at: &str,
    taken: &mut BTreeSet<OptionId>,
    flaws: &mut Vec<Violation>,
) -> Option<StatusGroup> {
    let Value::Object(sent) = sent else {
        flaws.push(Flaw::of_shape("a group `{ name, optionIds, color }`").at(at, Some(sent)));
        return None;
    };
    let mut fields = Fields::new(sent, at, Origin::Caller, flaws);
    let name = fields.required("name", None, |sent| line(sent, OptionName::parse, OptionName::MAX));
    let color = fields.nullable("color", |sent| one_of(sent, OptionColor::ALL)).or(None);
    let members = fields.nullable("optionIds", |sent| members(options, sent, taken)).or(None);
    Some(StatusGroup {
        name: name?,
        options: members.unwrap_or_default(),
        color: color.unwrap_or(OptionColor::Default),
    })
}

fn members(options: &Options, sent: &Value, taken: &mut BTreeSet<OptionId>) -> Result<Vec<OptionId>, Flaw> {
    let list = sent.as_array().ok_or(Flaw::new(Issue::InvalidType))?;
    let mut members = Vec::new();
    for sent in list {
        let named = sent.as_str().ok_or_else(|| Flaw::new(Issue::InvalidType).with(sent.clone()))?;
        let option = options.find(named).ok_or_else(|| Flaw::new(Issue::UnknownOption).with(sent.clone()))?;
        if !taken.insert(option.id.clone()) {
            let flaw = Flaw::new(Issue::Duplicate).ruled(&["an option is in one group at most"]);
            return Err(flaw.with(sent.clone()));
        }
        members.push(option.id.clone());
    }
    Ok(members)
}

/// The groups in JSON.
pub(crate) fn to_json(groups: &[StatusGroup]) -> Value {
    let group = |group: &StatusGroup| json!({ "name": group.name, "optionIds": group.options, "color": group.color });
    groups.iter().map(group).collect()
}

/// The field `groups` as JSON Schema.
pub(crate) fn schema() -> Value {
    let keys: Map<_, _> = Map::from_iter([
        ("name".to_owned(), json!({ "type": "string", "minLength": 1, "maxLength": OptionName::MAX })),
        ("optionIds".to_owned(), json!({ "type": "array", "items": { "type": "string" } })),
        ("color".to_owned(), json!({ "type": "string", "enum": OptionColor::ALL })),
    ]);
    json!({ "type": "array", "maxItems": MAX, "items": { "type": "object", "properties": keys } })
}
