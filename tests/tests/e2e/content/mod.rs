//! What stands on pages, beyond the routes of single blocks: made with them, copied, shown, shared, referred to, as Markdown.

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

/// An id for a block that a caller chooses.
fn block(number: u16) -> String {
    format!("blk_01J8Z3K4M5N6P7Q8R9S0T1{number:04}")
}

fn paragraph(text: &str) -> Value {
    json!({ "type": "paragraph", "content": text })
}

/// A paragraph of which a part, given by its first and last UTF-16 offset, is marked.
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

/// What blocks say and how they stand in each other, without what makes each unique.
fn said(blocks: &Value) -> Value {
    let one = |block: &Value| {
        json!({
            "type": block["type"],
            "content": block["content"],
            "properties": block["properties"],
            "children": said(&block["children"]),
        })
    };
    blocks.as_array().map(|blocks| blocks.iter().map(one).collect()).unwrap_or_default()
}

/// The texts of blocks at the top.
fn texts(blocks: &Value) -> Vec<&str> {
    blocks.as_array().unwrap().iter().map(|block| block["content"]["text"].as_str().unwrap_or_default()).collect()
}

/// A field of each entry of a list.
fn each<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|entry| entry[field].as_str().unwrap()).collect()
}

impl Office {
    /// A page of the owner with these blocks.
    fn page_of(&self, title: &str, blocks: &[Value]) -> String {
        self.page(&self.owner, &json!({ "title": title, "blocks": blocks }))
    }

    /// What stands on a page, as somebody sees it.
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

    /// How many blocks a page counts.
    fn counted(&self, page: &str) -> Value {
        let kept = self.post(&self.owner, &format!("/pages/{page}/versions"), &json!({}));
        kept.data(201)["blockCount"].clone()
    }

    /// All that was told of a page so far.
    fn told(&self, page: &str) -> Vec<Value> {
        let last = self.below(None, "Last");
        let of = |id: &str| self.get(&self.owner, &format!("/events?resourceId={id}")).body_of(200)["data"].clone();
        eventually("all is told", || (of(&last) != json!([])).then_some(()));
        of(page).as_array().unwrap().clone()
    }
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}
