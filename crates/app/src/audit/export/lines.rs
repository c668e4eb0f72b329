//! Entries of an audit trail as lines of a file.

use csv::{Terminator, Writer, WriterBuilder};
use octavo_core_model::{Timestamp, audit::AuditRecord, id::AuditId, job::ExportFormat};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;

/// A line could not be written. No entry causes this.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unwritable;

/// Lines that are being written.
pub(super) enum Lines {
    Ndjson(Vec<u8>),
    Csv(Box<Writer<Vec<u8>>>),
}

/// The columns of the table. Nested fields have a column each; changes are JSON.
const COLUMNS: [&str; 22] = [
    "id",
    "at",
    "chain",
    "seq",
    "prevHash",
    "hash",
    "action",
    "actorType",
    "actorId",
    "onBehalfOf",
    "targetType",
    "targetId",
    "outcome",
    "reason",
    "requestId",
    "ip",
    "userAgent",
    "actorName",
    "targetLabel",
    "changes",
    "salt",
    "piiDigest",
];

/// An entry as the API lists it, with fields in the same order.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportLine<'a> {
    id: AuditId,
    at: Timestamp,
    chain: &'a str,
    seq: Option<i64>,
    prev_hash: Option<&'a str>,
    hash: Option<&'a str>,
    action: &'a str,
    actor: &'a Value,
    target: &'a Value,
    outcome: &'a str,
    reason: Option<&'a str>,
    request_id: Option<&'a str>,
    pii: Option<&'a Value>,
    salt: Option<&'a str>,
    pii_digest: &'a str,
}

impl<'a> From<&'a AuditRecord> for ExportLine<'a> {
    fn from(record: &'a AuditRecord) -> Self {
        let seal = record.seal.as_ref();
        Self {
            id: record.id,
            at: record.at,
            chain: &record.chain,
            seq: seal.map(|seal| seal.seq),
            prev_hash: seal.map(|seal| seal.prev_hash.as_str()),
            hash: seal.map(|seal| seal.hash.as_str()),
            action: &record.action,
            actor: &record.actor,
            target: &record.target,
            outcome: &record.outcome,
            reason: record.reason.as_deref(),
            request_id: record.request_id.as_deref(),
            pii: record.personal.as_ref(),
            salt: record.salt.as_deref(),
            pii_digest: &record.personal_digest,
        }
    }
}

impl Lines {
    pub(super) fn new(format: ExportFormat) -> Self {
        match format {
            ExportFormat::Ndjson => Self::Ndjson(Vec::new()),
            ExportFormat::Csv => {
                Self::Csv(Box::new(WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new())))
            }
        }
    }

    /// Writes the header line.
    pub(super) fn head(&mut self) -> Result<(), Unwritable> {
        match self {
            Self::Ndjson(_) => Ok(()),
            Self::Csv(table) => table.write_record(COLUMNS).map_err(|_| Unwritable),
        }
    }

    pub(super) fn add(&mut self, record: &AuditRecord) -> Result<(), Unwritable> {
        match self {
            Self::Ndjson(bytes) => {
                serde_json::to_writer(&mut *bytes, &ExportLine::from(record)).map_err(|_| Unwritable)?;
                bytes.push(b'\n');
                Ok(())
            }
            Self::Csv(table) => {
                let cells = cells(record);
                let harmless = cells.iter().map(|cell| harmless(cell));
                table.write_record(harmless.map(|cell| cell.into_owned().into_bytes())).map_err(|_| Unwritable)?;
                table.flush().map_err(|_| Unwritable)
            }
        }
    }

    /// How many bytes were written so far.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Ndjson(bytes) => bytes.len(),
            Self::Csv(table) => table.get_ref().len(),
        }
    }

    pub(super) fn into_bytes(self) -> Result<Vec<u8>, Unwritable> {
        match self {
            Self::Ndjson(bytes) => Ok(bytes),
            Self::Csv(table) => table.into_inner().map_err(|_| Unwritable),
        }
    }
}

