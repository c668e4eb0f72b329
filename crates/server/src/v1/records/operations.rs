//! The operations of a bulk call.

use super::{operation_fields::OPERATION, values::SentValues};
use crate::wire::{
    ConfirmationText, Documented, Named, Readable, Reader, RequestBody, Text, UnsupportedField, Version, body,
    reference, tag, union,
};
use octavo_app::records::bulk::{MAX_OPERATIONS, Operation, RecordRef};
use octavo_core_model::{
    fault::{Hint, Issue, Violation},
    id::RecordId,
    position::Position,
    text::{PageIcon, WebAddress},
};
use serde_json::{Value, json};

/// The id of a record, or `$` and the label of an earlier operation that creates it.
#[derive(Clone, Debug)]
pub(crate) struct SentRecord(RecordRef);

impl Documented for SentRecord {
    fn schema() -> Value {
        json!({ "anyOf": [RecordId::schema(), { "type": "string", "pattern": "^\\$.{1,100}$" }] })
    }

    fn example() -> Value {
        RecordId::example()
    }
}

impl Readable for SentRecord {
    fn read(value: &Value) -> Result<Self, Issue> {
        let text = value.as_str().ok_or(Issue::InvalidType)?;
        match text.strip_prefix('$') {
            Some(label) => Ok(Self(RecordRef::Label(label.to_owned()))),
            None => text.parse().map(|id| Self(RecordRef::Id(id))).map_err(|_| Issue::InvalidId),
        }
    }
}

body! {
    /// Creates a record.
    pub(crate) CreateRecordOperation as put_create {
        /// Its values by the ids of properties.
        properties "properties": required SentValues,
        /// An emoji, a file or an address.
        icon "icon": nullable PageIcon,
        /// The address of the picture above its page.
        cover_url "coverUrl": nullable WebAddress = "https://example.com/cover.png",
        /// The record that it is a part of.
        parent_record_id "parentRecordId": nullable SentRecord,
        /// A label: in later operations, `$` and this label stand for the id of the record.
        label "ref": optional Text<1, 100> = "first",
        /// Refused: there are no templates yet.
        template_id "templateId": optional UnsupportedField,
    }
}

body! {
    /// Changes a record.
    pub(crate) UpdateRecordOperation as put_update {
        /// The record.
        record_id "recordId": required SentRecord,
        /// Values by the ids of properties; null clears a value.
        properties "properties": optional SentValues,
        /// An emoji, a file or an address; null removes it.
        icon "icon": nullable PageIcon,
        /// Its position among the records of the database.
        position "position": optional Position = "a0",
        /// The version that the change is based on.
        version "version": optional Version,
    }
}

body! {
    /// Changes the record that matches, or creates one if none does.
    pub(crate) UpsertRecordOperation as put_upsert {
        /// Values by the ids of properties, with one for each property in `matchOn`.
        properties "properties": required SentValues,
    }
}

body! {
    /// Archives a record.
    pub(crate) ArchiveRecordOperation as put_archive {
        /// The record.
        record_id "recordId": required SentRecord,
    }
}

body! {
    /// Takes a record out of the archive.
    pub(crate) UnarchiveRecordOperation as put_unarchive {
        /// The record.
        record_id "recordId": required SentRecord,
    }
}

