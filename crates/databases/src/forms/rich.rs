//! `{ text, marks }`.

use crate::{
    input::{Input, InputRules},
    read::Flaw,
    value::PropertyValue,
};
use octavo_blocks_tree::{RichText, rich_text};
use octavo_core_model::{fault::Issue, text::PageTitle};
use serde_json::{Map, Value, json};

const SHAPE: &str = "`{ text, marks }`: a text and a list of marks, which can be left out";

/// The rules for texts of any length.
pub(crate) const fn rules<C>() -> InputRules<C> {
    InputRules {
        shape: SHAPE,
        read: |_, sent| of_any_length(read(sent)?),
        parse: |_, text| plain(text),
        list: Some(joined),
    }
}

/// The rules for titles.
pub(crate) const fn title_rules<C>() -> InputRules<C> {
    InputRules {
        shape: SHAPE,
        read: |_, sent| of_title(read(sent)?),
        parse: |_, text| of_title(RichText::plain(text)),
        list: Some(|_, texts| of_title(RichText::plain(texts.join(", ")))),
    }
}

fn joined<C>(_: &C, texts: &[String]) -> Result<Input, Flaw> {
    plain(&texts.join(", "))
}

fn plain(text: &str) -> Result<Input, Flaw> {
    of_any_length(RichText::plain(text))
}

fn read(sent: &mut Map<String, Value>) -> Result<RichText, Flaw> {
    if !sent.contains_key("text") {
        return Err(Flaw::of_shape(SHAPE));
    }
    Ok(rich_text::read(sent, &"")?)
}

fn of_any_length(text: RichText) -> Result<Input, Flaw> {
    if text.text().chars().nth(RichText::MAX_CHARS).is_some() {
        return Err(Flaw::too_long(RichText::MAX_CHARS));
    }
    if text.text().contains('\0') {
        return Err(Flaw::new(Issue::InvalidFormat));
    }
    Ok(Input::Value(PropertyValue::RichText(text)))
}

fn of_title(text: RichText) -> Result<Input, Flaw> {
    match PageTitle::parse(text.text()) {
        Ok(_) => Ok(Input::Value(PropertyValue::RichText(text))),
        Err(flaw) => {
            let flaw = Flaw::of_text(flaw, PageTitle::MAX);
            Err(if flaw.hint.is_none() { flaw.ruled(&["one line without control characters"]) } else { flaw })
        }
    }
}

/// The value as JSON Schema.
pub(crate) fn schema(max: usize) -> Value {
    json!({
        "type": "object",
        "properties": {
            "text": { "type": "string", "maxLength": max },
            "marks": { "type": "array", "items": { "type": "object" }, "maxItems": RichText::MAX_MARKS },
        },
        "required": ["text"],
    })
}
