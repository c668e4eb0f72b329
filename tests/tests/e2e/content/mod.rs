//! The content of pages, beyond the routes of single blocks: created with them, copied, shown, shared, referred to,
//! as Markdown.

mod backlinks;
mod copies;
mod creation;
mod creation_refusals;
mod documents;
mod markdown;
mod markdown_callers;
mod reading;
mod removal;
mod round_trip;

use crate::pages::Office;
use octavo_tests::{Person, poll::eventually};
use serde_json::{Value, json};

/// A block id chosen by the caller.
fn block(number: u16) -> String {
    format!("blk_01J8Z3K4M5N6P7Q8R9S0T1{number:04}")
}

fn paragraph(text: &str) -> Value {
    json!({ "type": "paragraph", "content": text })
}

/// A paragraph with one mark on a part of it, given by its first and last UTF-16 offset.
fn marked(text: &str, part: (usize, usize), kind: &str, attrs: &Value) -> Value {
    let mark = json!({ "type": kind, "from": part.0, "to": part.1, "attrs": attrs });
    json!({ "type": "paragraph", "content": { "text": text, "marks": [mark] } })
}

fn mentioning(text: &str, kind: &str, id: &str) -> Value {
    marked(text, (0, text.len()), "mention", &json!({ "mentionId": id, "mentionType": kind }))
}

fn pointer(page: &str) -> Value {
    json!({ "type": "child_page", "content": { "pageId": page } })
}

fn instance(source: &str) -> Value {
    json!({ "type": "synced_block", "content": { "sourceBlockId": source } })
}

fn with_id(number: u16, mut body: Value) -> Value {
    body["id"] = json!(block(number));
    body
}

fn with_children(mut body: Value, children: &[Value]) -> Value {
    body["children"] = json!(children);
    body
}

/// The content and nesting of blocks, without ids and other unique values.
fn without_ids(blocks: &Value) -> Value {
    let one = |block: &Value| {
        json!({
            "type": block["type"],
            "content": block["content"],
            "properties": block["properties"],
            "children": without_ids(&block["children"]),
        })
    };
    blocks.as_array().map(|blocks| blocks.iter().map(one).collect()).unwrap_or_default()
}

/// The texts of the top-level blocks.
fn texts(blocks: &Value) -> Vec<&str> {
    blocks.as_array().unwrap().iter().map(|block| block["content"]["text"].as_str().unwrap_or_default()).collect()
}

/// The same field of every entry in a list.
fn each<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|entry| entry[field].as_str().unwrap()).collect()
}

impl Office {
    /// Creates a page of the owner with these blocks and returns its id.
    fn page_of(&self, title: &str, blocks: &[Value]) -> String {
        self.page(&self.owner, &json!({ "title": title, "blocks": blocks }))
    }

    /// The blocks of a page, as this person sees them.
    fn blocks(&self, by: &Person, page: &str) -> Value {
        self.get(by, &format!("/pages/{page}?include=blocks")).data(200)["blocks"].clone()
    }

    fn backlinks(&self, by: &Person, page: &str) -> Value {
        self.get(by, &format!("/pages/{page}/backlinks")).body_of(200)["data"].clone()
    }

    /// How many versions of a page are kept.
    fn kept(&self, page: &str) -> usize {
        let kept = self.get(&self.owner, &format!("/pages/{page}/versions")).body_of(200);
        kept["data"].as_array().unwrap().len()
    }

    /// The number of blocks that the page reports.
    fn counted(&self, page: &str) -> Value {
        let kept = self.post(&self.owner, &format!("/pages/{page}/versions"), &json!({}));
        kept.data(201)["blockCount"].clone()
    }

    /// All events about a page so far.
    fn events_about(&self, page: &str) -> Vec<Value> {
        let last = self.below(None, "Last");
        let of = |id: &str| self.get(&self.owner, &format!("/events?resourceId={id}")).body_of(200)["data"].clone();
        eventually("all events", || (of(&last) != json!([])).then_some(()));
        of(page).as_array().unwrap().clone()
    }
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}
