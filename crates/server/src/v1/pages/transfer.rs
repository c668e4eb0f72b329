//! `/pages/{pageId}/export`

use super::page::PageReply;
use crate::{
    answer::{Answer, FileBody, FileBytes, attachment},
    dispatcher::Dispatcher,
    route::{Path, Query, RouteReply, routes},
    v1::blocks::block::BlockReply,
    wire::{Documented, MediaDoc, Named, Written, query, write_json},
};
use actix_web::http::StatusCode;
use octavo_app::{
    Call, Draft, Engine,
    access::RouteAccess,
    blocks::{self, Branch, as_written, readable},
    pages::{self, Exported},
};
use octavo_blocks_tree::{Piece, Refusal, html, markdown};
use octavo_core_model::{
    Fault, Level,
    cancellation::Cancellation,
    fault::{ComputeFault, Denial},
    id::{FileId, PageId},
    page::DocumentFormat,
};
use serde::{Serializer, ser::SerializeStruct};
use serde_json::{Value, json};
use std::sync::Arc;

query! {
    /// The format of an export.
    pub(crate) ExportQuery {
        /// `markdown`, `html` or `json`; only JSON can be imported again without any loss.
        format "format": required DocumentFormat,
    }
}

/// A page as a document.
#[derive(Debug)]
pub(crate) struct ExportedDocument;

impl Documented for ExportedDocument {
    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn example() -> Value {
        "# Plan\n\n- [ ] Ship **it**\n".into()
    }

    fn collect(named: &mut Named) {
        PageReply::collect(named);
        BlockReply::collect(named);
    }
}

impl RouteReply for ExportedDocument {
    const MEDIA: &'static str = "text/markdown";

    fn alternatives() -> Vec<MediaDoc> {
        let blocks = json!({ "type": "array", "items": BlockReply::schema() });
        let document = json!({
            "type": "object",
            "properties": { "page": PageReply::schema(), "blocks": blocks },
            "required": ["page", "blocks"],
        });
        let page = "<!doctype html>\n<title>Plan</title>\n<h1>Plan</h1>\n";
        vec![
            MediaDoc { media: "text/html", schema: json!({ "type": "string" }), example: page.into() },
            MediaDoc {
                media: "application/json",
                schema: document,
                example: json!({ "page": PageReply::example(), "blocks": [BlockReply::example()] }),
            },
        ]
    }
}

routes! {
    /// Exports a page.
    ///
    /// A document with the title and all blocks, for everybody who may see the page. HTML contains no scripts.
    GET "/pages/{pageId}/export" as exportPage => export {
        caller: Inside(RouteAccess::PAGES),
        limits: [PageTransfer],
        takes: (page: Path<PageId>, query: Query<ExportQuery>),
        answers: { 200: ExportedDocument },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::MemoryFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
        events: [],
    }
}

async fn export(dispatcher: Dispatcher, call: Call, page: Draft<PageId>, query: Draft<ExportQuery>) -> Answer {
    let format = query.as_ref().map_or(DocumentFormat::Markdown, |query| query.format);
    let asked = query.map(|_| ());
    let write = move |engine: Arc<Engine>, call: Call| async move {
        let reservations = engine.reservations();
        let load = engine.read(call, move |view| Box::pin(pages::export(view, page, asked, reservations)));
        let (exported, reservation) = load.await?;
        let title = exported.shown.page.title.to_string();
        let write = move |cancellation: &Cancellation| written(format, exported, cancellation);
        let (text, _) = engine.compute_reserved(reservation, write).await?;
        Ok((title, text?))
    };
    match dispatcher.computing().ask(call, write).await {
        Ok((title, text)) => Answer::File(file(format, &title, text)),
        Err(refusal) => refusal.into(),
    }
}

fn file(format: DocumentFormat, title: &str, text: String) -> FileBytes {
    let (media, ending) = match format {
        DocumentFormat::Markdown => ("text/markdown; charset=utf-8", "md"),
        DocumentFormat::Html => ("text/html; charset=utf-8", "html"),
        DocumentFormat::Json => ("application/json", "json"),
    };
    let headers = attachment(media, &format!("{}.{ending}", name_of(title)));
    FileBytes { status: StatusCode::OK, headers, body: FileBody::Whole(text.into()) }
}

fn name_of(title: &str) -> &str {
    if title.trim().is_empty() { "Untitled" } else { title.trim() }
}

fn written(format: DocumentFormat, exported: Exported, cancellation: &Cancellation) -> Draft<String> {
    let title = exported.shown.page.title.to_string();
    match format {
        DocumentFormat::Markdown => {
            as_markdown(&title, &as_written(exported.content.blocks), cancellation).map_err(blocks::refused)
        }
        DocumentFormat::Html => {
            let pieces = readable(exported.content.blocks);
            html::export(name_of(&title), &pieces, &|_: FileId| None, cancellation).map_err(blocks::refused)
        }
        DocumentFormat::Json => as_json(exported, cancellation),
    }
}

/// Puts the title above the content as a heading, which an import recognises.
fn as_markdown(title: &str, pieces: &[Piece], cancellation: &Cancellation) -> Result<String, Refusal> {
    let content = markdown::export(pieces, cancellation)?;
    if title.is_empty() {
        return Ok(content);
    }
    let heading = octavo_blocks_tree::RichText::plain(title);
    let heading = Piece::new(octavo_blocks_tree::Body::with_text(octavo_blocks_tree::Kind::Heading1, heading));
    Ok(format!("{}\n{content}", markdown::write(&[heading])))
}

/// A page and its blocks.
struct PageDocument {
    page: PageReply,
    blocks: Vec<BlockReply>,
}

impl serde::Serialize for PageDocument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let blocks: Vec<_> = self.blocks.iter().map(Written).collect();
        let mut shown = serializer.serialize_struct("PageDocument", 2)?;
        shown.serialize_field("page", &Written(&self.page))?;
        shown.serialize_field("blocks", &blocks)?;
        shown.end()
    }
}

fn as_json(exported: Exported, cancellation: &Cancellation) -> Draft<String> {
    let reply = |branch: Branch| {
        if cancellation.is_cancelled() {
            return Err(Fault::Compute(ComputeFault::Timeout));
        }
        Ok(BlockReply::from(branch))
    };
    let blocks = exported.content.blocks.into_iter().map(reply).collect::<Draft<Vec<_>>>()?;
    let document = PageDocument { page: exported.shown.into(), blocks };
    write_json(&document, cancellation).ok_or(Fault::Compute(ComputeFault::Timeout))
}
