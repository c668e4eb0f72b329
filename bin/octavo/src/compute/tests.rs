//! The guarantees of the pool. Jobs wait for each other here, never for the clock.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use super::*;
use octavo_core_model::id::{UserId, WorkspaceId};
use std::{
    future::{Future, poll_fn},
    net::IpAddr,
    pin::{Pin, pin},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    task::Poll,
};

const LONG_ENOUGH: Duration = Duration::from_mins(1);

fn pool(queue: usize) -> (Pool, Metrics) {
    let metrics = Metrics::default();
    let one = NonZeroUsize::MIN;
    (Pool::new(PoolSize { threads: one, hashing_threads: one, queue }, &metrics), metrics)
}

/// Runs a job in a place that is taken for it.
async fn run(
    pool: &Pool,
    kind: WorkKind,
    owner: WorkOwner,
    within: Duration,
    work: Work,
) -> Result<ComputeSlot, ComputeFault> {
    pool.run(pool.reserve(kind, owner)?, within, work).await
}

/// A job that ends when it is told to, and signals when it has started.
fn blocked() -> (Work, mpsc::Receiver<()>, mpsc::Sender<()>) {
    let (begin, started) = mpsc::channel();
    let (end, ended) = mpsc::channel::<()>();
    let work = move |_: &Cancellation| {
        begin.send(()).unwrap();
        let _ = ended.recv();
    };
    (Box::new(work), started, end)
}

fn nothing() -> Work {
    Box::new(|_| ())
}

/// Polls a future once.
async fn is_done<T>(mut work: Pin<&mut impl Future<Output = T>>) -> bool {
    poll_fn(|context| Poll::Ready(work.as_mut().poll(context).is_ready())).await
}

/// Yields until a condition holds.
async fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn other_kinds_of_jobs_do_not_wait_for_long_ones() {
    let (pool, metrics) = pool(1);
    let (work, started, end) = blocked();
    let mut long = pin!(run(&pool, WorkKind::Long, WorkOwner::Server, LONG_ENOUGH, work));
    assert!(!is_done(long.as_mut()).await);
    started.recv().unwrap();
    assert_eq!(metrics.compute(WorkKind::Long).counts(), [0, 1, 0, 0]);
    for kind in [WorkKind::Short, WorkKind::Hashing] {
        run(&pool, kind, WorkOwner::Server, LONG_ENOUGH, nothing()).await.unwrap();
    }
    end.send(()).unwrap();
    long.await.unwrap();
    assert_eq!(metrics.compute(WorkKind::Long).counts(), [0; 4]);
}

#[tokio::test]
async fn a_job_beyond_the_queue_is_refused_at_once() {
    let (pool, metrics) = pool(1);
    let (work, started, end) = blocked();
    let mut running = pin!(run(&pool, WorkKind::Long, WorkOwner::Server, LONG_ENOUGH, work));
    assert!(!is_done(running.as_mut()).await);
    started.recv().unwrap();
    let mut waiting = pin!(run(&pool, WorkKind::Long, WorkOwner::Server, LONG_ENOUGH, nothing()));
    assert!(!is_done(waiting.as_mut()).await);
    assert_eq!(
        run(&pool, WorkKind::Long, WorkOwner::Server, LONG_ENOUGH, nothing()).await.unwrap_err(),
        ComputeFault::Busy
    );
    assert_eq!(metrics.compute(WorkKind::Long).counts(), [1, 1, 1, 0]);
    end.send(()).unwrap();
    drop(running.await.unwrap());
    drop(waiting.await.unwrap());
    run(&pool, WorkKind::Long, WorkOwner::Server, LONG_ENOUGH, nothing()).await.unwrap();
}

#[tokio::test]
async fn the_result_of_a_long_job_delays_its_owner_and_nobody_else() {
    let (pool, _) = pool(11);
    let kept = run(&pool, WorkKind::Long, person(1), LONG_ENOUGH, nothing()).await.unwrap();
    let mut next = pin!(run(&pool, WorkKind::Long, person(1), LONG_ENOUGH, nothing()));
    assert!(!is_done(next.as_mut()).await);
    let other = run(&pool, WorkKind::Long, person(2), LONG_ENOUGH, nothing()).await.unwrap();
    assert!(!is_done(next.as_mut()).await, "the slot is free, the share of its owner is not");
    drop(kept);
    drop(next.await.unwrap());
    drop(other);
    assert!(pool.long.slots.is_unused());
}

