//! The maps that are in memory, up to a number of bytes.

use super::PageMap;
use futures_util::lock::{Mutex as Turn, MutexGuard as TurnGuard};
use octavo_core_model::id::WorkspaceId;
use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// How many maps are loaded at once.
const LOADS: usize = 8;

/// The maps in memory.
#[derive(Debug)]
pub(crate) struct PageMaps {
    most_bytes: usize,
    maps: Mutex<Maps>,
    loads: [Turn<()>; LOADS],
}

#[derive(Debug, Default)]
struct Maps {
    kept: BTreeMap<WorkspaceId, (PageMap, u64)>,
    bytes: usize,
    /// Raised by each use, so that the map that was not used for longest can be found.
    uses: u64,
}

impl PageMaps {
    pub(crate) fn new(most_bytes: usize) -> Self {
        Self { most_bytes, maps: Mutex::default(), loads: Default::default() }
    }

    pub(crate) fn get(&self, workspace: WorkspaceId) -> Option<PageMap> {
        let mut maps = self.maps();
        maps.uses += 1;
        let now = maps.uses;
        let (map, last_use) = maps.kept.get_mut(&workspace)?;
        *last_use = now;
        Some(map.clone())
    }

    /// Keeps a map, unless a newer one is kept. Forgets those that were not used for longest until all fit; one that is
    /// too large by itself is not kept.
    pub(crate) fn put(&self, workspace: WorkspaceId, map: &PageMap) {
        let mut maps = self.maps();
        if maps.kept.get(&workspace).is_some_and(|(kept, _)| kept.up_to > map.up_to) {
            return;
        }
        maps.forget(workspace);
        let bytes = map.memory();
        if bytes > self.most_bytes {
            return;
        }
        while maps.bytes > self.most_bytes - bytes {
            let Some((oldest, _)) = maps.kept.iter().min_by_key(|(_, (_, last_use))| *last_use) else { break };
            let oldest = *oldest;
            maps.forget(oldest);
        }
        maps.uses += 1;
        let now = maps.uses;
        maps.bytes += bytes;
        maps.kept.insert(workspace, (map.clone(), now));
    }

    /// Waits for the turn to load the map of a workspace. Whoever had it before may have kept that map.
    pub(crate) async fn turn(&self, workspace: WorkspaceId) -> TurnGuard<'_, ()> {
        let place = usize::from(workspace.bits().to_le_bytes()[0]) % LOADS;
        self.loads[place].lock().await
    }

    fn maps(&self) -> MutexGuard<'_, Maps> {
        self.maps.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Maps {
    fn forget(&mut self, workspace: WorkspaceId) {
        if let Some((map, _)) = self.kept.remove(&workspace) {
            self.bytes -= map.memory();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::{Timestamp, id::PageId, page::Node};
    use octavo_ports::pages::PagePlace;

    fn workspace(number: u8) -> WorkspaceId {
        WorkspaceId::new(1, [number; 10])
    }

    fn map(nodes: u8, up_to: i64) -> PageMap {
        let place = |number| PagePlace {
            id: PageId::new(1, [number; 10]),
            container: Node::Workspace(workspace(0)),
            has_entries: false,
            is_trash_root: false,
            is_archived: false,
        };
        PageMap::new((0..nodes).map(place), up_to, Timestamp::from_millis(0))
    }

    #[test]
    fn the_map_that_was_not_used_for_longest_makes_room() {
        let maps = PageMaps::new(map(2, 0).memory());
        maps.put(workspace(1), &map(1, 0));
        maps.put(workspace(2), &map(1, 0));
        assert!(maps.get(workspace(1)).is_some());
        maps.put(workspace(3), &map(1, 0));
        assert!(maps.get(workspace(2)).is_none());
        assert!(maps.get(workspace(1)).is_some() && maps.get(workspace(3)).is_some());
        maps.put(workspace(4), &map(3, 0));
        assert!(maps.get(workspace(4)).is_none() && maps.get(workspace(3)).is_some());
    }

    #[test]
    fn an_older_map_does_not_replace_a_newer_one() {
        let maps = PageMaps::new(1 << 20);
        maps.put(workspace(1), &map(1, 5));
        maps.put(workspace(1), &map(2, 4));
        assert_eq!(maps.get(workspace(1)).map(|map| map.up_to), Some(5));
    }
}
