//! The time to apply a batch on a long page: `cargo bench -p octavo-blocks-tree`.

#![allow(clippy::unwrap_used, reason = "what cannot be measured ends the bench")]

mod page;

use divan::{Bencher, black_box};
use octavo_blocks_tree::batch::{BatchInputs, apply};
use page::{Page, draw, stamp};

fn main() {
    divan::main();
}

const BLOCKS: usize = 10_000;
const OPERATIONS: usize = 200;

/// 200 insertions, updates, moves and deletions at random places, with the whole page loaded.
#[divan::bench]
fn on_a_page_that_is_known_whole(bencher: Bencher<'_, '_>) {
    let page = Page::random(BLOCKS);
    let batches = (1..=16).map(|seed| page.batch(OPERATIONS, seed)).collect::<Vec<_>>();
    let known = page.known();
    let mut turn = 0;
    bencher
        .with_inputs(|| {
            turn += 1;
            &batches[turn % batches.len()]
        })
        .bench_local_values(|operations| apply(black_box(&known), operations, &stamp(), &mut draw()).unwrap());
}

/// The same operations, with only what a store loads for them.
#[divan::bench]
fn on_what_is_loaded_of_it(bencher: Bencher<'_, '_>) {
    let page = Page::random(BLOCKS);
    let batches = (1..=16).map(|seed| page.batch(OPERATIONS, seed)).collect::<Vec<_>>();
    let batches =
        batches.iter().map(|operations| (page.loaded(&BatchInputs::by(operations)), operations)).collect::<Vec<_>>();
    let mut turn = 0;
    bencher
        .with_inputs(|| {
            turn += 1;
            &batches[turn % batches.len()]
        })
        .bench_local_values(|(known, operations)| apply(black_box(known), operations, &stamp(), &mut draw()).unwrap());
}
