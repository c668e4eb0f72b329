//! Which mails a user wants, by the type of notification.

use crate::wire::{Documented, Readable, Writable};
use octavo_core_model::{
    fault::Issue,
    notification::{MailChoice, MailPreferences, NotificationType},
};
use serde::{Serializer, ser::SerializeMap as _};
use serde_json::{Map, Value, json};

/// What a user decides about some types; null returns to the default.
#[derive(Clone, Debug)]
pub(crate) struct SentChoices(pub(crate) Vec<(NotificationType, Option<MailChoice>)>);

/// What holds for each type.
#[derive(Clone, Debug)]
pub(crate) struct ShownChoices(pub(crate) MailPreferences);

fn schema_of(choice: &Value) -> Value {
    let properties: Map<_, _> =
        NotificationType::ALL.iter().map(|kind| (kind.name().to_owned(), choice.clone())).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

impl Documented for SentChoices {
    fn schema() -> Value {
        let words: Vec<_> = MailChoice::ALL.iter().map(|word| word.name()).collect();
        schema_of(
            &json!({ "type": ["string", "null"], "enum": words.into_iter().map(Value::from).chain([Value::Null]).collect::<Vec<_>>() }),
        )
    }

    fn example() -> Value {
        json!({ "COMMENT": "daily" })
    }
}

impl Readable for SentChoices {
    fn read(value: &Value) -> Result<Self, Issue> {
        let choice = |(kind, choice): (&String, &Value)| {
            let kind = kind.parse().map_err(|_| Issue::InvalidValue)?;
            let choice = match choice {
                Value::Null => None,
                choice => Some(MailChoice::read(choice)?),
            };
            Ok((kind, choice))
        };
        value.as_object().ok_or(Issue::InvalidType)?.iter().map(choice).collect::<Result<_, _>>().map(Self)
    }
}

impl Documented for ShownChoices {
    fn schema() -> Value {
        schema_of(&MailChoice::schema())
    }

    fn example() -> Value {
        json!({ "MENTION": "instant", "COMMENT": "daily", "PAGE_UPDATED": "off" })
    }
}

impl Writable for ShownChoices {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(NotificationType::ALL.len()))?;
        for kind in NotificationType::ALL {
            map.serialize_entry(kind.name(), self.0.choice(*kind).name())?;
        }
        map.end()
    }
}
