//! Objects that views show.

use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    Fault,
    fault::{DataIssue, DataProblem},
    id::{DatabaseId, WorkspaceId},
    page::ResourceId,
};
use octavo_databases::views::ViewConfig;

/// Checks that what the configuration of a view names belongs to the database. What the view has named before is not
/// checked again: it may have been deleted since. Forms do not exist yet, so no id names one.
pub(super) async fn require_known_objects(
    unit: &mut Unit,
    workspace: WorkspaceId,
    database: DatabaseId,
    before: Option<&ViewConfig>,
    config: &ViewConfig,
) -> AppResult<()> {
    let mut missing = Vec::new();
    if let Some(id) = config.chart().filter(|id| before.and_then(ViewConfig::chart) != Some(*id)) {
        let found = unit.tx.charts().find(workspace, id).await?;
        if found.is_none_or(|chart| chart.database != database) {
            missing.push(("chartId", "chart"));
        }
    }
    if let Some(id) = config.dashboard().filter(|id| before.and_then(ViewConfig::dashboard) != Some(*id)) {
        let found = unit.tx.dashboards().find(workspace, id).await?;
        if found.is_none_or(|dashboard| dashboard.host != ResourceId::Database(database)) {
            missing.push(("dashboardId", "dashboard"));
        }
    }
    if config.form().is_some() {
        missing.push(("formId", "form"));
    }
    if missing.is_empty() {
        return Ok(());
    }
    let problem = |(field, object): (&str, &str)| DataProblem {
        rule: Some(format!("`{field}` needs the id of a {object} of this database")),
        ..DataProblem::in_field(DataIssue::ViewConfigInvalid, field)
    };
    Err(Fault::Data(missing.into_iter().map(problem).collect::<Vec<_>>().into()).into())
}
