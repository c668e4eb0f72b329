//! Applying operations to records in memory.

use super::{
    Context, Operation, OperationResult, OperationStatus, RecordRef,
    prepare::{ReadOperation, how},
    working_set::{Entry, State, WorkingSet},
};
use crate::{
    databases::faults::{of_refusals, of_values},
    outcome::{AppResult, Interrupt},
    pages::refuse_files,
    record_values::{report_changes, snapshot},
    records::create::blank,
    relations::{LinkPlan, LinkWriter, NewLinks, OtherSides, Wanted, plan},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level,
    event::{
        EventPayload,
        records::{NoDetails, OfRecord, RecordCreated, RecordUpdated},
    },
    fault::{Confirmed, DataIssue, DataProblem, Issue, Violation},
    id::{PropertyId, RecordId},
    position::Position,
    record::{MAX_DEPTH, Record},
    text::{PageIcon, PageTitle, WebAddress},
    version::Expected,
};
use octavo_databases::{
    fault::ValuesFault,
    record::{Found, ReadValues, Write, read},
    stored::encode,
    value::Values,
};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Operations that are applied one after the other.
pub(super) struct Applying<'a, 'b> {
    unit: &'a mut Unit,
    context: &'a Context<'b>,
    records: WorkingSet,
    found: Found,
    last_position: Option<Position>,
    /// How deep stored records are nested, as far as it was looked up.
    depths: BTreeMap<RecordId, u32>,
    results: Vec<OperationResult>,
    events: Vec<EventPayload>,
    other_sides: OtherSides,
    /// The links of new records, if they are written together.
    new_links: Option<NewLinks>,
}

/// What became of all operations.
pub(super) struct Applied {
    pub(super) records: WorkingSet,
    pub(super) results: Vec<OperationResult>,
    pub(super) events: Vec<EventPayload>,
    /// Records that show changed links.
    pub(super) other_sides: OtherSides,
    /// The links of new records that are not written yet.
    pub(super) new_links: Option<NewLinks>,
}

/// The fields of a new record.
#[derive(Default)]
struct NewFields {
    icon: Option<PageIcon>,
    cover_url: Option<WebAddress>,
    parent: Option<RecordRef>,
    label: Option<String>,
}

/// The fields of a change.
#[derive(Default)]
struct ChangedFields {
    #[expect(clippy::option_option, reason = "a field can be left out or null")]
    icon: Option<Option<PageIcon>>,
    position: Option<Position>,
}

/// How the links of one record changed.
struct ChangedLinks {
    plans: Vec<LinkPlan>,
    /// Its properties that show a change from the other side.
    other_sides: BTreeSet<PropertyId>,
}

/// The record of an operation that succeeded.
type Changed = (OperationStatus, RecordId);

type Done = Result<Changed, Fault>;

/// The fault of an operation. Those of the store end the whole call.
fn of_operation(interrupt: Interrupt) -> AppResult<Fault> {
    match interrupt {
        Interrupt::Fault(fault) if !matches!(fault, Fault::Store(_) | Fault::Internal(_) | Fault::Compute(_)) => {
            Ok(fault)
        }
        other => Err(other),
    }
}

impl<'a, 'b> Applying<'a, 'b> {
    pub(super) fn new(
        unit: &'a mut Unit,
        context: &'a Context<'b>,
        (records, found): (WorkingSet, Found),
        last_position: Option<Position>,
    ) -> Self {
        let (depths, results, events, other_sides) = Default::default();
        let new_links = None;
        Self { unit, context, records, found, last_position, depths, results, events, other_sides, new_links }
    }

    /// Writes the links of new records together. No operation changes a record that another one creates.
    pub(super) fn with_new_links(self, links: NewLinks) -> Self {
        Self { new_links: Some(links), ..self }
    }

    pub(super) fn finish(self) -> Applied {
        let Self { records, results, events, other_sides, new_links, .. } = self;
        Applied { records, results, events, other_sides, new_links }
    }

    /// Applies one operation. Only faults of the store are errors; others belong to the operation.
    pub(super) async fn apply(&mut self, ReadOperation { operation, read }: ReadOperation) -> AppResult<()> {
        let mut label = None;
        let read = read.unwrap_or_else(|| Ok(ReadValues::default()));
        let done = match operation {
            Operation::Create { icon, cover_url, parent, label: own, .. } => {
                label.clone_from(&own);
                self.look_up_depth(parent.as_ref()).await?;
                self.create(read, NewFields { icon, cover_url, parent, label: own }).await
            }
            Operation::Update { record, icon, position, version, .. } => {
                self.update(&record, version, read, ChangedFields { icon, position }).await
            }
            Operation::Upsert { properties } => self.upsert(read, properties).await,
            Operation::Archive { record } => self.set_archived(&record, true).map_err(Interrupt::from),
            Operation::Unarchive { record } => self.set_archived(&record, false).map_err(Interrupt::from),
            Operation::Delete { record, confirmation } => {
                self.delete(&record, confirmation.as_deref()).map_err(Interrupt::from)
            }
        };
        let result = match done {
            Ok((status, id)) => {
                let version = self.records.entries.get(&id).map(|entry| entry.record.version);
                OperationResult { status, record: Some(id), label, version, fault: None }
            }
            Err(interrupt) => OperationResult {
                status: OperationStatus::Failed,
                record: None,
                label,
                version: None,
                fault: Some(of_operation(interrupt)?),
            },
        };
        self.results.push(result);
        Ok(())
    }

