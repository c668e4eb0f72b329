//! Runs work on the storage runtime: detached from the connection, bounded and counted.

use crate::refusal::Refusal;
use octavo_core_model::{Fault, StoreError};
use std::{future::Future, pin::Pin, sync::Arc, time::Duration};
use tokio::{
    runtime::Handle,
    sync::{Semaphore, oneshot},
    time::timeout,
};

/// The shortest timeout of a piece of work, however short the timeout of one statement is.
const LONG_ENOUGH: Duration = Duration::from_secs(10);

/// How many statements of the longest allowed duration a piece of work has time for.
const STATEMENTS: u32 = 2;

/// Sends work to the storage runtime. A client that hangs up does not stop it, so nothing is left half done.
#[derive(Debug)]
pub struct Executor {
    runtime: Handle,
    places: Arc<Semaphore>,
    capacity: u32,
    /// The timeout of a piece of work. Work that is still running then waits for a database that neither answers nor
    /// closes the connection; dropping it closes the connection, which rolls back its unit.
    longest: Duration,
}

impl Executor {
    /// `capacity` limits how much work can wait and run at the same time; `statement` is the timeout of one
    /// statement.
    pub fn new(runtime: Handle, capacity: u32, statement: Duration) -> Self {
        let longest = LONG_ENOUGH.max(statement.saturating_mul(STATEMENTS));
        Self { runtime, places: Arc::new(Semaphore::new(capacity as usize)), capacity, longest }
    }

    /// Runs one piece of work to its end and returns its result. Refuses it if too much is running already.
    pub async fn run<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> Result<T, Refusal> {
        self.run_with(Duration::ZERO, work).await
    }

    /// Like [`Self::run`], for work that does more than execute statements: it also waits for its turn to read, or for
    /// the compute pool. `extra_time` is how long that may take.
    pub async fn run_with<T: Send + 'static>(
        &self,
        extra_time: Duration,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Refusal> {
        let (result, received) = oneshot::channel();
        let work = async move {
            // Nobody receives the result after a client has hung up.
            let _ = result.send(work.await);
        };
        self.finish(extra_time, Box::pin(work)).await?;
        received.await.map_err(|_| Refusal::Fault(Fault::Internal("a use case ended without a result")))
    }

    /// Its argument is boxed because the compiler would translate a task of the runtime again for every type of work,
    /// which took a third of the time for this crate.
    async fn finish(
        &self,
        extra_time: Duration,
        work: Pin<Box<dyn Future<Output = ()> + Send>>,
    ) -> Result<(), Refusal> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| Refusal::Overloaded)?;
        let longest = self.longest + extra_time;
        let task = self.runtime.spawn(async move {
            let done = timeout(longest, work).await;
            drop(place);
            done
        });
        match task.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Refusal::Fault(Fault::Store(StoreError::Timeout))),
            // The runtime reports the panic; dropping the unit rolls it back.
            Err(_) => Err(Refusal::Fault(Fault::Internal("a use case panicked or its runtime stopped"))),
        }
    }

    /// Starts a task that goes on for as long as it wants to, on the same runtime.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(task);
    }

    pub(crate) const fn runtime(&self) -> &Handle {
        &self.runtime
    }

    /// Whether another piece of work would be accepted.
    pub fn has_room(&self) -> bool {
        self.places.available_permits() > 0
    }

    /// Waits until no work is running. Returns false if that takes longer than the timeout.
    pub async fn finished(&self, timeouts: Duration) -> bool {
        timeout(timeouts, self.places.acquire_many(self.capacity)).await.is_ok()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use futures_util::FutureExt;
    use tokio::time::sleep;

    const STATEMENT: Duration = Duration::from_secs(5);

    #[tokio::test]
    async fn beyond_its_capacity_work_is_refused() {
        let executor = Arc::new(Executor::new(Handle::current(), 1, STATEMENT));
        let (release, released) = oneshot::channel::<()>();
        let first = tokio::spawn({
            let executor = Arc::clone(&executor);
            async move { executor.run(released).await }
        });
        while executor.has_room() {
            tokio::task::yield_now().await;
        }
        assert_eq!(executor.run(async { 2 }).await, Err(Refusal::Overloaded));
        release.send(()).unwrap();
        first.await.unwrap().unwrap().unwrap();
        assert_eq!(executor.run(async { 3 }).await, Ok(3));
    }

    #[tokio::test]
    async fn work_continues_when_its_caller_is_gone() {
        let executor = Executor::new(Handle::current(), 4, STATEMENT);
        let (release, released) = oneshot::channel::<()>();
        let (sender, receiver) = oneshot::channel();
        let asked = executor.run(async move {
            released.await.unwrap();
            sender.send("done").unwrap();
        });
        assert_eq!(asked.now_or_never(), None, "asked once, then given up");
        assert!(!executor.finished(Duration::ZERO).await);
        release.send(()).unwrap();
        assert_eq!(receiver.await, Ok("done"));
        assert!(executor.finished(Duration::from_secs(10)).await);
    }

    #[tokio::test(start_paused = true)]
    async fn work_that_never_ends_is_given_up_and_gives_its_place_back() {
        let executor = Executor::new(Handle::current(), 1, STATEMENT);
        let refusal = executor.run(std::future::pending::<()>()).await.unwrap_err();
        assert_eq!(refusal.problem().status.as_u16(), 503);
        assert_eq!(executor.run(async { 1 }).await, Ok(1));
    }

    #[tokio::test(start_paused = true)]
    async fn work_may_take_as_long_as_its_statements() {
        for (statement, lasts, fails) in [(5, 9, false), (5, 11, true), (30, 59, false), (30, 61, true)] {
            let executor = Executor::new(Handle::current(), 1, Duration::from_secs(statement));
            let done = executor.run(sleep(Duration::from_secs(lasts))).await;
            assert_eq!(done.is_err(), fails, "{lasts} s of work, {statement} s for a statement");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn work_that_waits_or_computes_has_that_time_too() {
        let executor = Executor::new(Handle::current(), 1, STATEMENT);
        let extra_time = Duration::from_mins(1);
        assert!(executor.run_with(extra_time, sleep(Duration::from_secs(69))).await.is_ok());
        assert!(executor.run_with(extra_time, sleep(Duration::from_secs(71))).await.is_err());
    }

    #[tokio::test]
    async fn a_panic_is_an_internal_error_and_gives_its_place_back() {
        let executor = Executor::new(Handle::current(), 1, STATEMENT);
        let refusal = executor.run(async { assert!(std::hint::black_box(false), "on purpose") }).await.unwrap_err();
        assert_eq!(refusal.problem().status.as_u16(), 500);
        assert_eq!(executor.run(async { 1 }).await, Ok(1));
    }
}
