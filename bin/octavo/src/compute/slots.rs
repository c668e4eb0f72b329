//! Slots on the threads of the pool. Owners that wait get them in rotation, however many jobs each has.

use octavo_ports::compute::WorkOwner;
use std::{
    collections::VecDeque,
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::oneshot;

/// Permits for jobs that run at the same time.
#[derive(Debug)]
pub(super) struct Slots {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    free: usize,
    /// The owners that wait, and their jobs; the owner that is next comes first.
    waiting: VecDeque<(WorkOwner, VecDeque<oneshot::Sender<Permit>>)>,
}

/// Permission to run a job. It is passed on when it is dropped.
#[derive(Debug)]
pub(super) struct Permit(Option<Arc<Slots>>);

impl Slots {
    pub(super) fn new(slots: NonZeroUsize) -> Arc<Self> {
        Arc::new(Self { state: Mutex::new(State { free: slots.get(), waiting: VecDeque::new() }) })
    }

    /// Waits for a slot; `None` never happens while there is a pool.
    pub(super) async fn wait(self: &Arc<Self>, owner: WorkOwner) -> Option<Permit> {
        let next = {
            let mut state = self.state();
            if state.free > 0 {
                state.free -= 1;
                return Some(Permit(Some(Arc::clone(self))));
            }
            state.enqueue(owner)
        };
        next.await.ok()
    }

    /// Hands a slot to the next caller that still waits.
    fn pass_on(self: Arc<Self>) {
        let mut permit = Permit(Some(self));
        while let Some(slots) = permit.0.take() {
            let Some(next) = slots.state().dequeue_or_free() else { return };
            // A caller that has left meanwhile returns the permit.
            match next.send(Permit(Some(slots))) {
                Ok(()) => return,
                Err(returned) => permit = returned,
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
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

    fn dequeue_or_free(&mut self) -> Option<oneshot::Sender<Permit>> {
        while let Some((owner, mut queue)) = self.waiting.pop_front() {
            let next = queue.pop_front();
            if !queue.is_empty() {
                self.waiting.push_back((owner, queue));
            }
            if next.is_some() {
                return next;
            }
        }
        self.free += 1;
        None
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(slots) = self.0.take() {
            slots.pass_on();
        }
    }
}
