//! A database of contacts with typed properties, created and filled over HTTP, to be read and written by the load.

use crate::account::Account;
use crate::load::{Load, Until};
use crate::sample::Round;
use crate::server::Server;
use anyhow::{Context as _, Result};
use serde_json::{Map, Value, json};

/// How many operations a bulk request has.
const BULK: u64 = 200;
/// How many requests are prepared before they are sent.
const REQUESTS_AT_ONCE: u64 = 500;
/// How many clients fill the database.
const LOADERS: usize = 2;

const COMPANIES: u64 = 1_000;
const STAGES: [&str; 6] = ["New", "Called", "Offered", "Won", "Lost", "Later"];
const TAGS: [&str; 8] = ["Red", "Green", "Blue", "Small", "Large", "Urgent", "North", "South"];
/// Every note has one of these words.
const COMMON: [&str; 8] = ["meeting", "invoice", "contract", "delivery", "question", "support", "training", "visit"];

/// A database with ten typed properties.
#[derive(Debug)]
pub(crate) struct Contacts {
    pub(crate) database: String,
    properties: Value,
    /// The records that contacts link to, if they have a relation.
    companies: Vec<String>,
}

impl Contacts {
    /// Creates the database.
    pub(crate) fn create(server: &Server, by: &Account) -> Result<Self> {
        let database = post(server, by, "/api/v1/databases", &json!({ "title": "Contacts", "properties": columns() }))?;
        Ok(Self { database: id_of(&database)?, properties: database["properties"].clone(), companies: Vec::new() })
    }

    /// Creates the database with a second number, a relation, a formula and a rollup.
    pub(crate) fn with_computed(server: &Server, by: &Account) -> Result<Self> {
        let companies = json!([{ "name": "Name", "type": "title" }, { "name": "Size", "type": "number" }]);
        let companies =
            post(server, by, "/api/v1/databases", &json!({ "title": "Companies", "properties": companies }))?;
        let companies =
            Self { database: id_of(&companies)?, properties: companies["properties"].clone(), companies: Vec::new() };
        let mut ids = Vec::new();
        for first in (0..COMPANIES).step_by(usize::try_from(BULK)?) {
            let company = |number: u64| {
                let values = [
                    ("Name", json!({ "text": format!("Company {number}") })),
                    ("Size", json!({ "value": number % 97 })),
                ];
                json!({ "op": "create", "properties": companies.values(values) })
            };
            let operations: Vec<_> = (first..first + BULK).map(company).collect();
            let path = companies.path("records/bulk");
            let done = post(server, by, &path, &json!({ "ops": operations }))?;
            for result in done["results"].as_array().context("no results")? {
                ids.push(result["recordId"].as_str().context("no id")?.to_owned());
            }
        }
        let mut made = Self::create(server, by)?;
        let score = json!({ "name": "Score", "type": "number" });
        let company = json!({ "name": "Company", "type": "relation", "config": { "targetDatabaseId": companies.database, "cardinality": "many_to_many" } });
        let total = json!({ "name": "Total", "type": "formula", "config": { "expression": "prop(\"Amount\") * prop(\"Score\") + 1" } });
        for property in [score, company, total] {
            made.add(server, by, &property)?;
        }
        let size = json!({ "name": "Size", "type": "rollup", "config": {
            "relationPropertyId": made.property("Company"), "targetPropertyId": companies.property("Size"), "aggregate": "SUM",
        } });
        made.add(server, by, &size)?;
        made.companies = ids;
        Ok(made)
    }