    async fn create(&mut self, sent: Result<ReadValues, ValuesFault>, fields: NewFields) -> AppResult<Changed> {
        refuse_files(fields.icon.as_ref())?;
        let mut values = Values::default();
        let resolved = self.resolve(sent, &Values::default())?;
        resolved.apply(&mut values);
        let parent = fields.parent.map(|parent| self.records.find(&parent, "parentRecordId")).transpose()?;
        if parent.is_some_and(|parent| self.depth_of(parent) >= MAX_DEPTH) {
            return Err(Fault::from(DataProblem::in_field(DataIssue::MaxDepth, "parentRecordId")).into());
        }
        let position = Position::after(self.last_position.as_ref());
        let blank = blank(self.unit, &self.context.caller, &self.context.held, position.clone());
        let id = blank.id;
        let link_values = if let Some(links) = &mut self.new_links {
            links.add(self.unit, &self.context.held.schema, id, &resolved.links, &mut self.other_sides)?
        } else {
            let plans = self.link(id, &resolved.links).await?.plans;
            plans.iter().filter_map(|plan| Some((plan.property, plan.value()?))).collect()
        };
        self.last_position = Some(position);
        let record = Record { parent, bag: encode(&values), icon: fields.icon, cover_url: fields.cover_url, ..blank };
        let mut properties = snapshot(&values, &self.context.held.schema);
        properties.extend(link_values);
        let created = RecordCreated { parent_record_id: parent, properties, via: None };
        self.events.push(EventPayload::RecordCreated(OfRecord::new(&record, self.context.team, created)));
        let title_before = PageTitle::from_stored(String::new());
        if let Some(label) = &fields.label {
            self.found.references.insert(label.clone(), (record.database, id));
        }
        let entry = Entry { record, values, state: State::New, level: Level::Edit, title_before };
        self.records.insert(entry, fields.label);
        Ok((OperationStatus::Created, id))
    }

    async fn update(
        &mut self,
        named: &RecordRef,
        version: Option<i64>,
        sent: Result<ReadValues, ValuesFault>,
        fields: ChangedFields,
    ) -> AppResult<Changed> {
        let id = self.records.find_to_change(named)?;
        let Some(mut entry) = self.records.entries.get(&id).cloned() else { return Err(Fault::NotFound.into()) };
        version.map_or(Expected::Any, Expected::Exactly).check(entry.record.version)?;
        refuse_files(fields.icon.as_ref().and_then(Option::as_ref))?;
        let mut updated = RecordUpdated::default();
        let resolved = self.resolve(sent, &entry.values)?;
        report_changes(&mut updated, &resolved.apply(&mut entry.values), &self.context.held.schema);
        let links = self.link(id, &resolved.links).await?;
        links.plans.iter().for_each(|plan| plan.report(&mut updated));
        links.other_sides.into_iter().for_each(|property| updated.report_links(property));
        let record = &mut entry.record;
        record.bag = encode(&entry.values);
        if let Some(icon) = fields.icon.filter(|icon| *icon != record.icon) {
            updated.report_field("icon", json!(record.icon), json!(icon));
            record.icon = icon;
        }
        if let Some(position) = fields.position.filter(|position| *position != record.position) {
            updated.report_field("position", json!(record.position.as_str()), json!(position.as_str()));
            record.position = position;
        }
        if updated.is_empty() {
            return Ok((OperationStatus::Unchanged, id));
        }
        record.touch(self.context.caller.author(), self.unit.call.now);
        self.events.push(EventPayload::RecordUpdated(OfRecord::new(record, self.context.team, updated)));
        self.records.replace(entry);
        Ok((OperationStatus::Updated, id))
    }

