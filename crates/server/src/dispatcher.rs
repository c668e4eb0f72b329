//! The dispatcher: runs the use case of a call and returns its answer.

use crate::{
    answer::Answer,
    backend::Backend,
    keys_in_use::KeyLease,
    refusal::Refusal,
    request::AdmittedRequest,
    wire::{Page, Pager, Writable},
};
use octavo_app::{AppResult, Call, Engine, Interrupt, QuotaShare, Reply, Rules, Unit, View, engine::Fut};
use octavo_core_model::Fault;
use octavo_ports::{access_tokens::AccessTokens, signatures::Signatures, store::LONGEST_WAIT};
use serde_json::Value;
use std::{fmt, future::Future, sync::Arc, time::Duration};

/// How long an import may take. What it has written until then is kept.
const LONGEST_IMPORT: Duration = Duration::from_mins(5);

/// How long an export may read. Its client can take longer to receive it.
const LONGEST_EXPORT: Duration = Duration::from_mins(5);

/// Runs the use case of one call. The work runs on the storage runtime and holds the call's idempotency key and the
/// memory of its body until it has ended.
#[derive(Debug)]
pub struct Dispatcher {
    backend: Arc<Backend>,
    key_lease: Option<KeyLease>,
    pager: Option<Pager>,
    body_memory: Option<QuotaShare>,
    /// The body of the call, from which refusals quote the received value.
    body: Option<Value>,
    /// How long the use case may wait for others of its owner and for the compute pool, in addition to its statements.
    extra_time: Duration,
}

impl Dispatcher {
    /// Returns what every handler needs of a request, once all inputs have been read from it.
    pub(crate) fn start(admitted: AdmittedRequest) -> (Self, Call) {
        let AdmittedRequest { backend, key_lease, pager, body_memory, body, call, .. } = admitted;
        (Self { backend, key_lease, pager, body_memory, body, extra_time: Duration::ZERO }, call)
    }

    /// The dispatcher for a use case that uses the compute pool: in addition to its statements, it may take as long as
    /// a job there, and as long as it waits for the store.
    #[must_use]
    pub fn computing(self) -> Self {
        let computing = self.backend.engine().rules.compute_timeout;
        self.with_extra_time(computing + LONGEST_WAIT)
    }

    /// The dispatcher for a use case that writes many units one after the other.
    #[must_use]
    pub fn importing(self) -> Self {
        self.with_extra_time(LONGEST_IMPORT)
    }

    /// The dispatcher for a use case that reads everything that a database has.
    #[must_use]
    pub fn exporting(self) -> Self {
        self.computing().with_extra_time(LONGEST_EXPORT)
    }

    /// Allows the use case more time.
    fn with_extra_time(self, longest: Duration) -> Self {
        Self { extra_time: self.extra_time + longest, ..self }
    }

    pub fn backend(&self) -> &Arc<Backend> {
        &self.backend
    }

    /// The operator's rules, for replies that show them.
    pub fn rules(&self) -> Arc<Rules> {
        Arc::clone(&self.backend.engine().rules)
    }

    /// Signs access tokens, for replies that contain one.
    pub fn signer(&self) -> Arc<dyn AccessTokens> {
        self.backend.access_tokens()
    }

    /// Signs statements that others verify.
    pub fn signatures(&self) -> Arc<dyn Signatures> {
        Arc::clone(&self.backend.signatures)
    }

    /// The pager, for a list that shows more than its items.
    pub const fn take_pager(&mut self) -> Option<Pager> {
        self.pager.take()
    }

