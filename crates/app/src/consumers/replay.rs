//! Letting a consumer begin again.

use crate::{engine::Engine, outcome::AppResult};
use octavo_core_model::{Timestamp, consumer::ConsumerName};

/// A consumer that begins again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rewound {
    /// The number of workspaces whose logs it reads again.
    pub workspaces: u64,
}

/// Lets a consumer read all logs again from their oldest events on, also events that it has set aside.
pub async fn rewind(engine: &Engine, consumer: ConsumerName, now: Timestamp) -> AppResult<Rewound> {
    let rewind = engine
        .chore_repeatably(now, move |unit| Box::pin(async move { Ok(unit.tx.consumers().rewind(consumer).await?) }));
    Ok(Rewound { workspaces: rewind.await? })
}
