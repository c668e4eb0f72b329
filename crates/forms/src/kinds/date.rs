//! `DATE`.

use crate::{
    answer::{Answer, AnswerCode, Report},
    bounds::Bounds,
};
use octavo_core_model::fault::Issue;
use octavo_databases::{
    read::{Fields, Flaw, text},
    value::Day,
};
use serde_json::{Value, json};

/// Which days are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DateRules {
    /// What the day is between.
    pub range: Bounds<Day>,
}

impl DateRules {
    pub(super) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let range = Bounds::read(fields, ("minDate", "maxDate"), |sent, _| {
            Day::parse(text(sent)?).map_err(|_| Flaw::new(Issue::InvalidFormat).ruled(&["a day, `YYYY-MM-DD`"]))
        });
        Some(Self { range: range? })
    }

    pub(super) fn write(self) -> Vec<(&'static str, Value)> {
        let shown = |day: Option<Day>| json!(day.map(|day| day.to_string()));
        vec![("minDate", shown(self.range.min())), ("maxDate", shown(self.range.max()))]
    }

    pub(super) fn check(self, sent: &Value, report: &mut Report<'_>) -> Option<Answer> {
        let Some(day) = sent.as_str().and_then(|text| Day::parse(text).ok()) else {
            report.add(AnswerCode::Date, "This must be a day, written YYYY-MM-DD.");
            return None;
        };
        if let Some(min) = self.range.min() {
            report.expect(day >= min, AnswerCode::MinDate, || format!("The day must not be before {min}."));
        }
        if let Some(max) = self.range.max() {
            report.expect(day <= max, AnswerCode::MaxDate, || format!("The day must not be after {max}."));
        }
        Some(Answer::Date(day))
    }
}
