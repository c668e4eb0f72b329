//! `url`: an address on the web, possibly with a title.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind};
use crate::{
    input::{Input, InputRules},
    read::{Flaw, text},
    value::{PropertyValue, Shape, WebLink},
};
use octavo_core_model::{fault::Issue, text::WebAddress};
use serde_json::{Map, Value, json};

/// The longest title, in characters.
const MAX_TITLE: usize = 300;
const SHAPE: &str = "`{ value, title }`; the value is an address, the title can be null";
const ADDRESS: &str = "an address with http or https, without blanks";

fn read(_: &NoConfig, sent: &mut Map<String, Value>) -> Result<Input, Flaw> {
    let title = match sent.get("title") {
        None | Some(Value::Null) => None,
        Some(title) => Some(read_title(title).map_err(|flaw| flaw.with(title.clone()))?),
    };
    match sent.get("value") {
        Some(Value::Null) => Ok(Input::Clear),
        Some(Value::String(url)) if url.trim().is_empty() => Ok(Input::Clear),
        Some(Value::String(url)) => link(url, title),
        _ => Err(Flaw::of_shape(SHAPE)),
    }
}

fn read_title(sent: &Value) -> Result<String, Flaw> {
    let title = text(sent)?;
    if title.chars().nth(MAX_TITLE).is_some() {
        return Err(Flaw::too_long(MAX_TITLE));
    }
    if title.contains('\0') {
        return Err(Flaw::new(Issue::InvalidFormat));
    }
    Ok(title.to_owned())
}

fn link(url: &str, title: Option<String>) -> Result<Input, Flaw> {
    let url = url.trim();
    if let Err(flaw) = WebAddress::parse(url) {
        let flaw = Flaw::of_text(flaw, WebAddress::MAX);
        return Err(if flaw.issue == Issue::InvalidFormat { flaw.ruled(&[ADDRESS]) } else { flaw });
    }
    Ok(Input::Value(PropertyValue::Link(WebLink { url: url.to_owned(), title })))
}

pub(super) struct Url;

impl Rules for Url {
    type Config = NoConfig;

    const FACTS: Facts =
        Facts::in_bag("An address on the web, possibly with a title.", Shape::Link, FilterKind::Text, SortKind::Text);

    const INPUT: Option<InputRules<Self::Config>> =
        Some(InputRules { shape: SHAPE, read, parse: |_, text| link(text, None), list: None });

    fn value_schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "value": { "type": "string", "maxLength": WebAddress::MAX, "description": ADDRESS },
                "title": { "type": ["string", "null"], "maxLength": MAX_TITLE },
            },
            "required": ["value"],
        })
    }
}