body! {
    /// Deletes a record permanently.
    pub(crate) DeleteRecordOperation as put_delete {
        /// The record.
        record_id "recordId": required SentRecord,
        /// The id of the record.
        confirm "confirm": optional ConfirmationText = "rpt_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    }
}

const CREATE: &str = "create";
const UPDATE: &str = "update";
const UPSERT: &str = "upsert";
const ARCHIVE: &str = "archive";
const UNARCHIVE: &str = "unarchive";
const DELETE: &str = "delete";
const WORDS: [&str; 6] = [CREATE, UPDATE, UPSERT, ARCHIVE, UNARCHIVE, DELETE];

fn put_create(named: &mut Named, name: &str, schema: &Value) {
    put_tagged(named, name, schema, CREATE);
}

fn put_update(named: &mut Named, name: &str, schema: &Value) {
    put_tagged(named, name, schema, UPDATE);
}

fn put_upsert(named: &mut Named, name: &str, schema: &Value) {
    put_tagged(named, name, schema, UPSERT);
}

fn put_archive(named: &mut Named, name: &str, schema: &Value) {
    put_tagged(named, name, schema, ARCHIVE);
}

fn put_unarchive(named: &mut Named, name: &str, schema: &Value) {
    put_tagged(named, name, schema, UNARCHIVE);
}

fn put_delete(named: &mut Named, name: &str, schema: &Value) {
    put_tagged(named, name, schema, DELETE);
}

/// Adds the field that says which operation it is.
fn put_tagged(named: &mut Named, name: &str, schema: &Value, word: &str) {
    let mut schema = schema.clone();
    schema["properties"]["op"] = tag(&[word]);
    let mut required = schema["required"].as_array().cloned().unwrap_or_default();
    required.insert(0, "op".into());
    schema["required"] = required.into();
    named.insert(name.to_owned(), schema);
}

/// The operations of a call; the flaws of all of them are reported.
#[derive(Clone, Debug)]
pub(crate) struct SentOperations(pub(crate) Vec<Value>);

impl Documented for SentOperations {
    fn schema() -> Value {
        json!({ "type": "array", "items": reference("RecordOperation"), "minItems": 1, "maxItems": MAX_OPERATIONS })
    }

    fn example() -> Value {
        json!([{ "op": CREATE, "properties": SentValues::example() }])
    }

    fn collect(named: &mut Named) {
        CreateRecordOperation::collect(named);
        UpdateRecordOperation::collect(named);
        UpsertRecordOperation::collect(named);
        ArchiveRecordOperation::collect(named);
        UnarchiveRecordOperation::collect(named);
        DeleteRecordOperation::collect(named);
        let members = [
            (CREATE, CreateRecordOperation::NAME.to_owned()),
            (UPDATE, UpdateRecordOperation::NAME.to_owned()),
            (UPSERT, UpsertRecordOperation::NAME.to_owned()),
            (ARCHIVE, ArchiveRecordOperation::NAME.to_owned()),
            (UNARCHIVE, UnarchiveRecordOperation::NAME.to_owned()),
            (DELETE, DeleteRecordOperation::NAME.to_owned()),
        ];
        named.insert("RecordOperation".to_owned(), union("A change of a record.", "op", &members));
    }
}

impl Readable for SentOperations {
    fn read(value: &Value) -> Result<Self, Issue> {
        value.as_array().cloned().map(Self).ok_or(Issue::InvalidType)
    }

    fn take_field(name: &str, value: &mut Value, violations: &mut Vec<Violation>) -> Option<Self> {
        OPERATION.check_field(value, &name, violations);
        let Value::Array(list) = value.take() else {
            violations.push(Violation::new(name.to_owned(), Issue::InvalidType));
            return None;
        };
        Some(Self(list))
    }
}

/// Reads `{ op, ... }`.
pub(super) fn operation(sent: Value) -> Result<Operation, Vec<Violation>> {
    let Value::Object(mut fields) = sent else {
        return Err(vec![Violation::new("op", Issue::InvalidType).with(sent)]);
    };
    let Some(word) = fields.remove("op") else { return Err(vec![Violation::new("op", Issue::Required)]) };
    let mut reader = Reader::taking(&mut fields);
    let read = match word.as_str() {
        Some(CREATE) => CreateRecordOperation::read_fields(&mut reader).map(Operation::from),
        Some(UPDATE) => UpdateRecordOperation::read_fields(&mut reader).map(Operation::from),
        Some(UPSERT) => {
            let upsert = |body: UpsertRecordOperation| Operation::Upsert { properties: body.properties.0 };
            UpsertRecordOperation::read_fields(&mut reader).map(upsert)
        }
        Some(ARCHIVE) => {
            let archive = |body: ArchiveRecordOperation| Operation::Archive { record: body.record_id.0 };
            ArchiveRecordOperation::read_fields(&mut reader).map(archive)
        }
        Some(UNARCHIVE) => {
            let unarchive = |body: UnarchiveRecordOperation| Operation::Unarchive { record: body.record_id.0 };
            UnarchiveRecordOperation::read_fields(&mut reader).map(unarchive)
        }
        Some(DELETE) => DeleteRecordOperation::read_fields(&mut reader).map(Operation::from),
        Some(_) => {
            return Err(vec![Violation::new("op", Issue::InvalidValue).with(word).hinting(Hint::one_of(WORDS))]);
        }
        None => return Err(vec![Violation::new("op", Issue::InvalidType).with(word)]),
    };
    read.ok_or_else(|| reader.into_violations())
}

impl From<CreateRecordOperation> for Operation {
    fn from(body: CreateRecordOperation) -> Self {
        if let Some(never) = body.template_id {
            match never {}
        }
        Self::Create {
            properties: body.properties.0,
            icon: body.icon.flatten(),
            cover_url: body.cover_url.flatten(),
            parent: body.parent_record_id.flatten().map(|parent| parent.0),
            label: body.label.map(|label| label.0),
        }
    }
}

impl From<UpdateRecordOperation> for Operation {
    fn from(body: UpdateRecordOperation) -> Self {
        Self::Update {
            record: body.record_id.0,
            properties: body.properties.map(|sent| sent.0),
            icon: body.icon,
            position: body.position,
            version: body.version.map(|version| version.0),
        }
    }
}

impl From<DeleteRecordOperation> for Operation {
    fn from(body: DeleteRecordOperation) -> Self {
        Self::Delete { record: body.record_id.0, confirmation: body.confirm.and_then(|confirm| confirm.0) }
    }
}
