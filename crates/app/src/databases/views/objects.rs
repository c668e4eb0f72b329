//! Objects that views show.

use octavo_core_model::{
    Fault,
    fault::{DataIssue, DataProblem},
};
use octavo_databases::views::ViewConfig;

/// Charts, dashboards and forms do not exist yet, so no id names one.
pub(super) fn require_known_objects(config: &ViewConfig) -> Result<(), Fault> {
    let named = [
        ("chartId", "chart", config.chart().is_some()),
        ("dashboardId", "dashboard", config.dashboard().is_some()),
        ("formId", "form", config.form().is_some()),
    ];
    let problems: Vec<_> = named
        .into_iter()
        .filter(|(.., is_named)| *is_named)
        .map(|(field, object, _)| DataProblem {
            rule: Some(format!("`{field}` needs the id of a {object} of this database")),
            ..DataProblem::in_field(DataIssue::ViewConfigInvalid, field)
        })
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(Fault::Data(problems.into())) }
}
