//! Two tables, and reading them completely.

use super::unrelated::UNRELATED;
use crate::{
    metrics::{lines, measured, scrape},
    pages::{Office, office_on},
    records::Table,
};
use octavo_tests::{
    Answer, Engine, Person, Site,
    description::{Description, Operation},
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The memory for tables. The two tables fit into it together with one of the others, but not with two.
const MEMORY: &str = "1048576";

/// Texts that make a table of 0.65 MB.
const LONG_TEXTS: usize = 11;

pub(super) struct Case {
    pub(super) office: Office,
    metrics: Site,
    /// The page with the tables.
    pub(super) home: String,
    /// A table with a property of each type, named like it.
    pub(super) tasks: Table,
    pub(super) projects: Table,
    /// The other side of the relation between them.
    pub(super) reverse: String,
    /// Two large tables, of which only one fits into memory.
    large: [Table; 2],
    operations: Vec<Operation>,
    /// The ids of the operations that were run.
    run: BTreeSet<String>,
}

impl Case {
    pub(super) fn new(engine: Engine) -> Self {
        let (server, metrics) = measured(engine, &[("OCTAVO_TABLE_MEMORY_BYTES", MEMORY)]);
        let description = Description::parse(&server.origin("GET", "/docs/openapi.yaml").send().is(200).text());
        let office = office_on(server.into());
        let home = office.below(None, "Home");
        let projects = Table::of(
            &office,
            Some(&home),
            &[json!({ "name": "Number", "type": "unique_id", "config": { "prefix": "P" } })],
        );
        let tasks = table_of_every_type(&office, &home, &projects);
        let all = office.get(&office.owner, &format!("{}/properties", projects.path)).data(200);
        let reverse = all.as_array().unwrap().iter().find(|property| property["type"] == "relation").unwrap();
        let reverse = reverse["id"].as_str().unwrap().to_owned();
        for (target, name) in [(&tasks, "number"), (&tasks, "Name")] {
            let aggregate = if name == "number" { "SUM" } else { "UNIQUE" };
            let config = json!({ "relationPropertyId": reverse, "targetPropertyId": target.property(name), "aggregate": aggregate });
            let body = json!({ "name": format!("{aggregate} of {name}"), "type": "rollup", "config": config });
            office.post(&office.owner, &format!("{}/properties", projects.path), &body).is(201);
        }
        let large = [large(&office), large(&office)];
        let (operations, run) = (description.operations(), BTreeSet::new());
        let case = Self { office, metrics, home, tasks, projects, reverse, large, operations, run };
        case.compare("nothing");
        case
    }

    pub(super) fn named(&self, title: &str) -> Value {
        self.tasks.values(&[("Name", json!({ "text": title }))])
    }

    /// A new task.
    pub(super) fn task(&self, title: &str) -> Value {
        self.tasks.put(&self.office, title)
    }

    /// A new project.
    pub(super) fn project(&self, title: &str) -> Value {
        self.projects.put(&self.office, title)
    }

    /// Writes something as the owner, and compares the tables.
    #[track_caller]
    pub(super) fn write(&mut self, method: &str, path: &str, body: &Value) -> Answer {
        self.write_as(|office| office.owner.clone(), method, path, body)
    }

    #[track_caller]
    pub(super) fn write_as(
        &mut self,
        by: impl FnOnce(&Office) -> Person,
        method: &str,
        path: &str,
        body: &Value,
    ) -> Answer {
        let by = by(&self.office);
        let answer = self.office.call(&by, method, path, body);
        self.wrote(method, path, &answer);
        answer
    }

    /// Notes that an operation was run, and compares the tables.
    #[track_caller]
    pub(super) fn wrote(&mut self, method: &str, path: &str, answer: &Answer) {
        assert!(answer.status < 300, "{method} {path}: {}", answer.text());
        self.ran(method, path);
    }

    /// The same for an operation that succeeded.
    #[track_caller]
    pub(super) fn ran(&mut self, method: &str, path: &str) {
        let fits = |operation: &&Operation| operation.method == method && fits(&operation.path, path);
        // A path without parameters comes before one with them.
        let found = self.operations.iter().filter(fits).min_by_key(|operation| operation.path.matches('{').count());
        let id = found.unwrap_or_else(|| panic!("no operation {method} {path}")).spec["operationId"].as_str().unwrap();
        self.run.insert(id.to_owned());
        self.compare(&format!("{method} {path}"));
    }

    /// Compares the tables in memory with tables that are loaded anew.
    #[track_caller]
    pub(super) fn compare(&self, what: &str) {
        let tables = [&self.tasks, &self.projects];
        let kept = tables.map(|table| self.read(table));
        for large in &self.large {
            self.query(large, &json!({ "sort": [{ "propertyId": large.property("Name") }], "pageSize": 1 })).is(200);
        }
        let before = self.table_bytes();
        let fresh = tables.map(|table| self.read(table));
        assert!(self.table_bytes() > before, "after {what}: the tables were still in memory");
        for (kept, fresh) in kept.iter().zip(&fresh) {
            for ((asked, kept), (_, fresh)) in kept.iter().zip(fresh) {
                assert_eq!(
                    kept, fresh,
                    "after {what}: kept in memory (left) and loaded anew (right) differ in {asked}"
                );
            }
            assert_eq!(kept.len(), fresh.len(), "after {what}");
        }
    }

    /// Everything that queries tell of a table: what each record has under each property, its place, its parent, and
    /// whether it is archived.
    fn read(&self, table: &Table) -> Vec<(String, Value)> {
        let list = self.office.get(&self.office.owner, &format!("{}/properties", table.path)).data(200);
        let list = list.as_array().unwrap();
        let ids: Vec<_> = list.iter().map(|property| property["id"].clone()).collect();
        let number = list.iter().find(|property| property["type"] == "unique_id").unwrap()["id"].clone();
        let key = |id: &Value| json!({ "propertyId": id });
        let mut queries = vec![json!({ "pageSize": 200 }), json!({ "pageSize": 200, "includeArchived": true })];
        for keys in ids.chunks(3) {
            let keys: Vec<_> = keys.iter().map(key).collect();
            queries.push(json!({ "group": keys, "sort": keys, "pageSize": 200, "includeArchived": true }));
        }
        // Groups of dates are days; with one record in each group, the least date is the date.
        let amounts = ["number", "date", "date_range", "created_time", "last_edited_time"];
        let is_amount = |property: &&Value| amounts.contains(&property["type"].as_str().unwrap());
        let least = |property: &Value| json!({ "propertyId": property["id"], "fn": "MIN" });
        let aggregates: Vec<_> = list.iter().filter(is_amount).map(least).collect();
        for aggregates in aggregates.chunks(8) {
            queries.push(json!({
                "group": [key(&number)], "aggregate": aggregates, "perGroup": true, "pageSize": 200, "includeArchived": true,
            }));
        }
        let mut read: Vec<_> = queries
            .into_iter()
            .map(|mut query| {
                query["select"] = json!([ids[0]]);
                let answer = self.query(table, &query);
                (query.to_string(), answer.is(200).json())
            })
            .collect();
        let records = read[1].1["data"].as_array().unwrap().clone();
        for record in records {
            let path = format!("{}/records?subItemOf={}&pageSize=200", table.path, record["id"].as_str().unwrap());
            if record["subItemCount"] != json!(0) {
                read.push((path.clone(), self.office.get(&self.office.owner, &path).body_of(200)));
            }
        }
        read
    }

    fn query(&self, table: &Table, body: &Value) -> Answer {
        self.office.post(&self.office.owner, &format!("{}/query", table.path), body)
    }

    /// How many bytes all tables in memory take.
    fn table_bytes(&self) -> u64 {
        let text = scrape(&self.metrics);
        let found = lines(&text, "octavo_table_memory_bytes", &[]);
        found.first().and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap()
    }

    /// Fails if there is an operation that writes and was neither run nor listed.
    pub(super) fn lists_every_writing_operation(&self) {
        let writing = self.operations.iter().filter(|operation| operation.method != "GET");
        let writing: BTreeSet<_> =
            writing.map(|operation| operation.spec["operationId"].as_str().unwrap().to_owned()).collect();
        let listed: BTreeSet<_> = UNRELATED.iter().flat_map(|(_, ids)| ids.iter()).map(|id| (*id).to_owned()).collect();
        let missing: Vec<_> = writing.iter().filter(|id| !self.run.contains(*id) && !listed.contains(*id)).collect();
        assert!(
            missing.is_empty(),
            "these operations write: {missing:?}. Run each of them in `fresh_tables`, so that what queries find \
             afterwards is compared with tables that are loaded anew. If one can change no record, no property and \
             nothing else that a table holds, list it in `fresh_tables/unrelated.rs` with the reason."
        );
        let unknown: Vec<_> = listed.iter().filter(|id| !writing.contains(*id)).collect();
        assert!(unknown.is_empty(), "listed, but no operations: {unknown:?}");
        let both: Vec<_> = listed.intersection(&self.run).collect();
        assert!(both.is_empty(), "both run and listed as unrelated: {both:?}");
    }
}

/// Whether a path belongs to a template.
fn fits(template: &str, path: &str) -> bool {
    let (path, _) = path.split_once('?').unwrap_or((path, ""));
    let (parts, names): (Vec<_>, Vec<_>) = (path.split('/').collect(), template.split('/').collect());
    parts.len() == names.len() && names.iter().zip(parts).all(|(name, part)| name.starts_with('{') || *name == part)
}

fn table_of_every_type(office: &Office, home: &str, projects: &Table) -> Table {
    let options = json!({ "options": [{ "name": "To do" }, { "name": "Done" }] });
    let plain = [
        "text",
        "rich_text",
        "number",
        "date",
        "date_range",
        "person",
        "email",
        "phone",
        "url",
        "checkbox",
        "created_time",
        "created_by",
        "last_edited_time",
        "last_edited_by",
    ];
    let mut properties: Vec<_> = plain.iter().map(|kind| json!({ "name": kind, "type": kind })).collect();
    for kind in ["select", "multi_select", "status"] {
        properties.push(json!({ "name": kind, "type": kind, "config": options }));
    }
    properties.push(json!({ "name": "unique_id", "type": "unique_id", "config": { "prefix": "T" } }));
    let relation = json!({
        "targetDatabaseId": projects.id, "cardinality": "many_to_many", "bidirectional": true, "reverseName": "Tasks",
    });
    properties.push(json!({ "name": "relation", "type": "relation", "config": relation }));
    let tasks = Table::of(office, Some(home), &properties);
    for title in ["First", "Second"] {
        tasks.put(office, title);
    }
    tasks
}

fn large(office: &Office) -> Table {
    let table = Table::of(office, None, &[json!({ "name": "Text", "type": "text" })]);
    let values = || table.values(&[("Name", json!({ "text": "x" })), ("Text", json!({ "text": "x".repeat(60_000) }))]);
    let ops: Vec<_> = (0..LONG_TEXTS).map(|_| json!({ "op": "create", "properties": values() })).collect();
    office.post(&office.owner, &format!("{}/records/bulk", table.path), &json!({ "ops": ops })).is(200);
    table
}