fn cells(record: &AuditRecord) -> [String; COLUMNS.len()] {
    let line = ExportLine::from(record);
    let text = |value: Option<&Value>| match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let own = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let of = |name: &str| text(line.pii.and_then(|pii| pii.get(name)));
    [
        line.id.to_string(),
        line.at.to_string(),
        line.chain.to_owned(),
        line.seq.map(|seq| seq.to_string()).unwrap_or_default(),
        own(line.prev_hash),
        own(line.hash),
        line.action.to_owned(),
        text(line.actor.get("type")),
        text(line.actor.get("id")),
        text(line.actor.get("onBehalfOf")),
        text(line.target.get("type")),
        text(line.target.get("id")),
        line.outcome.to_owned(),
        own(line.reason),
        own(line.request_id),
        of("ip"),
        of("userAgent"),
        of("actorName"),
        of("targetLabel"),
        of("changes"),
        own(line.salt),
        line.pii_digest.to_owned(),
    ]
}

/// Spreadsheets run a cell that begins like this as a formula, and some formulas open connections. A leading quote
/// turns the cell into text.
fn harmless(cell: &str) -> Cow<'_, str> {
    match cell.bytes().next() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') => Cow::Owned(format!("'{cell}")),
        _ => Cow::Borrowed(cell),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use octavo_core_model::audit::Seal;
    use serde_json::json;

    fn record(label: &str) -> AuditRecord {
        AuditRecord {
            id: AuditId::new(1, [1; 10]),
            at: Timestamp::from_millis(1_790_000_000_000),
            chain: "wks_1".to_owned(),
            seal: Some(Seal { seq: 7, prev_hash: "ab".to_owned(), hash: "cd".to_owned() }),
            action: "user.login".to_owned(),
            actor: json!({ "type": "USER", "id": "usr_1" }),
            target: json!({ "type": "user", "id": null }),
            outcome: "SUCCESS".to_owned(),
            reason: None,
            request_id: None,
            personal: Some(json!({ "ip": "::1", "userAgent": "a \"b\", c", "actorName": label, "targetLabel": null,
                "changes": [{ "field": "x", "from": 1, "to": "y" }] })),
            salt: Some("00".to_owned()),
            personal_digest: "ff".to_owned(),
        }
    }

    fn written(format: ExportFormat, records: &[AuditRecord]) -> String {
        let mut lines = Lines::new(format);
        lines.head().unwrap();
        for record in records {
            lines.add(record).unwrap();
        }
        let length = lines.len();
        let bytes = lines.into_bytes().unwrap();
        assert_eq!(bytes.len(), length);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_line_is_the_entry_as_the_api_lists_it() {
        let text = written(ExportFormat::Ndjson, &[record("Ada"), record("Bob\n")]);
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(text.ends_with('\n') && text.starts_with(r#"{"id":"aud_"#));
        assert_eq!(lines.len(), 2);
        assert_eq!((&lines[0]["prevHash"], &lines[1]["pii"]["actorName"]), (&json!("ab"), &json!("Bob\n")));
    }

    #[test]
    fn a_row_has_a_cell_for_each_column() {
        let text = written(ExportFormat::Csv, &[record("Ada")]);
        let rows: Vec<_> = text.split("\r\n").collect();
        assert_eq!((rows.len(), rows[2]), (3, ""));
        assert_eq!(rows[0], COLUMNS.join(","));
        let (id, at) = (AuditId::new(1, [1; 10]), Timestamp::from_millis(1_790_000_000_000));
        let expected = format!(
            "{id},{at},wks_1,7,ab,cd,user.login,USER,usr_1,,user,,SUCCESS,,,::1,\"a \"\"b\"\", c\",Ada,,\
             \"[{{\"\"field\"\":\"\"x\"\",\"\"from\"\":1,\"\"to\"\":\"\"y\"\"}}]\",00,ff"
        );
        assert_eq!(rows[1], expected);
    }

    #[test]
    fn no_cell_is_a_formula() {
        for (cell, shown) in [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@x", "'@x"),
            ("\tx", "'\tx"),
            ("\rx", "'\rx"),
            ("a=1", "a=1"),
            ("'=1", "'=1"),
            ("", ""),
        ] {
            assert_eq!(harmless(cell), shown);
        }
        assert!(written(ExportFormat::Csv, &[record("=1+1")]).contains(",'=1+1,"));
    }

    #[test]
    fn an_erased_person_leaves_empty_cells() {
        let erased = AuditRecord { personal: None, salt: None, ..record("Ada") };
        let text = written(ExportFormat::Csv, &[erased]);
        assert!(text.ends_with("SUCCESS,,,,,,,,,ff\r\n"), "{text}");
    }
}