    /// Runs a reading use case and shapes its result.
    pub async fn read<T: Send + 'static>(
        self,
        call: Call,
        run: impl for<'a> FnOnce(&'a mut View) -> Fut<'a, T> + Send + 'static,
        shape: impl FnOnce(T) -> Reply + Send + 'static,
    ) -> Answer {
        let read = |engine: Arc<Engine>, call: Call| async move { engine.read(call, run).await.map(shape) };
        self.with_extra_time(LONGEST_WAIT).flow(call, read).await
    }

    /// Runs a use case that lists items, and shapes the page. The use case is asked for one item more than the page
    /// holds; `position` returns the place of an item, after which the next page starts.
    pub async fn list<T: Send + 'static, K: fmt::Display, S: Writable>(
        self,
        call: Call,
        run: impl for<'a> FnOnce(&'a mut View) -> Fut<'a, Vec<T>> + Send + 'static,
        position: impl FnOnce(&T) -> K + Send + 'static,
        shape: impl FnMut(T) -> S + Send + 'static,
    ) -> Answer {
        self.list_all(call, run, position, |items| items.into_iter().map(shape).collect()).await
    }

    /// Like [`Self::list`], if an item of the use case can become several items of the page.
    pub async fn list_all<T: Send + 'static, K: fmt::Display, S: Writable>(
        mut self,
        call: Call,
        run: impl for<'a> FnOnce(&'a mut View) -> Fut<'a, Vec<T>> + Send + 'static,
        position: impl FnOnce(&T) -> K + Send + 'static,
        shape: impl FnOnce(Vec<T>) -> Vec<S> + Send + 'static,
    ) -> Answer {
        let pager = self.pager.take();
        self.read(call, run, move |found| {
            let (items, next_cursor) = match pager {
                Some(pager) => pager.cut(found, position),
                None => (found, None),
            };
            Reply::json(200, &Page { data: shape(items), next_cursor })
        })
        .await
    }

    /// Runs a writing use case in one transaction. Its reply is shaped and stored before the commit.
    pub async fn write<T: Send + 'static>(
        self,
        call: Call,
        run: impl for<'a> FnOnce(&'a mut Unit) -> Fut<'a, T> + Send + 'static,
        shape: impl FnOnce(T) -> Reply + Send + 'static,
    ) -> Answer {
        let write = |engine: Arc<Engine>, call: Call| async move { engine.write(call, run, shape).await };
        self.with_extra_time(LONGEST_WAIT).flow(call, write).await
    }

    /// Like [`Self::write`], for a use case that locks rows in no common order.
    pub async fn write_repeatably<T: Send + 'static>(
        self,
        call: Call,
        run: impl for<'a> Fn(&'a mut Unit) -> Fut<'a, T> + Send + Sync + 'static,
        shape: impl Fn(T) -> Reply + Send + Sync + 'static,
    ) -> Answer {
        let write = |engine: Arc<Engine>, call: Call| async move { engine.write_repeatably(call, run, shape).await };
        self.with_extra_time(LONGEST_WAIT).flow(call, write).await
    }

    /// Runs use cases for a handler that shapes the result itself.
    pub async fn ask<T: Send + 'static, F: Future<Output = AppResult<T>> + Send + 'static>(
        &self,
        call: Call,
        flow: impl FnOnce(Arc<Engine>, Call) -> F + Send + 'static,
    ) -> Result<T, Refusal> {
        let engine = Arc::clone(self.backend.engine());
        match self.backend.executor.run_with(self.extra_time, flow(engine, call)).await? {
            Ok(found) => Ok(found),
            Err(Interrupt::Fault(fault)) => Err(fault.into()),
            Err(Interrupt::Replay(_)) => Err(Fault::Internal("there is nothing to replay").into()),
        }
    }

    /// Runs a flow: a use case with slow work between its scopes.
    pub fn flow<F: Future<Output = AppResult<Reply>> + Send + 'static>(
        self,
        call: Call,
        flow: impl FnOnce(Arc<Engine>, Call) -> F + Send + 'static,
    ) -> impl Future<Output = Answer> + Send {
        let engine = Arc::clone(self.backend.engine());
        self.finish(Box::pin(flow(engine, call)))
    }

    async fn finish(self, flow: Fut<'static, Reply>) -> Answer {
        let (key_lease, body_memory) = (self.key_lease, self.body_memory);
        let work = async move {
            let result = flow.await;
            drop((key_lease, body_memory));
            result
        };
        match self.backend.executor.run_with(self.extra_time, work).await {
            Ok(Err(Interrupt::Fault(fault))) => Refusal::of(fault, self.body.as_ref()).into(),
            Ok(result) => result.into(),
            Err(refusal) => refusal.into(),
        }
    }
}