#[tokio::test]
async fn the_result_of_a_short_job_delays_nobody() {
    let (pool, metrics) = pool(0);
    let mut kept = Vec::new();
    for _ in 0..3 {
        kept.push(run(&pool, WorkKind::Short, person(1), LONG_ENOUGH, nothing()).await.unwrap());
        assert_eq!(pool.short.places.used(), 0, "its place is free as well");
    }
    assert_eq!(metrics.compute(WorkKind::Short).counts(), [0; 4]);
    assert!(pool.short.slots.is_unused());
}

#[tokio::test]
async fn a_queued_job_whose_caller_is_gone_never_runs() {
    let (pool, metrics) = pool(1);
    let has_run = Arc::new(AtomicBool::new(false));
    let slot = run(&pool, WorkKind::Long, WorkOwner::Server, LONG_ENOUGH, nothing()).await.unwrap();
    {
        let into = Arc::clone(&has_run);
        let work = move |_: &Cancellation| into.store(true, Ordering::Relaxed);
        let mut left = pin!(run(&pool, WorkKind::Long, WorkOwner::Server, LONG_ENOUGH, Box::new(work)));
        assert!(!is_done(left.as_mut()).await);
    }
    assert_eq!(metrics.compute(WorkKind::Long).counts(), [0, 0, 0, 1]);
    drop(slot);
    run(&pool, WorkKind::Long, WorkOwner::Server, LONG_ENOUGH, nothing()).await.unwrap();
    assert!(!has_run.load(Ordering::Relaxed));
}

