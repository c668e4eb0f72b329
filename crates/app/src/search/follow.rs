//! Loading a map, and bringing it up to date.

use crate::{call::Call, engine::Engine, outcome::AppResult, page_map::PageMap, scope::View};
use octavo_core_model::{
    Fault, Timestamp,
    fault::ComputeFault,
    id::{PageId, WorkspaceId},
};
use octavo_ports::{pages::PagePlace, search::NodeKey};
use std::collections::{BTreeMap, BTreeSet};

/// How many nodes are read at once.
const NODES_AT_ONCE: u32 = 5_000;

/// How many events are read at once.
const EVENTS_AT_ONCE: u32 = 1_000;

/// From this many changed nodes on, a map is loaded again.
const MANY_CHANGES: usize = 5_000;

/// How often a map that was loaded may turn out to be outdated before the call is given up.
const ATTEMPTS: usize = 3;

/// A map, and what has changed since it was kept.
#[derive(Debug)]
pub(crate) struct Followed {
    kept: PageMap,
    changed: BTreeMap<PageId, Option<PagePlace>>,
    up_to: i64,
    /// The last number that was assigned in the log.
    last_sequence: i64,
    now: Timestamp,
}

impl Followed {
    pub(crate) const fn last_sequence(&self) -> i64 {
        self.last_sequence
    }

    /// Whether the map is used as it is.
    pub(crate) fn is_current(&self) -> bool {
        self.changed.is_empty()
    }

    /// The map with the changes. This is work for the compute pool, unless the map is current.
    pub(crate) fn apply(self) -> PageMap {
        if self.is_current() {
            self.kept.unchanged(self.up_to, self.now)
        } else {
            self.kept.with(self.changed, self.up_to, self.now)
        }
    }
}

/// Reads what has changed since the map of a workspace was kept; `None` if there is none, or too much has changed. One
/// statement if nothing has, usually two otherwise.
pub(crate) async fn follow(view: &mut View, workspace: WorkspaceId) -> AppResult<Option<Followed>> {
    let Some(kept) = view.page_maps().get(workspace) else { return Ok(None) };
    let now = view.call.now;
    // Events that are older than that may no longer exist.
    if now.since(kept.as_of) > view.rules().event_retention / 2 {
        return Ok(None);
    }
    let (mut nodes, mut created, mut up_to) = (BTreeSet::new(), BTreeSet::new(), kept.up_to);
    let last_sequence = loop {
        let found = view.tx.events().list_changed_nodes(workspace, up_to, EVENTS_AT_ONCE).await?;
        nodes.extend(found.nodes);
        created.extend(found.created);
        up_to = found.up_to;
        if found.are_incomplete || nodes.len() > MANY_CHANGES {
            return Ok(None);
        }
        if !found.is_cut {
            break found.last_sequence;
        }
    };
    let changed = read_nodes(view, workspace, &kept, nodes, created).await?;
    Ok(Some(Followed { kept, changed, up_to, last_sequence, now }))
}

/// The present places of nodes, of those below new ones, and of those above them that the map does not know.
async fn read_nodes(
    view: &mut View,
    workspace: WorkspaceId,
    kept: &PageMap,
    nodes: BTreeSet<PageId>,
    mut created: BTreeSet<PageId>,
) -> AppResult<BTreeMap<PageId, Option<PagePlace>>> {
    let mut changed = BTreeMap::new();
    let mut asked = Vec::from_iter(nodes);
    while !asked.is_empty() {
        changed.extend(asked.iter().map(|id| (*id, None)));
        let found = view.tx.pages().list_places_by_id(workspace, &asked).await?;
        changed.extend(found.into_iter().map(|place| (place.id, Some(place))));
        // Only pages that are new to the map can have pages below them that no event names.
        created.retain(|id| kept.find(NodeKey::from(*id)).is_none());
        if !created.is_empty() {
            let below =
                view.tx.pages().list_places_below(workspace, &Vec::from_iter(std::mem::take(&mut created))).await?;
            changed.extend(below.into_iter().map(|place| (place.id, Some(place))));
        }
        let containers = changed.values().flatten().filter_map(|place| place.container.page());
        let unknown: BTreeSet<_> =
            containers.filter(|id| !changed.contains_key(id) && kept.find(NodeKey::from(*id)).is_none()).collect();
        asked = Vec::from_iter(unknown);
    }
    Ok(changed)
}

/// Loads the map of a workspace, unless another call does that already, and returns it with what has changed meanwhile.
pub(crate) async fn load(engine: &Engine, call: &Call, workspace: WorkspaceId) -> AppResult<Followed> {
    let _turn = engine.page_maps().turn(workspace).await;
    for _ in 0..ATTEMPTS {
        let followed = engine.read(call.clone(), move |view| Box::pin(follow(view, workspace))).await?;
        if let Some(followed) = followed {
            return Ok(followed);
        }
        let map = read_all(engine, call, workspace).await?;
        engine.page_maps().put(workspace, &map);
    }
    Err(Fault::from(ComputeFault::Busy).into())
}

async fn read_all(engine: &Engine, call: &Call, workspace: WorkspaceId) -> AppResult<PageMap> {
    let read_end = engine.read(call.clone(), move |view| {
        Box::pin(async move { Ok(view.tx.events().find_log_ends(workspace).await?.last_sequence) })
    });
    // First the log, then the nodes: what changes meanwhile is read again.
    let up_to = read_end.await?;
    let (mut places, mut after): (Vec<PagePlace>, Option<PageId>) = (Vec::new(), None);
    loop {
        let read = engine.read(call.clone(), move |view| {
            Box::pin(async move { Ok(view.tx.pages().list_places(workspace, after, NODES_AT_ONCE).await?) })
        });
        let part = read.await?;
        let is_last = part.len() < NODES_AT_ONCE as usize;
        after = part.last().map(|place| place.id).or(after);
        places.extend(part);
        if is_last {
            return Ok(PageMap::new(places, up_to, call.now));
        }
    }
}
