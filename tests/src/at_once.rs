//! Concurrent calls.

use std::{sync::Barrier, thread};

/// Runs a function on several threads that start together; the results are in the order of the threads.
pub fn at_once<T: Send>(threads: usize, run: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let barrier = Barrier::new(threads);
    let (run, barrier) = (&run, &barrier);
    thread::scope(|scope| {
        let started: Vec<_> = (0..threads)
            .map(|index| {
                scope.spawn(move || {
                    barrier.wait();
                    run(index)
                })
            })
            .collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}
