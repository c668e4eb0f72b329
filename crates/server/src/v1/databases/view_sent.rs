//! The parts of a view as callers send them. They are read by the use case, with the schema of the database at hand.

use super::{sent::sent, view_schema};
use crate::wire::{Documented, Named, Readable, reference};
use octavo_core_model::fault::{Issue, Violation};
use octavo_databases::{
    Schema,
    query::{Group, PageSize, Sort},
};
use serde_json::{Value, json};

sent! {
    /// The configuration of a view; the keys depend on its type.
    SentViewConfig: reference("AnyViewConfig"), json!({ "density": "compact" }), view_schema::put_any_config;
    /// Which records a view shows.
    SentFilter: reference("Filter"), view_schema::filter_example(), view_schema::put_filter;
    /// In which order a view shows its records.
    SentSort: view_schema::list_of_keys(Sort::MAX), view_schema::keys_example(), view_schema::put_key;
    /// In which groups a view shows its records.
    SentGroup: view_schema::list_of_keys(Group::MAX), json!([]), view_schema::put_key;
    /// The properties to show.
    SentSelect: json!({ "type": "array", "maxItems": Schema::MAX, "items": { "type": "string", "pattern": "^prop_" } }),
        json!(["prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"]);
    /// What to compute over all records that are found.
    SentAggregates: view_schema::list_of_aggregates(), json!([{ "propertyId": "*", "fn": "COUNT" }]);
    /// How many records one answer has; a larger number is lowered to the largest.
    SentPageSize: json!({ "type": "integer", "minimum": 1, "default": PageSize::default().get() }), json!(50);
}
