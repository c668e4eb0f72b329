//! The parts of a dashboard as callers send them. They are read by the use case.

use crate::{
    v1::databases::{sent::sent, view_sent::SentFilter},
    wire::{Documented, Named, Readable},
};
use octavo_charts::dashboards::{DashboardFilter, Place, WidgetType, Widgets};
use octavo_core_model::{
    fault::{Issue, Violation},
    id::{ChartId, DatabaseId, ViewId, WidgetId},
    text::WidgetTitle,
};
use serde_json::{Value, json};

sent! {
    /// The widgets of a dashboard.
    SentWidgets: widgets(), json!([{ "type": "text", "text": "# Sales", "x": 0, "y": 0, "w": 12, "h": 2 }]);
    /// The filters of a dashboard.
    SentDashboardFilters: filters(), json!([]), put_filter;
}

fn widgets() -> Value {
    let id = |schema: Value, about: &str| json!({ "anyOf": [schema, { "type": "null" }], "description": about });
    let whole = |least: u32, most: u32, about: &str| json!({ "type": "integer", "minimum": least, "maximum": most, "description": about });
    let widget = json!({
        "type": "object",
        "properties": {
            "id": id(WidgetId::schema(), "The id of the widget. One that the dashboard has already is kept; others are replaced by new ones."),
            "type": { "type": "string", "enum": WidgetType::ALL },
            "chartId": id(ChartId::schema(), "The chart, for widgets of the type `chart`."),
            "viewId": id(ViewId::schema(), "The view, for widgets of the type `view`."),
            "text": {
                "type": ["string", "null"],
                "maxLength": Widgets::MOST_TEXT,
                "description": "Markdown, for widgets of the type `text`.",
            },
            "title": { "type": ["string", "null"], "minLength": 1, "maxLength": WidgetTitle::MAX },
            "x": whole(0, Place::COLUMNS - 1, "The first of its columns."),
            "y": whole(0, Place::LAST_ROW, "The first of its rows."),
            "w": whole(1, Place::COLUMNS, "How many columns it has; `x + w` is at most 12."),
            "h": whole(1, Place::MOST_ROWS, "How many rows it has."),
        },
        "required": ["type", "x", "y", "w", "h"],
    });
    json!({ "type": "array", "items": widget, "maxItems": Widgets::MOST })
}

fn filters() -> Value {
    let filter = json!({
        "type": "object",
        "properties": { "databaseId": DatabaseId::schema(), "filter": SentFilter::schema() },
        "required": ["databaseId", "filter"],
    });
    json!({ "type": "array", "items": filter, "maxItems": DashboardFilter::MOST })
}

fn put_filter(named: &mut Named) {
    SentFilter::collect(named);
}
