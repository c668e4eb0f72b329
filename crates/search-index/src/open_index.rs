//! An index that is open: its reader, its writer while there is work, and how far the logs were followed.

use crate::{
    columns::Columns,
    document::{self, FOLLOWED_COMPLETELY},
    find::documents,
    folder,
    keys::Tenant,
    schema::Fields,
};
use octavo_core_model::id::WorkspaceId;
use octavo_ports::search::{IndexedUnit, NodeKey, Progress, Removal, Unit, UnitChanges, UnitKind};
use parking_lot::{Mutex, RwLock};
use std::{collections::BTreeMap, path::Path};
use tantivy::{
    Index, IndexReader, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term,
    indexer::{IndexWriterOptions, LogMergePolicy},
    schema::Value,
};

/// How much of a commit is in memory. A larger one is written in several segments.
const WRITER_BYTES: usize = 24 << 20;

/// How many segments of about the same size are merged into one.
const MERGED: usize = 6;

/// Segments with fewer documents count as being of the same size.
const SMALL_SEGMENT: u32 = 2_000;

/// From this part of removed documents on, a segment is written anew.
const MOST_REMOVED: f32 = 0.3;

pub(crate) struct OpenIndex {
    index: Index,
    fields: Fields,
    reader: IndexReader,
    /// Takes memory and threads, so it exists only while there is something to write.
    writer: Mutex<Option<IndexWriter>>,
    progress: RwLock<BTreeMap<WorkspaceId, Progress>>,
}

impl OpenIndex {
    pub(crate) fn open(folder: &Path) -> crate::Result<Self> {
        Self::of(folder::open(folder)?)
    }

    /// Opens an index that another process may write, without changing anything.
    pub(crate) fn open_to_read(folder: &Path) -> crate::Result<Self> {
        Self::of(folder::open_to_read(folder)?)
    }

    fn of((index, fields): (Index, Fields)) -> crate::Result<Self> {
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let opened = Self { index, fields, reader, writer: Mutex::default(), progress: RwLock::default() };
        *opened.progress.write() = opened.load_progress()?;
        Ok(opened)
    }

    pub(crate) const fn fields(&self) -> &Fields {
        &self.fields
    }

    pub(crate) fn searcher(&self) -> Searcher {
        self.reader.searcher()
    }

    pub(crate) fn progress(&self, workspace: WorkspaceId) -> Option<Progress> {
        self.progress.read().get(&workspace).cloned()
    }

    pub(crate) fn workspaces(&self) -> Vec<(WorkspaceId, i64)> {
        self.progress.read().iter().map(|(workspace, progress)| (*workspace, progress.up_to)).collect()
    }

    fn load_progress(&self) -> crate::Result<BTreeMap<WorkspaceId, Progress>> {
        let searcher = self.searcher();
        let mut loaded = BTreeMap::new();
        for segment in searcher.segment_readers() {
            let columns = Columns::open(segment)?;
            let mut texts = None;
            for doc in segment.doc_ids_alive() {
                let Some(up_to) = columns.sequence(doc) else { continue };
                if texts.is_none() {
                    texts = Some(segment.get_store_reader(1)?);
                }
                let Some(texts) = &texts else { continue };
                let stored: TantivyDocument = texts.get(doc)?;
                let rest = stored.get_first(self.fields.rest).and_then(|rest| rest.as_str().map(str::to_owned));
                let is_complete = columns.code(doc) == FOLLOWED_COMPLETELY;
                let progress = Progress { up_to, is_complete, rest: rest.unwrap_or_default() };
                loaded.insert(WorkspaceId::from_bits(columns.bits(doc)), progress);
            }
        }
        Ok(loaded)
    }

