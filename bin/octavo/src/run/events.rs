//! `octavo events replay`: lets a consumer begin again, even while a server is running, which then does the work.

use super::offline::Offline;
use crate::{start::Ready, wiring};
use anyhow::{Result, anyhow};
use octavo_app::consumers;
use octavo_core_model::consumer::ConsumerName;
use serde_json::json;

pub(super) async fn replay(ready: &Ready, consumer: ConsumerName) -> Result<String> {
    let offline = Offline::open(ready).await?;
    let rewound = consumers::rewind(&offline.engine, consumer, wiring::now()).await;
    let rewound = rewound.map_err(|interrupt| anyhow!("it did not work: {interrupt:?}"))?;
    Ok(if ready.json {
        format!("{}\n", json!({ "data": { "consumer": consumer, "workspaces": rewound.workspaces } }))
    } else {
        format!("{consumer} will read the event logs of {} workspaces again\n", rewound.workspaces)
    })
}
