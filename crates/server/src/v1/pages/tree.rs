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
    pages::{self, Branch, TreeAsked, TreeRoot},
};
use octavo_core_model::{
    Fault, Level,
    fault::Denial,
    id::PageId,
    page::{PageMark, PageSort},
    position::Position,
    text::{PageIcon, PageTitle},
};
use serde::Serializer;
use serde_json::{Value, json};

query! {
    /// Which part of the tree to show.
    pub(crate) TreeQuery {
        page: PageMark, 20 up to 100;
        /// Where it begins: `workspace` for the root pages without a team, a team, a page, or `shared` for the pages that stand in something
        /// the caller does not see. `workspace` where it is left out.
        root "root": optional TreeRootRef,
        /// How many levels to show; 2 by default.
        depth "depth": optional Whole<1, 5> = 2,
    }
}

reply! {
    /// A node of the tree, as the caller sees it.
    pub(crate) TreeReply {
        /// What it is: `page` or `database`.
        kind "type": required &'static str = "page",
        /// Identifies it.
        id "id": required PageId,
        /// Its title.
        title "title": required PageTitle,
        /// What stands before the title.
        icon "icon": nullable PageIcon,
        /// Its place among its siblings.
        position "position": required Position,
        /// What the caller may do with it.
        access_level "accessLevel": required Level = "EDIT",
        /// How many active pages in it the caller sees.
        child_count "childCount": required u64 = 0,
        /// What is in it, down to the depth that was asked for.
        children "children": required Below,
    }
}

/// The nodes below one. Their description is that of the node itself.
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
    /// Shows a part of the tree.
    ///
    /// The active pages that the caller sees, in the order of their positions. `limit` and `cursor` are about the first level; the levels below
    /// come whole, as long as they hold at most 5000 pages together: a level that passes that is left out, as `childCount` tells.
    GET "/pages/tree" => tree {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (query: Query<TreeQuery>),
        answers: { 200: Page<TreeReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit))],
        events: [],
    }
}

async fn tree(dispatcher: Dispatcher, call: Call, query: Draft<TreeQuery>) -> Answer {
    let asked = query.map(|query| TreeAsked {
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
        Self {
            kind: "page",
            id: page.id,
            title: page.title,
            icon: page.icon,
            position: page.position,
            access_level: level,
            child_count,
            children: Below(children.into_iter().map(Self::from).collect()),
        }
    }
}