    fn add(&mut self, server: &Server, by: &Account, property: &Value) -> Result<()> {
        let added = post(server, by, &self.path("properties"), property)?;
        self.properties.as_array_mut().context("no properties")?.push(added);
        Ok(())
    }

    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/api/v1/databases/{}/{rest}", self.database)
    }

    /// The id of a property, by its name.
    pub(crate) fn property(&self, name: &str) -> &str {
        let mut all = self.properties.as_array().into_iter().flatten();
        all.find(|property| property["name"] == name).and_then(|found| found["id"].as_str()).unwrap_or_default()
    }

    fn values<'a>(&self, values: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
        values.into_iter().map(|(name, value)| (self.property(name).to_owned(), value)).collect::<Map<_, _>>().into()
    }

    /// The values of the contact with this number.
    pub(crate) fn contact(&self, number: u64) -> Value {
        let pick =
            |from: &[&str], salt: u64| from[usize::try_from(number / salt).unwrap_or(0) % from.len()].to_lowercase();
        let rare = if number % 10_000 == 77 { " zeppelin" } else { "" };
        let note = format!(
            "Notes on the {} of contact {number}, written after the {} in spring{rare}",
            pick(&COMMON, 1),
            pick(&COMMON, 3)
        );
        let mut values = vec![
            ("Name", json!({ "text": format!("Contact {number}") })),
            ("Note", json!({ "text": note })),
            ("Amount", json!({ "value": number.wrapping_mul(7_919) % 10_007 })),
            ("Stage", json!({ "optionId": format!("opt-{}", pick(&STAGES, 1)) })),
            (
                "Tags",
                json!({ "optionIds": [format!("opt-{}", pick(&TAGS, 1)), format!("opt-{}", pick(&TAGS[..7], 8))] }),
            ),
            (
                "Due",
                json!({ "start": format!("20{:02}-{:02}-{:02}", 20 + number % 9, 1 + number % 12, 1 + number % 28) }),
            ),
            ("Done", json!({ "value": number.is_multiple_of(3) })),
            ("Mail", json!({ "value": format!("contact{number}@example.com") })),
            ("Site", json!({ "value": format!("https://example.com/contacts/{number}") })),
            ("Phone", json!({ "value": format!("+49 30 {number:08}") })),
        ];
        if let Ok(count @ 1..) = u64::try_from(self.companies.len()) {
            let company = &self.companies[usize::try_from(number % count).unwrap_or(0)];
            values.push(("Score", json!({ "value": number % 11 })));
            values.push(("Company", json!({ "recordIds": [company] })));
        }
        self.values(values)
    }

    /// Requests that create contacts, each with the values of another one.
    pub(crate) fn creations(&self, by: &Account, numbers: impl Iterator<Item = u64>) -> Vec<Vec<u8>> {
        let path = self.path("records");
        let body = |number| json!({ "properties": self.contact(number) }).to_string();
        numbers.map(|number| by.post_in(by.workspace, &path, &body(number))).collect()
    }

    /// Creates contacts with bulk requests, and returns how long that took.
    pub(crate) fn fill(&self, server: &Server, by: &Account, count: u64) -> Result<Round> {
        let starts: Vec<_> = (0..count).step_by(usize::try_from(BULK)?).collect();
        let mut all = Round::default();
        for starts in starts.chunks(usize::try_from(REQUESTS_AT_ONCE)?) {
            let mut clients = vec![Vec::new(); LOADERS];
            for (at, first) in starts.iter().enumerate() {
                let operation = |number| json!({ "op": "create", "properties": self.contact(number) });
                let operations: Vec<_> = (*first..count.min(first + BULK)).map(operation).collect();
                let body = json!({ "ops": operations }).to_string();
                clients[at % LOADERS].push(by.post_in(by.workspace, &self.path("records/bulk"), &body));
            }
            let until = Until::Done(starts.len() / LOADERS);
            let round = Load { server: server.address, clients, until }.run()?;
            all.elapsed += round.elapsed;
            all.latencies.extend(round.latencies);
        }
        Ok(all)
    }
}

fn columns() -> Value {
    let options =
        |names: &[&str]| json!({ "options": names.iter().map(|name| json!({ "name": name })).collect::<Vec<_>>() });
    json!([
        { "name": "Name", "type": "title" },
        { "name": "Note", "type": "text" },
        { "name": "Amount", "type": "number" },
        { "name": "Stage", "type": "select", "config": options(&STAGES) },
        { "name": "Tags", "type": "multi_select", "config": options(&TAGS) },
        { "name": "Due", "type": "date" },
        { "name": "Done", "type": "checkbox" },
        { "name": "Mail", "type": "email" },
        { "name": "Site", "type": "url" },
        { "name": "Phone", "type": "phone" },
    ])
}

fn post(server: &Server, by: &Account, path: &str, body: &Value) -> Result<Value> {
    by.answer(server, "POST", path, Some(&body.to_string()))
}

fn id_of(shown: &Value) -> Result<String> {
    Ok(shown["id"].as_str().context("no id")?.to_owned())
}
