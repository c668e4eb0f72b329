//! `/public/shares/{token}/databases/{databaseId}`: databases behind a share link.

use super::{
    key::LinkKey,
    public::listed,
    shared_values::{SharedPropertyReply, SharedViewReply},
};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Indexing, Path, routes},
    v1::pages::page::AncestorReply,
    wire::{Data, reply},
};
use octavo_app::{
    Call, Draft,
    share_links::{self, Key, Node, SharedDatabase},
};
use octavo_core_model::{
    Fault, Timestamp,
    fault::Unknown,
    id::DatabaseId,
    text::{DatabaseDescription, PageIcon, PageTitle},
};

reply! {
    /// The public fields of a database.
    pub(crate) SharedDatabaseFieldsReply {
        /// The id of the database.
        id "id": required DatabaseId,
        /// Its title; it may be empty.
        title "title": required PageTitle,
        /// Its icon.
        icon "icon": nullable PageIcon,
        /// What it is for.
        description "description": nullable DatabaseDescription,
        /// How many records it has that are not archived, whether the link shows them or not; 0 for a link that shows none.
        record_count "recordCount": required u64 = 240,
        /// When it was changed last.
        updated_at "updatedAt": required Timestamp,
    }
}

reply! {
    /// A database as a link shows it.
    pub(crate) SharedDatabaseReply {
        /// The database.
        database "database": required SharedDatabaseFieldsReply,
        /// The pages and databases above it, starting with the page of the link.
        ancestors "ancestors": required Vec<AncestorReply>,
        /// Its properties in their order, without those that name who wrote a record.
        properties "properties": required Vec<SharedPropertyReply>,
        /// Its views in their order.
        views "views": required Vec<SharedViewReply>,
    }
}

routes! {
    /// Shows a database through a share link.
    ///
    /// The database of the link, or one below that the link includes, with its properties and views. Relations to
    /// databases that the link does not show have no target.
    GET "/public/shares/{token}/databases/{databaseId}" as getSharedDatabase => show {
        caller: Anyone,
        limits: [Share],
        takes: (key: LinkKey, database: Path<DatabaseId>),
        answers: { 200: Data<SharedDatabaseReply> },
        refusals: [Fault::NotFound, Fault::ShareExpired, Fault::Unauthenticated(Unknown::SharePasswordRequired)],
        events: [],
        indexing: Indexing::Excluded,
    }
}

async fn show(dispatcher: Dispatcher, call: Call, key: Key, database: Draft<DatabaseId>) -> Answer {
    let shape = |shown: SharedDatabase| {
        let link = shown.link.clone();
        listed(&link, ok(SharedDatabaseReply::from(shown)))
    };
    dispatcher.read(call, move |view| Box::pin(share_links::database(view, key, database)), shape).await
}

impl From<SharedDatabase> for SharedDatabaseReply {
    fn from(shown: SharedDatabase) -> Self {
        let properties = shown.schema.properties().iter();
        Self {
            properties: properties.map(|property| SharedPropertyReply::new(&shown, property)).collect(),
            views: shown.views.iter().map(SharedViewReply::from).collect(),
            database: SharedDatabaseFieldsReply {
                id: shown.database.id,
                title: shown.node.title,
                icon: shown.node.icon,
                description: shown.database.description,
                record_count: shown.record_count,
                updated_at: shown.database.updated_at,
            },
            ancestors: shown.ancestors.into_iter().map(|node: Node| AncestorReply::from(node)).collect(),
        }
    }
}
