//! `/pages/tree`

use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Query, routes},
    wire::{Documented, Page, TreeRootRef, Whole, Writable, query, reply},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    pages::{self, Branch, TreeRequest, TreeRoot},
};
use octavo_core_model::{
    Fault, Level,
    fault::Denial,
    page::{PageMark, PageSort, ResourceId},
    position::Position,
    text::{PageIcon, PageTitle},
};
use serde::Serializer;
use serde_json::{Value, json};

query! {
    /// Which part of the tree to show.
    pub(crate) TreeQuery {
        page: PageMark, 20 up to 100;
        /// The root of the returned tree: `workspace` (the default) for the root pages without a team, a team, a
        /// page, or `shared` for pages whose parent the caller may not see.
        root "root": optional TreeRootRef,
        /// How many levels to return; 2 by default.
        depth "depth": optional Whole<1, 5> = 2,
    }
}

reply! {
    /// A node of the tree, as the caller sees it.
    pub(crate) TreeReply {
        /// The kind: `page` or `database`.
        kind "type": required &'static str | ["page", "database"] = "page",
        /// The id.
        id "id": required ResourceId,
        /// Its title.
        title "title": required PageTitle,
        /// Its icon.
        icon "icon": nullable PageIcon,
        /// Its position among its siblings.
        position "position": required Position,
        /// The caller's level.
        access_level "accessLevel": required Level = "EDIT",
        /// The number of active children that the caller may see.
        child_count "childCount": required u64 = 0,
        /// Its children, down to the requested depth.
        children "children": required Below,
    }
}

/// The children of a node. Their schema is that of the node itself.
#[derive(Clone, Debug)]
pub(crate) struct Below(Vec<TreeReply>);

impl Documented for Below {
    fn schema() -> Value {
        json!({ "type": "array", "items": { "$ref": "#/components/schemas/TreeReply" } })
    }

    fn example() -> Value {
        json!([])
    }
}

impl Writable for Below {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

routes! {
    /// Shows a part of the tree of pages and databases.
    ///
    /// The active pages and databases that the caller may see: pages in their order, then databases. `limit` and `cursor` apply to the first level. The
    /// levels below are complete, as long as they have at most 5000 pages in total: a level that exceeds this is left
    /// out, which `childCount` shows.
    GET "/pages/tree" as getPageTree => tree {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (query: Query<TreeQuery>),
        answers: { 200: Page<TreeReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit))],
        events: [],
    }
}

async fn tree(dispatcher: Dispatcher, call: Call, query: Draft<TreeQuery>) -> Answer {
    let asked = query.map(|query| TreeRequest {
        root: query.root.map_or(TreeRoot::Workspace, |root| root.0),
        depth: query.depth.map_or(2, Whole::count),
        limit: query.page.fetch(),
        after: query.page.after,
    });
    let position = |branch: &Branch| branch.page.mark(PageSort::POSITION);
    dispatcher.list(call, move |view| Box::pin(pages::tree(view, asked)), position, TreeReply::from).await
}

impl From<Branch> for TreeReply {
    fn from(Branch { page, level, child_count, children }: Branch) -> Self {
        let id = page.resource();
        Self {
            kind: id.kind(),
            id,
            title: page.title,
            icon: page.icon,
            position: page.position,
            access_level: level,
            child_count,
            children: Below(children.into_iter().map(Self::from).collect()),
        }
    }
}
