//! Turns at the threads of the pool. Owners that wait get them in rotation, however many jobs each has.

use octavo_ports::compute::WorkOwner;
use std::{
    collections::VecDeque,
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::oneshot;

/// Permits for jobs that run at the same time.
#[derive(Debug)]
pub(super) struct Turns {
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
pub(super) struct Permit(Option<Arc<Turns>>);

impl Turns {
    pub(super) fn new(turns: NonZeroUsize) -> Arc<Self> {
        Arc::new(Self { state: Mutex::new(State { free: turns.get(), waiting: VecDeque::new() }) })
    }

    /// Waits for a turn; `None` never happens while there is a pool.
    pub(super) async fn wait(self: &Arc<Self>, owner: WorkOwner) -> Option<Permit> {
        let turn = {
            let mut state = self.state();
            if state.free > 0 {
                state.free -= 1;
                return Some(Permit(Some(Arc::clone(self))));
            }
            state.enqueue(owner)
        };
        turn.await.ok()
    }

    /// Hands a turn to the next caller that still waits.
    fn pass_on(self: Arc<Self>) {
        let mut permit = Permit(Some(self));
        while let Some(turns) = permit.0.take() {
            let Some(next) = turns.state().dequeue_or_free() else { return };
            // A caller that has left meanwhile returns the permit.
            match next.send(Permit(Some(turns))) {
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
        let (turn, wait) = oneshot::channel();
        if let Some((_, queue)) = self.waiting.iter_mut().find(|(other, _)| *other == owner) {
            // Without this, calls that are cancelled again and again would pile up behind a long job.
            queue.retain(|turn| !turn.is_closed());
            queue.push_back(turn);
        } else {
            self.waiting.push_back((owner, VecDeque::from([turn])));
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
        if let Some(turns) = self.0.take() {
            turns.pass_on();
        }
    }
}
