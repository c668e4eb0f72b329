//! Defaults of properties.

use crate::{
    input::{Input, PersonInput},
    read::Flaw,
    types::{Form, PropertyConfig},
    value::PropertyValue,
};
use octavo_core_model::fault::Issue;
use serde_json::Value;

/// Reads a default in the form of values of the API.
pub(super) fn read(config: &PropertyConfig, sent: &Value) -> Result<Option<PropertyValue>, Flaw> {
    let none = || Flaw::new(Issue::InvalidValue).ruled(&["null, because properties of this type have no default"]);
    let persons = |persons: Vec<PersonInput>| {
        let ids = persons.into_iter().filter_map(|person| match person {
            PersonInput::Id(id) => Some(id),
            PersonInput::Email(_) | PersonInput::Name(_) => None,
        });
        PropertyValue::Persons(ids.collect())
    };
    let value = match config.read_value(sent.clone(), Form::Exact).ok_or_else(none)?? {
        Input::Clear => return Ok(None),
        Input::Value(value) => value,
        Input::Persons(sent) => persons(sent),
        Input::Files(files) => PropertyValue::Files(files),
        Input::Options(..) | Input::Links(_) => return Err(none()),
    };
    Ok(Some(value).filter(|value| !value.is_unset()))
}

/// The default without options that are gone.
pub(super) fn without_lost_options(config: &PropertyConfig, default: Option<PropertyValue>) -> Option<PropertyValue> {
    let has =
        |id: &crate::options::OptionId| config.options().is_some_and(|options| options.by_id(id.as_str()).is_some());
    match default? {
        PropertyValue::Option(id) => has(&id).then_some(PropertyValue::Option(id)),
        PropertyValue::Options(mut ids) => {
            ids.retain(has);
            (!ids.is_empty()).then_some(PropertyValue::Options(ids))
        }
        other => Some(other),
    }
}
