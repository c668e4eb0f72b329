//! Events of charts.

use super::{FieldChanges, Location, Payload};
use crate::{
    chart::Chart,
    event::Resource,
    id::{ChartId, DatabaseId, TeamId},
    text::ChartName,
};
use serde::Serialize;

/// A chart was created or deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfChart {
    chart_id: ChartId,
    database_id: DatabaseId,
    team_id: Option<TeamId>,
    name: ChartName,
    version: i64,
}

impl OfChart {
    /// The event of this chart of a database of this team.
    pub fn new(chart: &Chart, team: Option<TeamId>) -> Self {
        Self {
            chart_id: chart.id,
            database_id: chart.database,
            team_id: team,
            name: chart.name.clone(),
            version: chart.version,
        }
    }
}

impl Payload for OfChart {
    fn resource(&self) -> Resource {
        Resource::Chart(self.chart_id)
    }

    fn location(&self) -> Location {
        Location::of_database(self.database_id, self.team_id)
    }

    fn version(&self) -> Option<i64> {
        Some(self.version)
    }

    fn example() -> Self {
        Self {
            chart_id: ChartId::EXAMPLE,
            database_id: DatabaseId::EXAMPLE,
            team_id: Some(TeamId::EXAMPLE),
            name: ChartName::from_stored("Deals by stage".to_owned()),
            version: 1,
        }
    }

    fn more_examples() -> Vec<Self> {
        vec![Self { team_id: None, ..Self::example() }]
    }
}

/// A chart was changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChartUpdated {
    #[serde(flatten)]
    chart: OfChart,
    #[serde(flatten)]
    changes: FieldChanges,
}

impl ChartUpdated {
    /// The event of this chart after these changes.
    pub fn new(chart: &Chart, team: Option<TeamId>, changes: FieldChanges) -> Self {
        Self { chart: OfChart::new(chart, team), changes }
    }
}

impl Payload for ChartUpdated {
    fn resource(&self) -> Resource {
        self.chart.resource()
    }

    fn location(&self) -> Location {
        self.chart.location()
    }

    fn version(&self) -> Option<i64> {
        self.chart.version()
    }

    fn example() -> Self {
        let chart = OfChart { version: 2, ..OfChart::example() };
        Self { chart, changes: FieldChanges::example("name", "Deals", "Deals by stage") }
    }

    fn more_examples() -> Vec<Self> {
        let chart = OfChart { team_id: None, ..OfChart::example() };
        vec![Self { chart, ..Self::example() }]
    }
}
