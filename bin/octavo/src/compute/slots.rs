//! Slots on the threads of the pool. Owners that wait get them in rotation, however many jobs each has.

use octavo_ports::compute::WorkOwner;
use std::{
    collections::{BTreeMap, VecDeque},
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::oneshot;

/// Permits for jobs that run at the same time.
///
/// The result of a job may stay in memory after the job has ended. It takes no thread then, but counts for its owner:
/// one owner's running jobs and kept results together are at most as many as there are threads. So an owner that is
/// slow to use its results delays only itself.
#[derive(Debug)]
pub(super) struct Slots {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    free: usize,
    /// How many running jobs and kept results one owner may have.
    most_of_owner: usize,
    /// How many each owner has.
    taken: BTreeMap<WorkOwner, usize>,
    /// The owners that wait, and their jobs; the owner that is next comes first.
    waiting: VecDeque<(WorkOwner, VecDeque<oneshot::Sender<Permit>>)>,
}

/// Permission to run a job, and then to keep its result. It is passed on when it is dropped.
#[derive(Debug)]
pub(super) struct Permit {
    slots: Arc<Slots>,
    owner: WorkOwner,
    has_thread: bool,
}

impl Slots {
    pub(super) fn new(threads: NonZeroUsize) -> Arc<Self> {
        let (free, most_of_owner) = (threads.get(), threads.get());
        let state = State { free, most_of_owner, taken: BTreeMap::new(), waiting: VecDeque::new() };
        Arc::new(Self { state: Mutex::new(state) })
    }

    /// Waits for a slot; `None` never happens while there is a pool.
    pub(super) async fn wait(self: &Arc<Self>, owner: WorkOwner) -> Option<Permit> {
        let next = {
            let mut state = self.state();
            if state.free > 0 && state.has_share(owner) {
                state.take(owner);
                return Some(self.permit(owner));
            }
            state.enqueue(owner)
        };
        next.await.ok()
    }

    /// Hands free slots to the callers that are next.
    fn serve(self: &Arc<Self>) {
        loop {
            let Some((owner, next)) = self.state().dequeue() else { return };
            if next.send(self.permit(owner)).is_err() {
                // The caller has left at this moment. Dropping its permit served the next one.
                return;
            }
        }
    }

    /// Whether nobody runs a job, keeps a result or waits.
    #[cfg(test)]
    pub(super) fn is_unused(&self) -> bool {
        let state = self.state();
        state.taken.is_empty() && state.waiting.is_empty()
    }

    fn permit(self: &Arc<Self>, owner: WorkOwner) -> Permit {
        Permit { slots: Arc::clone(self), owner, has_thread: true }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn has_share(&self, owner: WorkOwner) -> bool {
        self.taken.get(&owner).is_none_or(|taken| *taken < self.most_of_owner)
    }

    fn take(&mut self, owner: WorkOwner) {
        self.free -= 1;
        *self.taken.entry(owner).or_default() += 1;
    }

    fn give_back(&mut self, owner: WorkOwner) {
        let left = self.taken.get(&owner).copied().unwrap_or_default().saturating_sub(1);
        if left == 0 {
            self.taken.remove(&owner);
        } else {
            self.taken.insert(owner, left);
        }
    }

    fn enqueue(&mut self, owner: WorkOwner) -> oneshot::Receiver<Permit> {
        let (sender, wait) = oneshot::channel();
        if let Some((_, queue)) = self.waiting.iter_mut().find(|(other, _)| *other == owner) {
            // Without this, calls that are cancelled again and again would pile up behind a long job.
            queue.retain(|sender| !sender.is_closed());
            queue.push_back(sender);
        } else {
            self.waiting.push_back((owner, VecDeque::from([sender])));
        }
        wait
    }

    /// Takes a free slot for the next caller that still waits and whose owner has room for it.
    fn dequeue(&mut self) -> Option<(WorkOwner, oneshot::Sender<Permit>)> {
        if self.free == 0 {
            return None;
        }
        self.waiting.retain_mut(|(_, queue)| {
            queue.retain(|sender| !sender.is_closed());
            !queue.is_empty()
        });
        let index = self.waiting.iter().position(|(owner, _)| self.has_share(*owner))?;
        let (owner, mut queue) = self.waiting.remove(index)?;
        let next = queue.pop_front()?;
        if !queue.is_empty() {
            self.waiting.push_back((owner, queue));
        }
        self.take(owner);
        Some((owner, next))
    }
}

impl Permit {
    /// Returns the thread when the job has ended. What is left counts the result that is kept.
    pub(super) fn return_thread(&mut self) {
        if std::mem::take(&mut self.has_thread) {
            self.slots.state().free += 1;
            self.slots.serve();
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        {
            let mut state = self.slots.state();
            state.give_back(self.owner);
            if self.has_thread {
                state.free += 1;
            }
        }
        self.slots.serve();
    }
}