#[tokio::test]
async fn a_running_job_is_cancelled_when_its_caller_leaves() {
    let (pool, metrics) = pool(0);
    let (begin, started) = mpsc::channel();
    let work = move |cancellation: &Cancellation| {
        begin.send(()).unwrap();
        while !cancellation.is_cancelled() {
            std::thread::yield_now();
        }
    };
    {
        let mut left = pin!(run(&pool, WorkKind::Long, WorkOwner::Server, LONG_ENOUGH, Box::new(work)));
        assert!(!is_done(left.as_mut()).await);
        started.recv().unwrap();
    }
    assert_eq!(metrics.compute(WorkKind::Long).counts()[3], 1);
    until(|| pool.long.places.used() == 0).await;
    run(&pool, WorkKind::Long, WorkOwner::Server, LONG_ENOUGH, nothing()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_job_that_waits_too_long_fails_at_its_deadline() {
    let (pool, metrics) = pool(1);
    let _slot = run(&pool, WorkKind::Long, WorkOwner::Server, LONG_ENOUGH, nothing()).await.unwrap();
    let late = run(&pool, WorkKind::Long, WorkOwner::Server, Duration::from_secs(5), nothing()).await;
    assert_eq!(late.unwrap_err(), ComputeFault::Timeout);
    assert_eq!(metrics.compute(WorkKind::Long).counts(), [0, 0, 0, 1]);
}

#[tokio::test]
async fn a_job_that_panics_fails_alone() {
    let (pool, _) = pool(0);
    let work = |_: &Cancellation| assert!(std::hint::black_box(false), "on purpose");
    assert_eq!(
        run(&pool, WorkKind::Short, WorkOwner::Server, LONG_ENOUGH, Box::new(work)).await.unwrap_err(),
        ComputeFault::Failed
    );
    run(&pool, WorkKind::Short, WorkOwner::Server, LONG_ENOUGH, nothing()).await.unwrap();
}

fn person(number: u8) -> WorkOwner {
    WorkOwner::User(UserId::new(0, [number; 10]))
}

#[tokio::test]
async fn a_person_gets_a_third_of_the_places_and_leaves_the_rest_to_others() {
    let (pool, _) = pool(5);
    let slot = run(&pool, WorkKind::Long, person(1), LONG_ENOUGH, nothing()).await.unwrap();
    let mut second = pin!(run(&pool, WorkKind::Long, person(1), LONG_ENOUGH, nothing()));
    assert!(!is_done(second.as_mut()).await);
    let third = run(&pool, WorkKind::Long, person(1), LONG_ENOUGH, nothing()).await;
    assert_eq!(third.unwrap_err(), ComputeFault::Busy);
    drop(run(&pool, WorkKind::Long, WorkOwner::Anonymous, LONG_ENOUGH, nothing()).await.unwrap());
    drop(slot);
    drop(second.await.unwrap());
    run(&pool, WorkKind::Long, person(1), LONG_ENOUGH, nothing()).await.unwrap();
}

#[test]
fn every_owner_but_the_server_has_a_third_of_the_places_for_jobs_of_any_kind() {
    let (pool, _) = pool(5);
    let workspace = WorkOwner::Workspace(WorkspaceId::new(0, [1; 10]));
    let network = WorkOwner::network_of(IpAddr::from([192, 0, 2, 1]));
    for kind in WorkKind::ALL {
        for owner in [person(1), workspace, network, WorkOwner::Anonymous] {
            let held = [pool.reserve(kind, owner).unwrap(), pool.reserve(kind, owner).unwrap()];
            assert_eq!(pool.reserve(kind, owner).unwrap_err(), ComputeFault::Busy, "{kind:?} for {owner:?}");
            let others = [(); 4].map(|()| pool.reserve(kind, WorkOwner::Server).unwrap());
            assert_eq!(pool.reserve(kind, WorkOwner::Server).unwrap_err(), ComputeFault::Busy);
            drop((held, others));
        }
    }
}

#[tokio::test]
async fn a_place_that_is_reserved_counts_before_its_job_exists() {
    let (pool, metrics) = pool(0);
    let reservation = pool.reserve(WorkKind::Long, person(1)).unwrap();
    assert_eq!(pool.reserve(WorkKind::Long, person(2)).unwrap_err(), ComputeFault::Busy);
    assert_eq!(metrics.compute(WorkKind::Long).counts(), [0, 0, 1, 0]);
    let slot = pool.run(reservation, LONG_ENOUGH, nothing()).await.unwrap();
    assert_eq!(pool.reserve(WorkKind::Long, person(2)).unwrap_err(), ComputeFault::Busy, "its result is kept");
    drop(slot);
    pool.reserve(WorkKind::Long, person(2)).unwrap();
}

#[tokio::test]
async fn owners_that_wait_are_served_in_rotation() {
    let (pool, _) = pool(15);
    let (order, done) = mpsc::channel();
    let (work, started, end) = blocked();
    let mut running = pin!(run(&pool, WorkKind::Short, WorkOwner::Server, LONG_ENOUGH, work));
    assert!(!is_done(running.as_mut()).await);
    started.recv().unwrap();
    let job = |number: u8| {
        let order = order.clone();
        let work: Work = Box::new(move |_| order.send(number).unwrap());
        Box::pin(run(&pool, WorkKind::Short, person(number), LONG_ENOUGH, work))
    };
    let mut jobs = [job(1), job(1), job(1), job(2), job(3), job(2)];
    for job in &mut jobs {
        assert!(!is_done(job.as_mut()).await);
    }
    end.send(()).unwrap();
    running.await.unwrap();
    let [first, second, third, fourth, fifth, sixth] = jobs.map(|job| async { drop(job.await.unwrap()) });
    tokio::join!(first, second, third, fourth, fifth, sixth);
    assert_eq!(done.try_iter().collect::<Vec<_>>(), [1, 2, 3, 1, 2, 1]);
}

#[tokio::test]
async fn a_slot_skips_callers_that_have_left() {
    let (pool, _) = pool(15);
    let (work, started, end) = blocked();
    let mut running = pin!(run(&pool, WorkKind::Long, WorkOwner::Server, LONG_ENOUGH, work));
    assert!(!is_done(running.as_mut()).await);
    started.recv().unwrap();
    {
        let mut left =
            [1, 1, 2].map(|number| Box::pin(run(&pool, WorkKind::Long, person(number), LONG_ENOUGH, nothing())));
        for job in &mut left {
            assert!(!is_done(job.as_mut()).await);
        }
    }
    let mut stays = pin!(run(&pool, WorkKind::Long, person(3), LONG_ENOUGH, nothing()));
    assert!(!is_done(stays.as_mut()).await);
    end.send(()).unwrap();
    drop(running.await.unwrap());
    drop(stays.await.unwrap());
    run(&pool, WorkKind::Long, person(1), LONG_ENOUGH, nothing()).await.unwrap();
}
