//! The parts that a command needs, whether or not a server is running.

use crate::{data_dir::DataDir, settings::DatabaseUrl, start::Ready, wiring};
use anyhow::{Context as _, Result, bail};
use octavo_app::{CommitSignals, Engine};
use octavo_core_model::{
    chore::Queue,
    id::{JobId, WorkspaceId},
};
use octavo_ports::blobs::Blobs;
use octavo_server::Metrics;
use std::{collections::BTreeSet, sync::Arc};

pub(super) struct Offline {
    pub(super) engine: Engine,
    pub(super) blobs: Arc<dyn Blobs>,
}

/// Nobody in this process waits for signals; a running server polls.
struct Silent;

impl CommitSignals for Silent {
    fn chore(&self, _: Queue) {}
    fn job(&self, _: JobId) {}
    fn events(&self, _: &BTreeSet<WorkspaceId>) {}
    fn audits(&self) {}
}

impl Offline {
    /// Opens an existing deployment.
    pub(super) async fn open(ready: &Ready) -> Result<Self> {
        if let DatabaseUrl::Sqlite(path) = &ready.settings.database
            && !path.is_file()
        {
            bail!("there is no database at {}: start octavo serve once", path.display());
        }
        Self::connect(ready).await
    }

    /// Opens a deployment, and creates it if there is none.
    pub(super) async fn open_or_create(ready: &Ready) -> Result<Self> {
        DataDir::create(&ready.settings.data_dir)?;
        let migrated = octavo_storage::migrate(wiring::database_url(&ready.settings).expose()).await;
        migrated.context("cannot bring the database up to date")?;
        Self::connect(ready).await
    }

    async fn connect(ready: &Ready) -> Result<Self> {
        let folder = DataDir::create(&ready.settings.data_dir)?;
        let store = wiring::open_store(&ready.settings, None).await?;
        let keyring = wiring::keyring(&ready.settings, &folder)?;
        Ok(Self {
            engine: wiring::engine(
                &ready.settings,
                ready.settings.public_origin(ready.settings.listen).as_str(),
                store,
                wiring::counters(&ready.settings, &Arc::default())?,
                keyring,
                Arc::new(Silent),
                &Metrics::default(),
            )?,
            blobs: wiring::blobs(&folder)?,
        })
    }
}
