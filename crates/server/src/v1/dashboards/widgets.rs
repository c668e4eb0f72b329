//! The representation of what widgets show.

use crate::{
    v1::{
        charts::points::ChartDataReply,
        records::{
            query_reply::{GroupReply, shown_to_caller},
            record::RecordReply,
        },
    },
    wire::{Documented, Named, Writable, reference, reply},
};
use octavo_app::{
    dashboards::{DashboardAnswer, WidgetAnswer, WidgetData},
    queries::{Found, QueryResult},
};
use octavo_core_model::{Fault, Timestamp, id::WidgetId};
use serde::Serializer;
use serde_json::{Value, json};

reply! {
    /// What the widgets of a dashboard show.
    pub(crate) DashboardDataReply {
        /// In the order of the widgets.
        widgets "widgets": required Vec<WidgetReply>,
        /// The time zone in which days begin.
        timezone "timezone": required String = "Europe/London",
        /// When it was computed.
        computed_at "computedAt": required Timestamp,
    }
}

reply! {
    /// What a widget shows, or why it shows nothing: either `data` or `error`.
    pub(crate) WidgetReply {
        /// The id of the widget.
        id "id": required WidgetId,
        /// What it shows: the data of a chart, the first records of a view, or a text.
        data "data": optional WidgetDataReply,
        /// Why it shows nothing.
        error "error": optional WidgetErrorReply,
    }
}

reply! {
    /// Why a widget shows nothing.
    pub(crate) WidgetErrorReply {
        /// `NOT_FOUND` if what it shows is gone or hidden from the caller, `UNPROCESSABLE_ENTITY` if the properties of the
        /// database no longer allow it.
        code "code": required &'static str | ["NOT_FOUND", "UNPROCESSABLE_ENTITY"] = "NOT_FOUND",
    }
}

reply! {
    /// The first records of a view.
    pub(crate) WidgetRecordsReply {
        /// At most 50.
        records "records": required Vec<RecordReply>,
        /// Whether there are more.
        has_more "hasMore": required bool = false,
    }
}

reply! {
    /// The first records of a view in groups.
    pub(crate) WidgetGroupsReply {
        /// All groups, with at most 50 records in all of them together.
        groups "groups": required Vec<GroupReply>,
        /// How many records there are; one that is in several groups counts once.
        total_count "totalCount": required u64 = 12,
        /// Whether there are more records than those shown.
        has_more "hasMore": required bool = false,
    }
}

reply! {
    /// A text.
    pub(crate) WidgetTextReply {
        /// In Markdown.
        text "text": required String = "# Sales",
    }
}

/// What a widget shows.
#[derive(Clone, Debug)]
pub(crate) enum WidgetDataReply {
    Chart(Box<ChartDataReply>),
    Records(WidgetRecordsReply),
    Groups(WidgetGroupsReply),
    Text(WidgetTextReply),
}

impl Documented for WidgetDataReply {
    fn schema() -> Value {
        let kinds = ["ChartDataReply", "WidgetRecordsReply", "WidgetGroupsReply", "WidgetTextReply"];
        json!({ "anyOf": kinds.map(reference) })
    }

    fn example() -> Value {
        ChartDataReply::example()
    }

    fn collect(named: &mut Named) {
        ChartDataReply::collect(named);
        WidgetRecordsReply::collect(named);
        WidgetGroupsReply::collect(named);
        WidgetTextReply::collect(named);
    }
}

impl Writable for WidgetDataReply {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Chart(data) => data.write(serializer),
            Self::Records(records) => records.write(serializer),
            Self::Groups(groups) => groups.write(serializer),
            Self::Text(text) => text.write(serializer),
        }
    }
}

impl From<DashboardAnswer> for DashboardDataReply {
    fn from(answer: DashboardAnswer) -> Self {
        let DashboardAnswer { widgets, zone, computed_at } = answer;
        let widget = |WidgetAnswer { id, shown }| match shown {
            Ok(data) => WidgetReply { id, data: Some(shown_data(data, zone, computed_at)), error: None },
            Err(fault) => WidgetReply { id, data: None, error: Some(WidgetErrorReply { code: code(&fault) }) },
        };
        Self { widgets: widgets.into_iter().map(widget).collect(), timezone: zone.name().to_owned(), computed_at }
    }
}

const fn code(fault: &Fault) -> &'static str {
    match fault {
        Fault::NotFound => "NOT_FOUND",
        _ => "UNPROCESSABLE_ENTITY",
    }
}

fn shown_data(data: WidgetData, zone: chrono_tz::Tz, computed_at: Timestamp) -> WidgetDataReply {
    match data {
        WidgetData::Chart(data) => WidgetDataReply::Chart(Box::new(ChartDataReply::new(&data, zone, computed_at))),
        WidgetData::Records(found) => records(&found),
        WidgetData::Text(text) => WidgetDataReply::Text(WidgetTextReply { text }),
    }
}

fn records(result: &QueryResult) -> WidgetDataReply {
    let has_more = result.next.is_some();
    shown_to_caller(result, None, |shown| match &result.found {
        Found::Records(ids) => WidgetDataReply::Records(WidgetRecordsReply { records: shown.records(ids), has_more }),
        Found::Groups(groups) => WidgetDataReply::Groups(WidgetGroupsReply {
            groups: groups.iter().map(|group| GroupReply::of(group, shown)).collect(),
            total_count: result.count.unwrap_or_default(),
            has_more,
        }),
    })
}
