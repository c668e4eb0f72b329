//! The representation of what a query found.

use super::{group_key::GroupKeyReply, record::RecordReply};
use crate::wire::{CursorSeal, Documented, Named, RouteReply, Writable, Written, reference, reply};
use octavo_app::queries::{AggregateValue, Found, Group, QueryResult};
use octavo_core_model::id::RecordId;
use octavo_databases::{
    query::{Aggregate, AggregateFunction},
    value::Number,
};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::sync::Arc;

/// What a query found: records, or groups of records.
#[derive(Clone, Debug)]
pub(crate) enum QueryReply {
    Records(RecordsReply),
    Groups(GroupedReply),
}

reply! {
    /// Records in the order of the query.
    pub(crate) RecordsReply {
        /// The records of the page.
        data "data": required Vec<RecordReply>,
        /// What was computed over all records, not only those of this page. Left out if nothing was to be computed.
        aggregates "aggregates": optional Vec<AggregateReply>,
        /// Send it as `cursor` to get the next page; null on the last one.
        next_cursor "nextCursor": nullable String = "kJ2v0cA1u9R6m3f8h5e7",
    }
}

reply! {
    /// Records in groups.
    pub(crate) GroupedReply {
        /// All groups, with the records of this page.
        data "data": required GroupsReply,
    }
}

reply! {
    /// The groups of the records that were found.
    pub(crate) GroupsReply {
        /// All groups in their order, also those without records on this page.
        groups "groups": required Vec<GroupReply>,
        /// What was computed over all records.
        aggregates "aggregates": required Vec<AggregateReply>,
        /// How many records were found; one that is in several groups counts once.
        total_count "totalCount": required u64 = 12,
        /// Send it as `cursor` to get the next page; null on the last one.
        next_cursor "nextCursor": nullable String = "kJ2v0cA1u9R6m3f8h5e7",
    }
}

reply! {
    /// Records with the same value of a property.
    pub(crate) GroupReply {
        /// What they have in common.
        key "key": required GroupKeyReply,
        /// How many there are, on all pages.
        count "count": required u64 = 12,
        /// What was computed over them, if that was asked for.
        aggregates "aggregates": optional Vec<AggregateReply>,
        /// The groups of the next level; left out on the innermost level.
        groups "groups": optional InnerGroups,
        /// Those of this page; left out if there are groups of a next level.
        records "records": optional Vec<RecordReply>,
    }
}

reply! {
    /// What was computed over the values of a property.
    pub(crate) AggregateReply {
        /// The property; `*` stands for the records themselves.
        property_id "propertyId": required String = "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// How the values became one.
        function "fn": required AggregateFunction = "SUM",
        /// The result: a number, or a date for the first or last of dates; null if there was nothing to compute it of.
        value "value": nullable AggregateResult = 1200,
    }
}

/// Groups within a group.
#[derive(Clone, Debug)]
pub(crate) struct InnerGroups(Vec<GroupReply>);

/// The result of an aggregate.
#[derive(Clone, Debug)]
pub(crate) struct AggregateResult(Value);

impl Documented for AggregateResult {
    fn schema() -> Value {
        json!({ "type": ["number", "string"] })
    }

    fn example() -> Value {
        json!(1200)
    }
}

impl Writable for AggregateResult {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Documented for InnerGroups {
    const IN_EXAMPLES: bool = false;

    fn schema() -> Value {
        json!({ "type": "array", "items": GroupReply::schema() })
    }

    fn example() -> Value {
        json!([])
    }

    /// The schema of groups is collected elsewhere.
    fn collect(_named: &mut Named) {}
}

impl Writable for InnerGroups {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Written))
    }
}

impl QueryReply {
    /// The answer to a query; `seal` makes the cursor of the next page.
    pub(super) fn of(result: &QueryResult, seal: &CursorSeal) -> Self {
        let QueryResult { aggregates, .. } = result;
        let show = RecordReply::shown(result);
        let next_cursor = result.next.map(|place| seal.seal(&place));
        let totals = computed(aggregates, &result.totals);
        match &result.found {
            Found::Records(ids) => Self::Records(RecordsReply {
                data: ids.iter().filter_map(show).collect(),
                aggregates: (!aggregates.is_empty()).then_some(totals),
                next_cursor,
            }),
            Found::Groups(groups) => Self::Groups(GroupedReply {
                data: GroupsReply {
                    groups: groups.iter().map(|group| GroupReply::of(group, result, &show)).collect(),
                    aggregates: totals,
                    total_count: result.count.unwrap_or_default(),
                    next_cursor,
                },
            }),
        }
    }
}

impl RecordReply {
    /// How the records of a result are shown.
    pub(crate) fn shown(result: &QueryResult) -> impl Fn(&RecordId) -> Option<Self> {
        let select: Arc<[_]> = Arc::from(result.select.as_slice());
        move |id| result.records.get(id).map(|shown| Self::selecting(shown, Some(Arc::clone(&select))))
    }
}

impl GroupReply {
    pub(crate) fn of(group: &Group, result: &QueryResult, show: &impl Fn(&RecordId) -> Option<RecordReply>) -> Self {
        let is_innermost = group.groups.is_empty();
        Self {
            key: GroupKeyReply::of(&group.key, &result.schema),
            count: group.count,
            aggregates: result.is_per_group.then(|| computed(&result.aggregates, &group.aggregates)),
            groups: (!is_innermost)
                .then(|| InnerGroups(group.groups.iter().map(|group| Self::of(group, result, show)).collect())),
            records: is_innermost.then(|| group.records.iter().filter_map(show).collect()),
        }
    }
}

fn computed(aggregates: &[Aggregate], values: &[AggregateValue]) -> Vec<AggregateReply> {
    let pairs = aggregates.iter().zip(values);
    pairs
        .map(|(aggregate, value)| AggregateReply {
            property_id: aggregate.property().map_or_else(|| "*".to_owned(), |property| property.to_string()),
            function: aggregate.function(),
            value: match value {
                AggregateValue::Null => None,
                AggregateValue::Number(number) => Number::new(*number).map(|number| AggregateResult(number.to_json())),
                AggregateValue::Date(moment) => Some(AggregateResult(moment.to_string().into())),
            },
        })
        .collect()
}

impl Documented for QueryReply {
    fn schema() -> Value {
        json!({ "oneOf": [reference("RecordsReply"), reference("GroupedReply")] })
    }

    fn example() -> Value {
        RecordsReply::example()
    }

    fn collect(named: &mut Named) {
        RecordsReply::collect(named);
        GroupedReply::collect(named);
    }
}

impl Serialize for QueryReply {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Records(records) => records.write(serializer),
            Self::Groups(groups) => groups.write(serializer),
        }
    }
}

impl RouteReply for QueryReply {}