    /// Writes changes and makes them visible. If that fails, nothing of them is kept.
    pub(crate) fn apply(&self, changes: &[UnitChanges]) -> crate::Result<()> {
        let mut held = self.writer.lock();
        let mut writer = match held.take() {
            Some(writer) => writer,
            None => self.new_writer()?,
        };
        // If this fails, the writer is dropped, and with it what it has not committed.
        for change in changes {
            self.write(&writer, change)?;
        }
        writer.commit()?;
        *held = Some(writer);
        self.reader.reload()?;
        let mut progress = self.progress.write();
        for change in changes {
            if change.removed.contains(&Removal::Workspace) {
                progress.remove(&change.workspace);
            }
            if let Some(reached) = &change.progress {
                progress.insert(change.workspace, reached.clone());
            }
        }
        Ok(())
    }

    fn new_writer(&self) -> crate::Result<IndexWriter> {
        let options = IndexWriterOptions::builder()
            .num_worker_threads(1)
            .num_merge_threads(1)
            .memory_budget_per_thread(WRITER_BYTES)
            .build();
        let writer = self.index.writer_with_options(options)?;
        let mut policy = LogMergePolicy::default();
        policy.set_min_num_segments(MERGED);
        policy.set_min_layer_size(SMALL_SEGMENT);
        policy.set_del_docs_ratio_before_merge(MOST_REMOVED);
        writer.set_merge_policy(Box::new(policy));
        Ok(writer)
    }

    fn write(&self, writer: &IndexWriter, change: &UnitChanges) -> crate::Result<()> {
        let tenant = Tenant::of(change.workspace);
        for removal in &change.removed {
            for term in removed(&tenant, *removal) {
                self.delete(writer, &term);
            }
        }
        for unit in &change.units {
            self.delete(writer, &term_of(&tenant, unit));
            writer.add_document(document::of_unit(&self.fields, &tenant, unit))?;
        }
        if let Some(progress) = &change.progress {
            self.delete(writer, &tenant.progress());
            writer.add_document(document::of_progress(&self.fields, &tenant, change.workspace, progress))?;
        }
        Ok(())
    }

    fn delete(&self, writer: &IndexWriter, term: &str) {
        writer.delete_term(Term::from_field_text(self.fields.keys, term));
    }

    /// Frees what only writing needs, after the merges that run have ended.
    pub(crate) fn rest(&self) -> crate::Result<()> {
        let mut held = self.writer.lock();
        let Some(writer) = held.take() else { return Ok(()) };
        // The next writer can begin only after this one has ended.
        writer.wait_merging_threads()?;
        Ok(self.reader.reload()?)
    }

    /// Reads what another process has written.
    pub(crate) fn reload(&self) -> crate::Result<()> {
        self.reader.reload()?;
        *self.progress.write() = self.load_progress()?;
        Ok(())
    }

    /// The units with a term that names something, in no particular order.
    pub(crate) fn units(&self, term: &str) -> crate::Result<Vec<IndexedUnit>> {
        let searcher = self.searcher();
        let mut units = Vec::new();
        for segment in searcher.segment_readers() {
            let docs = documents(segment, &self.fields, term)?;
            if !docs.is_empty() {
                let columns = Columns::open(segment)?;
                let unit = |doc| IndexedUnit { key: columns.key(doc), updated_at: columns.updated_at(doc) };
                units.extend(docs.into_iter().map(unit));
            }
        }
        Ok(units)
    }
}

fn term_of(tenant: &Tenant, unit: &Unit) -> String {
    tenant.unit(unit.key.kind(), crate::keys::low(crate::keys::bits(unit.key)))
}

/// The terms of what is removed.
fn removed(tenant: &Tenant, removal: Removal) -> Vec<String> {
    match removal {
        Removal::Unit(key) => vec![tenant.unit(key.kind(), crate::keys::low(crate::keys::bits(key)))],
        Removal::Node(NodeKey(key)) => {
            let kinds = [UnitKind::Page, UnitKind::Record, UnitKind::Database];
            let own = kinds.map(|kind| tenant.unit(kind, key));
            own.into_iter().chain([tenant.on_page(NodeKey(key)), tenant.in_database(NodeKey(key))]).collect()
        }
        Removal::Workspace => vec![tenant.units(), tenant.progress()],
    }
}
