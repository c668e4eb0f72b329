//! The representation of a view.

use super::{
    sent::{SentFlag, SentName, SentPosition, fields, sent},
    view_schema,
    view_sent::{SentFilter, SentGroup, SentPageSize, SentSort, SentViewConfig},
};
use crate::wire::{Documented, JsonOf, Named, Readable, body, reply};
use octavo_app::databases::ViewDetails;
use octavo_core_model::{
    Timestamp,
    fault::{DataIssue, DataProblem, Issue, Violation},
    id::{DatabaseId, ViewId},
};
use octavo_databases::views::{MAX_VIEWS_AT_ONCE, ViewType};
use serde_json::{Map, Value, json};

/// The ways in which a well-formed view can be impossible.
pub(super) const UNFIT_CONFIG: &[DataProblem] = &[DataProblem::new(DataIssue::ViewConfigInvalid)];
pub(crate) const UNFIT_FILTER: &[DataProblem] = &[DataProblem::new(DataIssue::InvalidFilter)];
pub(crate) const UNFIT_SORT: &[DataProblem] = &[DataProblem::new(DataIssue::InvalidSort)];
pub(crate) const UNFIT_GROUP: &[DataProblem] = &[DataProblem::new(DataIssue::InvalidGroup)];

body! {
    /// A view to be created.
    pub(crate) NewViewBody as view_schema::put_new {
        example: { "name": "Compact", "type": "table", "config": { "density": "compact", "zebra": true }, "pageSize": 100 };
        /// Its name.
        name "name": required SentName = "Compact",
        /// Its type, which cannot be changed later.
        kind "type": required ViewType,
        /// Its configuration; the keys depend on the type, and unknown ones are dropped.
        config "config": nullable SentViewConfig,
        /// Which records it shows; all by default.
        filter "filter": nullable SentFilter,
        /// By what it sorts them; by default by the positions of the records.
        sort "sort": nullable SentSort,
        /// By what it groups them. Tables, lists and galleries have up to three levels, boards one.
        group "group": nullable SentGroup,
        /// How many records one answer has; a number above 200 is lowered to 200.
        page_size "pageSize": nullable SentPageSize,
        /// Its position; by default at the end.
        position "position": nullable SentPosition,
        /// Whether its configuration, filter, sort and groups are protected from changes; false by default.
        is_locked "isLocked": optional SentFlag,
    }
}

impl NewViewBody {
    /// The fields as the use case reads them.
    pub(super) fn sent(self) -> Map<String, Value> {
        fields([
            ("name", Some(Some(self.name.0))),
            ("type", Some(Some(self.kind.name().into()))),
            ("config", self.config.map(|sent| sent.map(|sent| sent.0))),
            ("filter", self.filter.map(|sent| sent.map(|sent| sent.0))),
            ("sort", self.sort.map(|sent| sent.map(|sent| sent.0))),
            ("group", self.group.map(|sent| sent.map(|sent| sent.0))),
            ("pageSize", self.page_size.map(|sent| sent.map(|sent| sent.0))),
            ("position", self.position.map(|sent| sent.map(|sent| sent.0))),
            ("isLocked", self.is_locked.map(|sent| Some(sent.0))),
        ])
    }
}

sent! {
    /// The views of a new database.
    SentViews: json!({ "type": "array", "maxItems": MAX_VIEWS_AT_ONCE, "items": NewViewBody::schema() }),
        json!([{ "name": "Compact", "type": "table", "config": { "density": "compact" } }]),
        NewViewBody::collect;
}

body! {
    /// A change of a view. Fields that are left out stay as they are.
    pub(crate) ViewBody {
        example: { "name": "Everything", "filter": null };
        /// Its name.
        name "name": nullable SentName = "Everything",
        /// Refused unless it is the present one.
        kind "type": optional ViewType,
        /// Keys of its configuration. Those that are left out stay as they are, and null clears a key.
        config "config": nullable SentViewConfig,
        /// Which records it shows; null means all.
        filter "filter": nullable SentFilter,
        /// By what it sorts them; null means by the positions of the records.
        sort "sort": nullable SentSort,
        /// By what it groups them; null means not at all.
        group "group": nullable SentGroup,
        /// How many records one answer has; null means 50.
        page_size "pageSize": nullable SentPageSize,
        /// Its position.
        position "position": nullable SentPosition,
        /// Whether its configuration, filter, sort and groups are protected from changes.
        is_locked "isLocked": nullable SentFlag,
    }
}

impl ViewBody {
    /// The fields as the use case reads them.
    pub(super) fn sent(self) -> Map<String, Value> {
        fields([
            ("name", self.name.map(|sent| sent.map(|sent| sent.0))),
            ("type", self.kind.map(|kind| Some(kind.name().into()))),
            ("config", self.config.map(|sent| sent.map(|sent| sent.0))),
            ("filter", self.filter.map(|sent| sent.map(|sent| sent.0))),
            ("sort", self.sort.map(|sent| sent.map(|sent| sent.0))),
            ("group", self.group.map(|sent| sent.map(|sent| sent.0))),
            ("pageSize", self.page_size.map(|sent| sent.map(|sent| sent.0))),
            ("position", self.position.map(|sent| sent.map(|sent| sent.0))),
            ("isLocked", self.is_locked.map(|sent| sent.map(|sent| sent.0))),
        ])
    }
}

reply! {
    /// A view of a database.
    pub(crate) ViewReply as view_schema::put_shown {
        /// The id of the view.
        id "id": required ViewId,
        /// The database that it belongs to.
        database_id "databaseId": required DatabaseId,
        /// Its name.
        name "name": required String = "Compact",
        /// Its type.
        kind "type": required ViewType,
        /// Its place among the views of the database; keys are compared byte by byte.
        position "position": required String = "a0",
        /// Its configuration; the keys depend on the type. Keys that are not set are left out.
        config "config": required JsonOf<SentViewConfig>,
        /// Which records it shows; null means all.
        filter "filter": nullable JsonOf<SentFilter>,
        /// By what it sorts them; if empty, by the positions of the records.
        sort "sort": required JsonOf<SentSort>,
        /// By what it groups them.
        group "group": required JsonOf<SentGroup>,
        /// How many records one answer has.
        page_size "pageSize": required u32 = 50,
        /// Whether its configuration, filter, sort and groups are protected from changes.
        is_locked "isLocked": required bool = false,
        /// How many records it shows that are not archived, whether the caller may see them or not; null in answers to
        /// changes of a view with a filter, and if there is no room to count.
        record_count "recordCount": nullable u64 = 240,
        /// When it was created.
        created_at "createdAt": required Timestamp,
        /// When it was last changed.
        updated_at "updatedAt": required Timestamp,
    }
}

impl From<ViewDetails> for ViewReply {
    fn from(ViewDetails { view, record_count }: ViewDetails) -> Self {
        let stored = view.to_stored();
        Self {
            id: view.id,
            database_id: view.database,
            name: view.name.as_str().to_owned(),
            kind: view.kind(),
            position: view.position.as_str().to_owned(),
            config: stored.config.into(),
            filter: view.selection.filter.is_some().then(|| stored.filter.into()),
            sort: stored.sort.into(),
            group: stored.group.into(),
            page_size: view.page_size.get().into(),
            is_locked: view.is_locked,
            record_count,
            created_at: view.created_at,
            updated_at: view.updated_at,
        }
    }
}
