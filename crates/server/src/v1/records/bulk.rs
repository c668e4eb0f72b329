//! `/databases/{databaseId}/records/bulk`

use super::{
    collection::{ARCHIVED, EDIT, READ_ONLY, TOO_DEEP, TRASHED, UNKNOWN_FILE, UNKNOWN_PERSON},
    operations::{self, SentOperations},
    record::RecordReply,
    single::STALE,
};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    refusal::{Problem, Refusal},
    route::{Body, Path, routes},
    wire::{Data, Documented, Several, Writable, body, reply},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    records::bulk::{self, Bulk, BulkResults, MAX_OPERATIONS, OperationResult, OperationStatus},
};
use octavo_core_model::{
    Fault,
    fault::{Confirmed, DataIssue, DataProblem, Hint, Issue, Violation},
    id::{DatabaseId, PropertyId, RecordId},
};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::borrow::Cow;

body! {
    /// Changes of records.
    pub(crate) BulkBody {
        /// 1 to 500 operations, applied in this order.
        ops "ops": required SentOperations,
        /// Whether nothing is kept if an operation fails; true by default.
        atomic "atomic": optional bool = true,
        /// Whether plain texts, numbers, booleans and lists stand for values: options and people by name, dates as ISO
        /// 8601. Options that do not exist are created.
        typecast "typecast": optional bool = false,
        /// The properties by which upserts find records: 1 to 3.
        match_on "matchOn": optional Several<PropertyId, 1, 3>,
        /// Whether the answer shows the records.
        return_records "returnRecords": optional bool = false,
    }
}

reply! {
    /// What became of the operations.
    pub(crate) BulkReply {
        /// How many records were created.
        created "created": required u64 = 1,
        /// How many operations changed a record.
        updated "updated": required u64 = 0,
        /// How many operations archived a record.
        archived "archived": required u64 = 0,
        /// How many operations took a record out of the archive.
        unarchived "unarchived": required u64 = 0,
        /// How many records were deleted.
        deleted "deleted": required u64 = 0,
        /// How many operations failed.
        failed "failed": required u64 = 0,
        /// The result of each operation, in their order.
        results "results": required Vec<OperationReply>,
    }
}

reply! {
    /// What became of an operation.
    pub(crate) OperationReply {
        /// The place of the operation in the call, from 0.
        op "op": required u64 = 0,
        /// The result.
        status "status": required OperationStatus = "created",
        /// The record.
        record_id "recordId": nullable RecordId,
        /// The label that was sent.
        label "ref": nullable String = "first",
        /// The version of the record after the operation; null if it failed or the record is gone.
        version "version": nullable i64 = 1,
        /// The record after all operations, if it is wanted.
        record "record": optional RecordReply,
        /// Why the operation failed.
        error "error": optional OperationError,
    }
}

/// Why an operation failed, in the form of errors.
#[derive(Clone, Debug)]
pub(crate) struct OperationError(Problem);

impl Documented for OperationError {
    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "code": { "type": "string" },
                "message": { "type": "string" },
                "details": { "type": "array", "items": { "type": "object", "additionalProperties": true } },
            },
            "required": ["code", "message"],
        })
    }

    fn example() -> Value {
        json!({ "code": "NOT_FOUND", "message": "It does not exist, or you have no access to it.", "details": [{ "field": "recordId" }] })
    }
}

impl Writable for OperationError {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(problem) = self;
        let mut shown = json!({ "code": problem.code, "message": problem.message });
        if !problem.details.is_empty() {
            shown["details"] = json!(problem.details);
        }
        shown.serialize(serializer)
    }
}

const AMBIGUOUS: Fault = Fault::Data(Cow::Borrowed(&[DataProblem::new(DataIssue::AmbiguousMatch)]));

routes! {
    /// Changes many records.
    ///
    /// For callers that may edit the database. Operations see what earlier ones did. If one fails, nothing is kept, and
    /// the error names the failed operations; with `atomic: false` the others are kept, and the result of the failed
    /// one says why. A change that changes nothing is `unchanged`.
    POST "/databases/{databaseId}/records/bulk" as changeRecords => change {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (database: Path<DatabaseId>, body: Body<BulkBody>),
        answers: { 200: Data<BulkReply> },
        refusals: [
            EDIT,
            STALE,
            ARCHIVED,
            TRASHED,
            READ_ONLY,
            UNKNOWN_PERSON,
            UNKNOWN_FILE,
            TOO_DEEP,
            AMBIGUOUS,
            Fault::ConfirmRequired(Confirmed::Record),
            Fault::TooManyOperations(500),
        ],
        events: [RecordCreated, RecordUpdated, RecordArchived, RecordUnarchived, RecordDeleted, DatabaseUpdated, PageUpdated],
        max_body: Some(2 << 20),
    }
}

async fn change(dispatcher: Dispatcher, call: Call, database: Draft<DatabaseId>, body: Draft<BulkBody>) -> Answer {
    let shows_records = body.as_ref().is_ok_and(|body| body.return_records == Some(true));
    let draft = body.and_then(read);
    let shape = move |results| ok(BulkReply::of(results, shows_records));
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(bulk::bulk(unit, database.clone(), draft.clone())), shape)
        .await
}

fn read(body: BulkBody) -> Draft<Bulk> {
    let BulkBody { ops: SentOperations(sent), atomic, typecast, match_on, .. } = body;
    let most = u32::try_from(MAX_OPERATIONS).unwrap_or(u32::MAX);
    if sent.len() > MAX_OPERATIONS {
        return Err(Fault::TooManyOperations(most));
    }
    if sent.is_empty() {
        let bounds = Hint { min: Some(1), max: Some(most.into()), ..Hint::default() };
        return Err(Violation::new("ops", Issue::TooShort).hinting(bounds).into());
    }
    Ok(Bulk {
        operations: sent.into_iter().map(operations::operation).collect(),
        atomic: atomic.unwrap_or(true),
        typecast: typecast.unwrap_or(false),
        match_on: match_on.map(|listed| listed.0).unwrap_or_default(),
    })
}

impl BulkReply {
    fn of(BulkResults { results, records }: BulkResults, shows_records: bool) -> Self {
        let count = |status| results.iter().filter(|result| result.status == status).count() as u64;
        let (created, updated) = (count(OperationStatus::Created), count(OperationStatus::Updated));
        let (archived, unarchived) = (count(OperationStatus::Archived), count(OperationStatus::Unarchived));
        let (deleted, failed) = (count(OperationStatus::Deleted), count(OperationStatus::Failed));
        let reply = |(op, result): (usize, OperationResult)| OperationReply {
            op: op as u64,
            status: result.status,
            record_id: result.record,
            label: result.label,
            version: result.version,
            record: result
                .record
                .filter(|_| shows_records)
                .and_then(|id| records.get(&id))
                .map(|details| RecordReply::selecting(details, None)),
            error: result.fault.map(|fault| OperationError(Refusal::from(fault).problem())),
        };
        let results = results.into_iter().enumerate().map(reply).collect();
        Self { created, updated, archived, unarchived, deleted, failed, results }
    }
}
