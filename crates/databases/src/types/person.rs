//! `person`: members of the workspace.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind};
use crate::{
    forms::lists,
    input::{Input, InputRules, PersonInput},
    read::{Flaw, id_pattern},
    value::Shape,
};
use octavo_core_model::{id::UserId, text::Email};
use serde_json::{Map, Value};

/// The largest number of persons of one value.
const MAX: usize = 100;
const SHAPE: &str = "`{ userIds }` with a list of ids of users";

fn read(_: &NoConfig, sent: &mut Map<String, Value>) -> Result<Input, Flaw> {
    let ids = lists::ids::<UserId>(sent, "userIds", UserId::PREFIX, MAX, SHAPE)?;
    Ok(ids.map_or(Input::Clear, |ids| Input::Persons(ids.into_iter().map(PersonInput::Id).collect())))
}

fn cast(_: &NoConfig, texts: &[String]) -> Result<Input, Flaw> {
    lists::check_count(texts.len(), MAX)?;
    Ok(Input::Persons(
        texts
            .iter()
            .map(|text| person(text.trim()))
            .filter(|person| !matches!(person, PersonInput::Name(name) if name.is_empty()))
            .collect(),
    ))
}

fn person(text: &str) -> PersonInput {
    let by_id = text.parse().map(PersonInput::Id);
    let by_email = || Email::parse(text).map(PersonInput::Email);
    by_id.or_else(|_| by_email()).unwrap_or_else(|_| PersonInput::Name(text.to_owned()))
}

pub(super) struct Person;

impl Rules for Person {
    type Config = NoConfig;

    const FACTS: Facts =
        Facts::in_bag("Up to 100 members of the workspace.", Shape::Persons, FilterKind::Person, SortKind::PersonName)
            .for_boards();

    const INPUT: Option<InputRules<Self::Config>> = Some(InputRules {
        shape: SHAPE,
        read,
        parse: |config, text| cast(config, &lists::parts(text)),
        list: Some(cast),
    });

    fn value_schema() -> Value {
        lists::schema("userIds", &id_pattern(UserId::PREFIX), MAX)
    }
}
