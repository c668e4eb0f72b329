//! The memory of what queries compute while they run: columns of formulas and rollups, keys, groups.

use super::KeptTables;
use octavo_ports::compute::WorkOwner;
use octavo_query_engine::Stopped;
use std::sync::Arc;

/// Memory is taken in pieces of so many bytes, so that the lock is not taken for each value.
const PIECE: u64 = 256 << 10;

/// The memory that one query holds. It is given back when this is dropped.
pub(crate) struct WorkingMemory {
    tables: Arc<KeptTables>,
    owner: WorkOwner,
    used: u64,
    taken: u64,
}

impl KeptTables {
    /// How many bytes all queries of one owner may hold, and so each of them.
    const fn most_of_owner(&self) -> u64 {
        self.most_bytes / 4
    }

    /// How many bytes all queries may hold.
    const fn most_working(&self) -> u64 {
        self.most_bytes / 2
    }

    /// Memory for a query, which holds nothing yet.
    pub(crate) fn working_memory(self: &Arc<Self>, owner: WorkOwner) -> WorkingMemory {
        WorkingMemory { tables: Arc::clone(self), owner, used: 0, taken: 0 }
    }
}

impl WorkingMemory {
    /// Takes more bytes. Fails if one query may not hold as much, or if other queries leave no room for it.
    pub(crate) fn hold(&mut self, bytes: usize) -> Result<(), Stopped> {
        let used = self.used.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
        if used > self.tables.most_of_owner() {
            return Err(Stopped::TooLarge);
        }
        if used > self.taken {
            self.take(used)?;
        }
        self.used = used;
        Ok(())
    }

    /// How many bytes it holds.
    pub(crate) const fn used(&self) -> u64 {
        self.used
    }

    /// Lowers what is used to this amount. The query keeps the rest for later.
    pub(crate) fn release_to(&mut self, used: u64) {
        self.used = self.used.min(used);
    }

    /// Gives bytes back that were held. The query keeps them for later.
    pub(crate) fn release(&mut self, bytes: usize) {
        self.used = self.used.saturating_sub(u64::try_from(bytes).unwrap_or(u64::MAX));
    }

    /// Takes as much as is used, rounded up if there is room for that.
    fn take(&mut self, used: u64) -> Result<(), Stopped> {
        let (most, most_of_owner) = (self.tables.most_working(), self.tables.most_of_owner());
        let mut tables = self.tables.tables();
        let of_owner = tables.working_of.get(&self.owner).copied().unwrap_or_default();
        let room = (most - tables.working).min(most_of_owner - of_owner);
        let needed = used - self.taken;
        if needed > room {
            return Err(Stopped::MemoryFull);
        }
        let added = needed.next_multiple_of(PIECE).min(room);
        tables.working += added;
        tables.working_of.insert(self.owner, of_owner + added);
        let left = self.tables.most_bytes - tables.working;
        tables.shrink(left);
        self.taken += added;
        Ok(())
    }
}

impl Drop for WorkingMemory {
    fn drop(&mut self) {
        if self.taken == 0 {
            return;
        }
        let mut tables = self.tables.tables();
        tables.working -= self.taken;
        let of_owner = tables.working_of.get(&self.owner).copied().unwrap_or_default() - self.taken;
        if of_owner == 0 {
            tables.working_of.remove(&self.owner);
        } else {
            tables.working_of.insert(self.owner, of_owner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::id::UserId;

    const MIB: usize = 1 << 20;

    fn user(number: u8) -> WorkOwner {
        WorkOwner::User(UserId::new(1, [number; 10]))
    }

    #[test]
    fn a_query_holds_at_most_a_quarter_and_gives_it_back() {
        let tables = Arc::new(KeptTables::new(16 << 20));
        let mut memory = tables.working_memory(user(1));
        assert_eq!(memory.hold(4 * MIB), Ok(()));
        assert_eq!(memory.hold(1), Err(Stopped::TooLarge));
        memory.release(MIB);
        assert_eq!(memory.hold(MIB), Ok(()));
        assert_eq!(tables.bytes(), 4 << 20);
        drop(memory);
        assert_eq!(tables.bytes(), 0);
    }

    #[test]
    fn the_queries_of_one_owner_share_a_quarter_and_those_of_all_a_half() {
        let tables = Arc::new(KeptTables::new(16 << 20));
        let mut first = tables.working_memory(user(1));
        assert_eq!(first.hold(3 * MIB), Ok(()));
        let mut second = tables.working_memory(user(1));
        assert_eq!(second.hold(2 * MIB), Err(Stopped::MemoryFull), "it would be allowed if the first one had ended");
        assert_eq!(second.hold(MIB), Ok(()));
        let mut other = tables.working_memory(user(2));
        assert_eq!(other.hold(4 * MIB), Ok(()));
        assert_eq!(tables.working_memory(user(3)).hold(1), Err(Stopped::MemoryFull));
        drop(first);
        assert_eq!(tables.working_memory(user(3)).hold(3 * MIB), Ok(()));
    }
}
