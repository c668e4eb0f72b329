//! `button`: runs actions when somebody presses it.

use super::{Config, ConfigInputs, Facts, FilterKind, Grouping, Rules, SortKind, Storage, object};
use crate::read::{Fields, Flaw, Origin, id, one_of};
use octavo_core_model::named;
use octavo_core_model::{
    fault::{Issue, Violation},
    id::PropertyId,
};
use serde_json::{Map, Value, json};

named! {
    /// What a button does.
    ActionType {
        /// Sets a property of the record.
        SetProperty = "set_property",
        /// Sends the record to an address.
        SendWebhook = "send_webhook",
        /// Starts an automation.
        TriggerAutomation = "trigger_automation",
    }
}

/// One action of a button.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// What is done.
    pub kind: ActionType,
    /// With what.
    pub config: Map<String, Value>,
}

/// The configuration of `button`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ButtonConfig {
    /// What is done, in this order.
    pub actions: Vec<Action>,
}

/// The largest number of actions.
const MAX: usize = 20;

impl Config for ButtonConfig {
    fn read(before: Option<&Self>, fields: &mut Fields<'_>, _: &mut ConfigInputs<'_>) -> Option<Self> {
        let Some(sent) = fields.take("actions") else { return Some(before.cloned().unwrap_or_default()) };
        let Value::Array(list) = sent else {
            fields.refuse("actions", Flaw::of_shape("a list of actions `{ type, config }`"), Some(sent));
            return None;
        };
        if list.len() > MAX {
            fields.refuse("actions", Flaw::too_long(MAX), None);
            return None;
        }
        let (at, mut flaws) = (fields.path("actions"), Vec::new());
        let actions = list.into_iter().enumerate();
        let actions = actions.filter_map(|(index, sent)| action(sent, &format!("{at}.{index}"), &mut flaws)).collect();
        fields.report(flaws);
        Some(Self { actions })
    }

    fn write(&self) -> Map<String, Value> {
        let actions = self.actions.iter().map(|action| json!({ "type": action.kind, "config": action.config }));
        object([("actions", actions.collect())])
    }

    fn keys() -> Map<String, Value> {
        let action = json!({
            "type": "object",
            "properties": {
                "type": { "type": "string", "enum": ActionType::ALL },
                "config": { "type": "object" },
            },
            "required": ["type"],
        });
        object([("actions", json!({ "type": "array", "items": action, "maxItems": MAX }))])
    }
}

fn action(sent: Value, at: &str, flaws: &mut Vec<Violation>) -> Option<Action> {
    let Value::Object(sent) = sent else {
        flaws.push(Flaw::of_shape("an action `{ type, config }`").at(at, Some(sent)));
        return None;
    };
    let mut fields = Fields::new(sent, at, Origin::Caller, flaws);
    let kind = fields.required("type", None, |sent| one_of(sent, ActionType::ALL));
    let config = fields.nullable("config", |sent| sent.as_object().cloned().ok_or(Flaw::new(Issue::InvalidType)));
    let config = config.or(None).unwrap_or_default();
    if kind == Some(ActionType::SetProperty) {
        let mut config = Fields::new(config.clone(), &format!("{at}.config"), Origin::Caller, flaws);
        config.required::<PropertyId>("propertyId", None, |sent| id(sent, PropertyId::PREFIX))?;
    }
    Some(Action { kind: kind?, config })
}

pub(super) struct Button;

impl Rules for Button {
    type Config = ButtonConfig;

    const FACTS: Facts = Facts {
        sort: None,
        grouping: Grouping::Nowhere,
        ..Facts::read_only(
            "Runs actions when somebody presses it; it has no value.",
            Storage::Nothing,
            FilterKind::Nothing,
            SortKind::Count,
        )
    };

    fn value_schema() -> Value {
        json!({ "type": "null" })
    }
}
