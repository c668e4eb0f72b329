//! The representation of a chart.

use super::sent::{SentAggregation, SentAxes, SentChartColor, SentLegend, SentMaxPoints};
use crate::{
    v1::databases::{sent::fields, view_sent::SentFilter},
    wire::{JsonOf, Version, body, reply},
};
use octavo_charts::{ChartSort, ChartType};
use octavo_core_model::{
    Timestamp,
    chart::Chart,
    fault::{DataIssue, DataProblem},
    id::{ChartId, DatabaseId, UserId, WorkspaceId},
    text::{ChartName, TimeZone},
};
use serde_json::{Map, Value};

/// The ways in which a well-formed chart can be impossible.
pub(super) const UNFIT: &[DataProblem] = &[DataProblem::new(DataIssue::ChartInvalid)];

body! {
    /// The part of a new chart that decides which right the call needs.
    pub(crate) ChartHome {
        /// The database.
        database_id "databaseId": required DatabaseId,
    }
}

body! {
    /// A chart to be created.
    pub(crate) NewChartBody {
        example: {
            "databaseId": "db_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
            "name": "Deals by month",
            "chartType": "bar",
            "axes": { "x": { "propertyId": "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "bucket": "month" } },
        };
        /// The database that it belongs to.
        database_id "databaseId": required DatabaseId,
        /// Its name.
        name "name": required ChartName,
        /// Its type.
        chart_type "chartType": required ChartType,
        /// Its axes.
        axes "axes": optional SentAxes,
        /// What is computed over the records of a point; by default their number.
        aggregation "aggregation": optional SentAggregation,
        /// Which records count; all by default.
        filter "filter": nullable SentFilter,
        /// The order of the points; by default that of their keys. Keys of options follow the order of the options.
        sort "sort": optional ChartSort = "key_asc",
        /// How many points there are at most; the rest is merged into one.
        max_points "maxPoints": optional SentMaxPoints,
        /// Whether records without a value form a point; true by default.
        include_empty "includeEmpty": optional bool = true,
        /// Whether archived records count; false by default.
        include_archived "includeArchived": optional bool = false,
        /// Whether series stand on each other; false by default.
        stacked "stacked": optional bool = false,
        /// Whether each point includes those before it; false by default.
        cumulative "cumulative": optional bool = false,
        /// Its colour: the name of a colour of options, or `#rrggbb`.
        color "color": nullable SentChartColor,
        /// Its legend.
        legend "legend": optional SentLegend,
    }
}

body! {
    /// A change of a chart. Fields that are left out stay as they are, also within `axes`, `aggregation` and `legend`.
    pub(crate) ChartBody {
        example: { "chartType": "line", "cumulative": true };
        /// Its name.
        name "name": optional ChartName,
        /// Its type. The axes have to fit it.
        chart_type "chartType": optional ChartType,
        /// Its axes.
        axes "axes": optional SentAxes,
        /// What is computed over the records of a point; by default their number.
        aggregation "aggregation": optional SentAggregation,
        /// Which records count; null means all.
        filter "filter": nullable SentFilter,
        /// The order of the points; by default that of their keys. Keys of options follow the order of the options.
        sort "sort": optional ChartSort = "key_asc",
        /// How many points there are at most; the rest is merged into one.
        max_points "maxPoints": optional SentMaxPoints,
        /// Whether records without a value form a point; true by default.
        include_empty "includeEmpty": optional bool = true,
        /// Whether archived records count; false by default.
        include_archived "includeArchived": optional bool = false,
        /// Whether series stand on each other; false by default.
        stacked "stacked": optional bool = false,
        /// Whether each point includes those before it; false by default.
        cumulative "cumulative": optional bool = false,
        /// Its colour: the name of a colour of options, or `#rrggbb`.
        color "color": nullable SentChartColor,
        /// Its legend.
        legend "legend": optional SentLegend,
        /// The version that the change is based on.
        version "version": optional Version,
    }
}

body! {
    /// A chart that is not stored.
    pub(crate) PreviewBody {
        example: {
            "databaseId": "db_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
            "chartType": "number",
        };
        /// The database whose records count.
        database_id "databaseId": required DatabaseId,
        /// Has no effect.
        name "name": optional ChartName,
        /// Its type.
        chart_type "chartType": required ChartType,
        /// Its axes.
        axes "axes": optional SentAxes,
        /// What is computed over the records of a point; by default their number.
        aggregation "aggregation": optional SentAggregation,
        /// Which records count; all by default.
        filter "filter": nullable SentFilter,
        /// The order of the points; by default that of their keys. Keys of options follow the order of the options.
        sort "sort": optional ChartSort = "key_asc",
        /// How many points there are at most; the rest is merged into one.
        max_points "maxPoints": optional SentMaxPoints,
        /// Whether records without a value form a point; true by default.
        include_empty "includeEmpty": optional bool = true,
        /// Whether archived records count; false by default.
        include_archived "includeArchived": optional bool = false,
        /// Whether series stand on each other; false by default.
        stacked "stacked": optional bool = false,
        /// Whether each point includes those before it; false by default.
        cumulative "cumulative": optional bool = false,
        /// Its colour: the name of a colour of options, or `#rrggbb`.
        color "color": nullable SentChartColor,
        /// Its legend.
        legend "legend": optional SentLegend,
        /// The time zone in which days begin; by default that of the caller, and UTC for API keys.
        timezone "timezone": optional TimeZone = "Europe/London",
    }
}

/// The settings in a body as the use case reads them.
macro_rules! settings {
    ($body:ident, $chart_type:expr) => {
        fields([
            ("chartType", $chart_type.map(|kind: ChartType| Some(kind.name().into()))),
            ("axes", $body.axes.map(|sent| Some(sent.0))),
            ("aggregation", $body.aggregation.map(|sent| Some(sent.0))),
            ("filter", $body.filter.map(|sent| sent.map(|sent| sent.0))),
            ("sort", $body.sort.map(|sort| Some(sort.name().into()))),
            ("maxPoints", $body.max_points.map(|sent| Some(sent.0))),
            ("includeEmpty", $body.include_empty.map(|sent| Some(sent.into()))),
            ("includeArchived", $body.include_archived.map(|sent| Some(sent.into()))),
            ("stacked", $body.stacked.map(|sent| Some(sent.into()))),
            ("cumulative", $body.cumulative.map(|sent| Some(sent.into()))),
            ("color", $body.color.map(|sent| sent.map(|sent| sent.0))),
            ("legend", $body.legend.map(|sent| Some(sent.0))),
        ])
    };
}

impl NewChartBody {
    pub(super) fn settings(self) -> Map<String, Value> {
        settings!(self, Some(self.chart_type))
    }
}

impl PreviewBody {
    pub(super) fn settings(self) -> Map<String, Value> {
        settings!(self, Some(self.chart_type))
    }
}

impl ChartBody {
    pub(super) fn settings(self) -> Map<String, Value> {
        settings!(self, self.chart_type)
    }
}

reply! {
    /// A chart of a database.
    pub(crate) ChartReply {
        /// The id of the chart.
        id "id": required ChartId,
        /// Its workspace.
        workspace_id "workspaceId": required WorkspaceId,
        /// The database that it belongs to.
        database_id "databaseId": required DatabaseId,
        /// Its name.
        name "name": required String = "Deals by month",
        /// Its type.
        chart_type "chartType": required ChartType,
        /// Its axes. `x` is null for charts of the type number, `series` if there is one series.
        axes "axes": required JsonOf<SentAxes>,
        /// What is computed over the records of a point.
        aggregation "aggregation": required JsonOf<SentAggregation>,
        /// Which records count; null means all.
        filter "filter": nullable JsonOf<SentFilter>,
        /// The order of the points.
        sort "sort": required ChartSort,
        /// How many points there are at most.
        max_points "maxPoints": required JsonOf<SentMaxPoints>,
        /// Whether records without a value form a point.
        include_empty "includeEmpty": required bool = true,
        /// Whether archived records count.
        include_archived "includeArchived": required bool = false,
        /// Whether series stand on each other.
        stacked "stacked": required bool = false,
        /// Whether each point includes those before it.
        cumulative "cumulative": required bool = false,
        /// Its colour; null for the usual ones.
        color "color": nullable JsonOf<SentChartColor>,
        /// Its legend.
        legend "legend": required JsonOf<SentLegend>,
        /// Raised by each change.
        version "version": required i64 = 1,
        /// Who created it.
        created_by "createdBy": nullable UserId,
        /// Who changed it last.
        updated_by "updatedBy": nullable UserId,
        /// When it was created.
        created_at "createdAt": required Timestamp,
        /// When it was last changed.
        updated_at "updatedAt": required Timestamp,
    }
}

impl From<Chart> for ChartReply {
    fn from(mut chart: Chart) -> Self {
        let mut take = |field: &str| chart.settings.get_mut(field).map(Value::take).unwrap_or_default();
        let flag = |value: Value| value.as_bool().unwrap_or_default();
        let (filter, color) = (take("filter"), take("color"));
        Self {
            chart_type: take("chartType").as_str().and_then(|kind| kind.parse().ok()).unwrap_or(ChartType::Number),
            axes: take("axes").into(),
            aggregation: take("aggregation").into(),
            filter: (!filter.is_null()).then(|| filter.into()),
            sort: take("sort").as_str().and_then(|sort| sort.parse().ok()).unwrap_or(ChartSort::KeyAscending),
            max_points: take("maxPoints").into(),
            include_empty: flag(take("includeEmpty")),
            include_archived: flag(take("includeArchived")),
            stacked: flag(take("stacked")),
            cumulative: flag(take("cumulative")),
            color: (!color.is_null()).then(|| color.into()),
            legend: take("legend").into(),
            id: chart.id,
            workspace_id: chart.workspace,
            database_id: chart.database,
            name: chart.name.as_str().to_owned(),
            version: chart.version,
            created_by: chart.created_by,
            updated_by: chart.updated_by,
            created_at: chart.created_at,
            updated_at: chart.updated_at,
        }
    }
}
