//! The representation of what a query found.

use super::{group_key::GroupKeyReply, record::RecordReply};
use crate::wire::{CursorSeal, Documented, Writable, reply};
use octavo_app::queries::{AggregateValue, GroupKey, QueryResult};
use octavo_core_model::id::RecordId;
use octavo_databases::{
    query::{Aggregate, AggregateFunction},
    value::Number,
};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::sync::Arc;

/// The representations of what a query found, for one representation of records. Callers and holders of share links see
/// records differently and everything else alike.
macro_rules! query_replies {
    ($reply:ident, $records:ident, $grouped:ident, $groups:ident, $group:ident, $inner:ident of $record:ident) => {
        /// What a query found: records, or groups of records.
        #[derive(Clone, Debug)]
        pub(crate) enum $reply {
            Records($records),
            Groups($grouped),
        }

        $crate::wire::reply! {
            /// Records in the order of the query.
            pub(crate) $records {
                /// The records of the page.
                data "data": required Vec<$record>,
                /// What was computed over all records, not only those of this page. Left out if nothing was to be computed.
                aggregates "aggregates": optional Vec<$crate::v1::records::query_reply::AggregateReply>,
                /// Send it as `cursor` to get the next page; null on the last one.
                next_cursor "nextCursor": nullable String = "kJ2v0cA1u9R6m3f8h5e7",
            }
        }

        $crate::wire::reply! {
            /// Records in groups.
            pub(crate) $grouped {
                /// All groups, with the records of this page.
                data "data": required $groups,
            }
        }

        $crate::wire::reply! {
            /// The groups of the records that were found.
            pub(crate) $groups {
                /// All groups in their order, also those without records on this page.
                groups "groups": required Vec<$group>,
                /// What was computed over all records.
                aggregates "aggregates": required Vec<$crate::v1::records::query_reply::AggregateReply>,
                /// How many records were found; one that is in several groups counts once.
                total_count "totalCount": required u64 = 12,
                /// Send it as `cursor` to get the next page; null on the last one.
                next_cursor "nextCursor": nullable String = "kJ2v0cA1u9R6m3f8h5e7",
            }
        }

        $crate::wire::reply! {
            /// Records with the same value of a property.
            pub(crate) $group {
                /// What they have in common.
                key "key": required $crate::v1::records::group_key::GroupKeyReply,
                /// How many there are, on all pages.
                count "count": required u64 = 12,
                /// What was computed over them, if that was asked for.
                aggregates "aggregates": optional Vec<$crate::v1::records::query_reply::AggregateReply>,
                /// The groups of the next level; left out on the innermost level.
                groups "groups": optional $inner,
                /// Those of this page; left out if there are groups of a next level.
                records "records": optional Vec<$record>,
            }
        }

        /// Groups within a group.
        #[derive(Clone, Debug)]
        pub(crate) struct $inner(Vec<$group>);

        impl $crate::wire::Documented for $inner {
            const IN_EXAMPLES: bool = false;

            fn schema() -> serde_json::Value {
                serde_json::json!({ "type": "array", "items": $group::schema() })
            }

            fn example() -> serde_json::Value {
                serde_json::json!([])
            }

            /// The schema of groups is collected elsewhere.
            fn collect(_named: &mut $crate::wire::Named) {}
        }

        impl $crate::wire::Writable for $inner {
            fn write<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.0.iter().map($crate::wire::Written))
            }
        }

        impl $reply {
            pub(crate) fn of(shown: &$crate::v1::records::query_reply::ShownResult<'_, $record>) -> Self {
                use octavo_app::queries::Found;
                let aggregates = (!shown.result.aggregates.is_empty()).then(|| shown.totals());
                let next_cursor = shown.next_cursor.clone();
                match &shown.result.found {
                    Found::Records(ids) => {
                        Self::Records($records { data: shown.records(ids), aggregates, next_cursor })
                    }
                    Found::Groups(groups) => Self::Groups($grouped {
                        data: $groups {
                            groups: groups.iter().map(|group| $group::of(group, shown)).collect(),
                            aggregates: shown.totals(),
                            total_count: shown.result.count.unwrap_or_default(),
                            next_cursor,
                        },
                    }),
                }
            }
        }

        impl $group {
            pub(crate) fn of(
                group: &octavo_app::queries::Group,
                shown: &$crate::v1::records::query_reply::ShownResult<'_, $record>,
            ) -> Self {
                let inner = || $inner(group.groups.iter().map(|group| Self::of(group, shown)).collect());
                let is_innermost = group.groups.is_empty();
                Self {
                    key: (shown.key)(&group.key),
                    count: group.count,
                    aggregates: shown.result.is_per_group.then(|| shown.computed(&group.aggregates)),
                    groups: (!is_innermost).then(inner),
                    records: is_innermost.then(|| shown.records(&group.records)),
                }
            }
        }

        impl $crate::wire::Documented for $reply {
            fn schema() -> serde_json::Value {
                let either = [stringify!($records), stringify!($grouped)].map($crate::wire::reference);
                serde_json::json!({ "oneOf": either })
            }

            fn example() -> serde_json::Value {
                $records::example()
            }

            fn collect(named: &mut $crate::wire::Named) {
                $records::collect(named);
                $grouped::collect(named);
            }
        }

        impl serde::Serialize for $reply {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    Self::Records(records) => $crate::wire::Writable::write(records, serializer),
                    Self::Groups(groups) => $crate::wire::Writable::write(groups, serializer),
                }
            }
        }

        impl $crate::wire::RouteReply for $reply {}
    };
}

pub(crate) use query_replies;

query_replies!(QueryReply, RecordsReply, GroupedReply, GroupsReply, GroupReply, InnerGroups of RecordReply);

/// What a query found, and how its records and groups are shown.
pub(crate) struct ShownResult<'a, R> {
    pub(crate) result: &'a QueryResult,
    /// Shows a record, unless it was deleted meanwhile.
    pub(crate) record: &'a dyn Fn(&RecordId) -> Option<R>,
    pub(crate) key: &'a dyn Fn(&GroupKey) -> GroupKeyReply,
    pub(crate) next_cursor: Option<String>,
}

impl<R> ShownResult<'_, R> {
    pub(crate) fn records(&self, ids: &[RecordId]) -> Vec<R> {
        ids.iter().filter_map(self.record).collect()
    }

    pub(crate) fn totals(&self) -> Vec<AggregateReply> {
        self.computed(&self.result.totals)
    }

    pub(crate) fn computed(&self, values: &[AggregateValue]) -> Vec<AggregateReply> {
        computed(&self.result.aggregates, values)
    }
}

impl QueryReply {
    /// The answer to a query; `seal` makes the cursor of the next page.
    pub(super) fn to_caller(result: &QueryResult, seal: &CursorSeal) -> Self {
        let next_cursor = result.next.map(|place| seal.seal(&place));
        shown_to_caller(result, next_cursor, Self::of)
    }
}

/// Shows a result as callers see it, unlike holders of links.
pub(crate) fn shown_to_caller<T>(
    result: &QueryResult,
    next_cursor: Option<String>,
    show: impl FnOnce(&ShownResult<'_, RecordReply>) -> T,
) -> T {
    let select: Arc<[_]> = Arc::from(result.select.as_slice());
    let record =
        |id: &RecordId| result.records.get(id).map(|shown| RecordReply::selecting(shown, Some(Arc::clone(&select))));
    let key = |key: &GroupKey| GroupKeyReply::of(key, &result.schema);
    show(&ShownResult { result, record: &record, key: &key, next_cursor })
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
