//! The configuration of a view.

use super::{
    END, START, Start, VISIBLE_PROPERTIES, ViewType,
    rule::{Misfit, Setting},
};
use crate::{
    query::Columns,
    read::Flaw,
    views::fault::{ViewFindings, ViewRefusal},
};
use octavo_core_model::{
    fault::Issue,
    id::{ChartId, DashboardId, FormId, PropertyId},
};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, str::FromStr};

/// The type of a view and its configuration. Every key belongs to the type, and every property that it names exists.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewConfig {
    kind: ViewType,
    settings: BTreeMap<&'static str, Setting>,
}

impl ViewConfig {
    /// The configuration of a new view for which nothing was sent.
    pub const fn empty(kind: ViewType) -> Self {
        Self { kind, settings: BTreeMap::new() }
    }

    /// The type of the view.
    pub const fn kind(&self) -> ViewType {
        self.kind
    }

    /// The properties that are shown, in their order; `None` if the view does not choose them.
    pub fn visible_properties(&self) -> Option<&[PropertyId]> {
        match self.settings.get(VISIBLE_PROPERTIES) {
            Some(Setting::Properties(ids)) => Some(ids),
            _ => None,
        }
    }

    /// The property with the first day of a record.
    pub fn start_date(&self) -> Option<PropertyId> {
        self.property(START)
    }

    /// The property with the last day of a record.
    pub fn end_date(&self) -> Option<PropertyId> {
        self.property(END)
    }

    /// The chart that is shown.
    pub fn chart(&self) -> Option<ChartId> {
        self.object("chartId")
    }

    /// The dashboard that is shown.
    pub fn dashboard(&self) -> Option<DashboardId> {
        self.object("dashboardId")
    }

    /// The form that is shown.
    pub fn form(&self) -> Option<FormId> {
        self.object("formId")
    }

    fn property(&self, key: &str) -> Option<PropertyId> {
        match self.settings.get(key) {
            Some(Setting::Property(id)) => Some(*id),
            _ => None,
        }
    }

    fn object<T: FromStr>(&self, key: &str) -> Option<T> {
        match self.settings.get(key) {
            Some(Setting::Plain(Value::String(id))) => id.parse().ok(),
            _ => None,
        }
    }

    /// Reads a merge patch of the configuration: a key that is null is cleared, and unknown keys are dropped. `at` is
    /// the path of the view, which is empty or ends with a dot.
    pub(in crate::views) fn changed(
        &self,
        sent: &Value,
        at: &str,
        columns: Columns<'_>,
        findings: &mut ViewFindings,
    ) -> Self {
        let mut changed = self.clone();
        let Some(fields) = sent.as_object() else {
            if !sent.is_null() {
                findings.violations.push(Flaw::new(Issue::InvalidType).at(format!("{at}config"), Some(sent.clone())));
            }
            return changed;
        };
        for key in self.kind.keys() {
            match fields.get(key.name) {
                None => {}
                Some(Value::Null) => drop(changed.settings.remove(key.name)),
                Some(sent) => match key.rule.read(sent, columns) {
                    Ok(setting) => drop(changed.settings.insert(key.name, setting)),
                    Err(_) if columns.is_stored() => {}
                    Err(Misfit::Flaw(flaw)) => {
                        findings.violations.push(flaw.at(format!("{at}config.{}", key.name), Some(sent.clone())));
                    }
                    Err(Misfit::Schema(needed)) => findings.refusals.push(ViewRefusal::ConfigInvalid {
                        field: key.name,
                        message: format!("`{}` needs {needed}", key.name),
                    }),
                },
            }
        }
        changed
    }

    /// Checks that the view can place its records.
    pub(in crate::views) fn check_start(&self, findings: &mut ViewFindings) {
        let is_named = |refusal: &ViewRefusal| matches!(refusal, ViewRefusal::ConfigInvalid { field: START, .. });
        let is_missing = self.kind.layout().start == Some(Start::Required) && self.start_date().is_none();
        if is_missing && !findings.refusals.iter().any(is_named) {
            findings.refusals.push(ViewRefusal::ConfigInvalid {
                field: START,
                message: format!("`{START}` needs the id of a property of the type date or date_range"),
            });
        }
    }

    /// The configuration in JSON: the keys that are set. Views by date always have both of their dates.
    pub fn to_json(&self) -> Map<String, Value> {
        let mut keys = Map::new();
        if self.kind.layout().start.is_some() {
            keys.extend([START, END].map(|key| (key.to_owned(), Value::Null)));
        }
        keys.extend(self.settings.iter().map(|(name, setting)| ((*name).to_owned(), setting.to_json())));
        keys
    }

    /// What is left when a property is deleted.
    #[must_use]
    pub fn without_property(&self, id: PropertyId) -> Self {
        let kept = |(name, setting): (&&'static str, &Setting)| {
            setting.clone().without_property(id).map(|setting| (*name, setting))
        };
        Self { kind: self.kind, settings: self.settings.iter().filter_map(kept).collect() }
    }
}