    async fn upsert(
        &mut self,
        sent: Result<ReadValues, ValuesFault>,
        properties: Map<String, Value>,
    ) -> AppResult<Changed> {
        let mut values = Values::default();
        self.resolve(sent.clone(), &values)?.apply(&mut values);
        let schema = &self.context.held.schema;
        let is_missing = |id: &&_| schema.property(**id).is_none_or(|property| values.get(property.slot).is_none());
        let missing: Vec<_> = self.context.match_on.iter().filter(is_missing).collect();
        if !missing.is_empty() {
            let flaw = |id| Violation::new(format!("properties.{id}"), Issue::Required);
            return Err(Fault::Invalid(missing.into_iter().map(flaw).collect()).into());
        }
        match self.records.matching(&values).as_slice() {
            [] => {
                let sent = read(schema, properties, how(Write::Create, self.context.typecast));
                self.create(sent, NewFields::default()).await
            }
            [one] => self.update(&RecordRef::Id(*one), None, sent, ChangedFields::default()).await,
            _ => Err(Fault::from(DataProblem::in_field(DataIssue::AmbiguousMatch, "matchOn")).into()),
        }
    }

    fn set_archived(&mut self, named: &RecordRef, is_archived: bool) -> Done {
        let id = self.records.find_to_change(named)?;
        let Some(mut entry) = self.records.entries.get(&id).cloned() else { return Err(Fault::NotFound) };
        if entry.record.archived_at.is_some() == is_archived {
            return Ok((OperationStatus::Unchanged, id));
        }
        let now = self.unit.call.now;
        entry.record.archived_at = is_archived.then_some(now);
        entry.record.touch(self.context.caller.author(), now);
        let event = OfRecord::new(&entry.record, self.context.team, NoDetails {});
        let (status, event) = if is_archived {
            (OperationStatus::Archived, EventPayload::RecordArchived(event))
        } else {
            (OperationStatus::Unarchived, EventPayload::RecordUnarchived(event))
        };
        self.events.push(event);
        self.records.replace(entry);
        Ok((status, id))
    }

    fn delete(&mut self, named: &RecordRef, confirmation: Option<&str>) -> Done {
        let id = self.records.find_to_change(named)?;
        // The id of a record of this batch is not known yet, so its reference confirms too.
        let label = confirmation.and_then(|sent| sent.strip_prefix('$'));
        let is_confirmed = match named {
            RecordRef::Label(own) if label.is_some() => label == Some(own),
            RecordRef::Id(_) | RecordRef::Label(_) => confirmation == Some(id.to_string().as_str()),
        };
        if !is_confirmed {
            return Err(Fault::ConfirmRequired(Confirmed::Record));
        }
        if let Some(entry) = self.records.entries.get(&id) {
            let event = OfRecord::new(&entry.record, self.context.team, NoDetails {});
            self.events.push(EventPayload::RecordDeleted(event));
        }
        self.records.remove(id);
        Ok((OperationStatus::Deleted, id))
    }

    fn resolve(
        &self,
        sent: Result<ReadValues, ValuesFault>,
        before: &Values,
    ) -> Result<octavo_databases::record::ResolvedValues, Fault> {
        let sent = sent.map_err(of_values)?;
        sent.resolve(&self.found, before).map_err(|refusals| of_refusals(&refusals))
    }

    /// Changes the links of a record, and returns what changed. Everything is checked before anything is written, so that
    /// nothing is left of an operation that fails.
    async fn link(&mut self, id: RecordId, links: &[(PropertyId, Vec<RecordId>)]) -> AppResult<ChangedLinks> {
        let context = self.context;
        let (workspace, authority) = (context.caller.workspace, context.authority);
        let writer = LinkWriter { workspace, authority, creates_targets: true };
        let mut plans = Vec::new();
        for (property, targets) in links {
            let Some(property) = context.held.schema.property(*property) else { continue };
            let Some(relation) = property.config.relation() else { continue };
            plans.push(plan(self.unit, writer, property, relation, id, Wanted::All(targets)).await?);
        }
        plans.retain(|plan| !plan.changes_nothing());
        let mut other_sides = OtherSides::default();
        for plan in &plans {
            plan.write(self.unit, writer.workspace).await?;
            other_sides.add(plan);
            self.other_sides.add(plan);
        }
        self.other_sides.take(id);
        Ok(ChangedLinks { plans, other_sides: other_sides.take(id) })
    }

    /// Looks up how deep a stored parent is nested.
    async fn look_up_depth(&mut self, parent: Option<&RecordRef>) -> AppResult<()> {
        let Some(RecordRef::Id(id)) = parent else { return Ok(()) };
        if !self.depths.contains_key(id) {
            let above = self.unit.tx.records().list_above(self.context.caller.workspace, *id).await?;
            self.depths.insert(*id, u32::try_from(above.len()).unwrap_or(u32::MAX).saturating_add(1));
        }
        Ok(())
    }

    /// How deep a record is nested. New records are nested below each other and below stored ones.
    fn depth_of(&self, id: RecordId) -> u32 {
        let (mut depth, mut at) = (0, id);
        while depth <= MAX_DEPTH {
            if let Some(stored) = self.depths.get(&at) {
                return depth + stored;
            }
            depth += 1;
            match self.records.entries.get(&at).and_then(|entry| entry.record.parent) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        depth
    }
}
