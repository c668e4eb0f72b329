//! What is logged when units collide.

use crate::world::World;
use octavo_app::{Interrupt, Reply};
use octavo_core_model::{
    Fault, StoreError,
    id::{PageId, UserId, WorkspaceId},
    page::Favorite,
    position::Position,
};
use octavo_testkit::LogRecorder;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A favorite that violates a foreign key, like one of a member who was removed a moment ago.
fn stray_favorite(world: &World) -> Favorite {
    Favorite {
        workspace: WorkspaceId::new(0, [1; 10]),
        user: UserId::new(0, [1; 10]),
        page: PageId::new(0, [1; 10]),
        position: Position::after(None),
        created_at: world.now,
    }
}

/// The levels of the lines about statements that failed.
fn levels_of_failures(recorder: &LogRecorder) -> Vec<&'static str> {
    let failures = recorder.take().into_iter().filter(|line| line.fields.contains_key("report"));
    failures.map(|line| line.level.as_str()).collect()
}

#[tokio::test]
async fn a_collision_is_a_warning_only_if_the_unit_does_not_run_again() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let favorite = stray_favorite(&world);
    let (collision, refusal) = (Fault::Store(StoreError::Collision), Fault::NotFound);
    for (collisions, expected, levels) in [
        (0, &refusal, &[][..]),
        (2, &refusal, &["DEBUG", "DEBUG"][..]),
        (3, &collision, &["DEBUG", "DEBUG", "WARN"][..]),
    ] {
        let (runs, recorder) = (AtomicUsize::new(0), LogRecorder::start());
        let answer = world
            .engine
            .write_repeatably(
                world.by(&device),
                |unit| {
                    let collides = runs.fetch_add(1, Ordering::Relaxed) < collisions;
                    let favorite = favorite.clone();
                    Box::pin(async move {
                        if collides {
                            unit.tx.favorites().put(&favorite).await?;
                        }
                        Err::<(), Interrupt>(Fault::NotFound.into())
                    })
                },
                |()| Reply::nothing(),
            )
            .await;
        assert_eq!(answer, Err(expected.clone().into()));
        assert_eq!(levels_of_failures(&recorder), levels, "{collisions} collisions");
    }
}

#[tokio::test]
async fn a_collision_of_a_unit_that_runs_once_is_a_warning() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let favorite = stray_favorite(&world);
    let recorder = LogRecorder::start();
    let written = world
        .write(world.by(&device), move |unit| Box::pin(async move { Ok(unit.tx.favorites().put(&favorite).await?) }));
    assert_eq!(written.await, Err(StoreError::Collision.into()));
    assert_eq!(levels_of_failures(&recorder), ["WARN"]);
}
