//! `button`: runs actions when somebody presses it.

use super::{Facts, FilterKind, Grouping, Rules, SortKind, Storage};
use octavo_core_model::named;
use serde_json::{Map, Value};

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
}
