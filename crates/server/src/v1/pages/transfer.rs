//! `/pages/{pageId}/export` and `/pages/import`

use super::page::PageReply;
use crate::{
    answer::{Answer, FileBytes, attachment, created},
    desk::Desk,
    route::{Body, Path, Query, Shown, routes},
    v1::blocks::{batches::refused, block::BlockReply, pieces, sent::SentDocument},
    wire::{Data, Documented, Json, NotYet, Parent, Written, body, query, reply},
};
use actix_web::{body::BoxBody, http::StatusCode};
use octavo_app::{
    Call, Draft,
    access::Door,
    blocks::{self, Exported, readable},
    pages::{self, NewPage, PageOrigin, Place},
};
use octavo_blocks_tree::{Piece, html, markdown};
use octavo_core_model::{
    Fault, Level,
    fault::{BlockProblem, Denial, Issue, TextFlaw, TextProblem, Unfit, Violation},
    id::{BlockId, FileId, PageId, TeamId},
    page::DocumentFormat,
    text::PageTitle,
};
use serde::{Serializer, ser::SerializeStruct};
use serde_json::{Value, json};
use std::sync::Arc;

/// The longest document that becomes a page, in bytes.
const MAX_DOCUMENT: usize = 5 << 20;

query! {
    /// In which form a page is to leave.
    pub(crate) ExportQuery {
        /// `markdown`, `html` or `json`; only JSON comes back without any loss.
        format "format": required DocumentFormat,
    }
}

/// A page as a document.
#[derive(Debug)]
pub(crate) struct ExportedDocument;

impl Documented for ExportedDocument {
    fn schema() -> Value {
        json!({ "type": "string", "format": "binary" })
    }

    fn example() -> Value {
        "# Plan\n\n- [ ] Ship **it**\n".into()
    }
}

impl Shown for ExportedDocument {
    const MEDIA: &'static str = "application/octet-stream";
}

body! {
    /// A document that is to become a page.
    pub(crate) ImportBody {
        /// `markdown`, `html`, or `json` of an export.
        format "format": required DocumentFormat = "markdown",
        /// The document, at most 5 MB.
        content "content": required SentDocument = "# Plan\n\n- [ ] Ship **it**",
        /// The page that the new one is to stand in; at the root where it is null or left out.
        parent_id "parentId": nullable Parent,
        /// The team of a page at the root.
        team_id "teamId": nullable TeamId = null,
        /// Its title; where it is left out, the one that the document begins with.
        title "title": optional PageTitle,
        /// There are no files yet: refused.
        file_id "fileId": optional NotYet,
        /// There are no databases yet: refused.
        database_id "databaseId": optional NotYet,
    }
}

reply! {
    /// What became of a document.
    pub(crate) ImportReply {
        /// The new page.
        page_id "pageId": required PageId,
        /// The database that a table became.
        database_id "databaseId": nullable String = null,
        /// How many records were made.
        imported_records "importedRecords": required u64 = 0,
        /// The rows of a table that became no records.
        rejected_rows "rejectedRows": required Vec<Json> = [],
        /// What of the document was left out.
        warnings "warnings": required Vec<String> = [],
    }
}

routes! {
    /// Exports a page.
    ///
    /// As a document, to everybody who sees it: its title and all that stands on it. HTML has no scripts in it.
    GET "/pages/{pageId}/export" => export {
        caller: Inside(Door::PAGES),
        limits: [PageTransfer],
        takes: (page: Path<PageId>, query: Query<ExportQuery>),
        answers: { 200: ExportedDocument },
        refusals: [],
        events: [],
    }

    /// Makes a page of a document.
    ///
    /// Wherever the caller may put pages. Scripts, styles and links that are none are left out of HTML; mentions of what the caller does not see become
    /// plain text. Documents of tables wait for databases.
    POST "/pages/import" => import {
        caller: Inside(Door::PAGES_CHANGE),
        limits: [PageTransfer],
        takes: (body: Body<ImportBody>),
        answers: { 201: Data<ImportReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Unfit(Unfit::MaxDepth),
            Fault::Unfit(Unfit::DatabaseParent),
            Fault::Text(TextFlaw { index: None, problem: TextProblem::TooLong { most: MAX_DOCUMENT } }),
            refused!(BlockProblem::InvalidNesting { block: BlockId::LOWEST, parent: None }),
        ],
        events: [PageCreated, PageImported],
        max_body: Some(8 << 20),
    }
}

async fn export(desk: Desk, call: Call, page: Draft<PageId>, query: Draft<ExportQuery>) -> Answer {
    let format = query.as_ref().map_or(DocumentFormat::Markdown, |query| query.format);
    let asked = query.map(|_| ());
    let find = |engine: Arc<octavo_app::Engine>, call| async move {
        engine.read(call, move |view| Box::pin(blocks::export(view, page, asked))).await
    };
    match desk.ask(call, find).await {
        Ok(exported) => Answer::File(document(format, exported)),
        Err(refusal) => refusal.into(),
    }
}

fn document(format: DocumentFormat, exported: Exported) -> FileBytes {
    let title = exported.shown.page.title.to_string();
    let name = if title.trim().is_empty() { "Untitled" } else { title.trim() };
    let (media, ending, text) = match format {
        DocumentFormat::Markdown => ("text/markdown; charset=utf-8", "md", as_markdown(&title, &exported.pieces)),
        DocumentFormat::Html => {
            let pieces = readable(exported.content.blocks);
            ("text/html; charset=utf-8", "html", html::write(name, &pieces, &|_: FileId| None))
        }
        DocumentFormat::Json => ("application/json", "json", as_json(exported)),
    };
    let headers = attachment(media, &format!("{name}.{ending}"));
    FileBytes { status: StatusCode::OK, headers, body: BoxBody::new(text) }
}

/// The title stands above the content as a heading, as it is read back.
fn as_markdown(title: &str, pieces: &[Piece]) -> String {
    let content = markdown::write(pieces);
    if title.is_empty() {
        return content;
    }
    let heading = octavo_blocks_tree::RichText::plain(title);
    let heading = Piece::new(octavo_blocks_tree::Body::with_text(octavo_blocks_tree::Kind::Heading1, &heading));
    format!("{}\n{content}", markdown::write(&[heading]))
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

fn as_json(exported: Exported) -> String {
    let blocks = exported.content.blocks.into_iter().map(BlockReply::from).collect();
    // Structs with text keys always turn into a text.
    serde_json::to_string(&PageDocument { page: exported.shown.into(), blocks }).unwrap_or_default()
}

async fn import(desk: Desk, call: Call, body: Draft<ImportBody>) -> Answer {
    let shape = |shown: pages::Shown| {
        let (rejected_rows, warnings) = (Vec::new(), Vec::new());
        created(ImportReply { page_id: shown.page.id, database_id: None, imported_records: 0, rejected_rows, warnings })
    };
    desk.flow(call, move |engine, call| async move {
        // Reading a long document takes its time, and no other request waits for it here.
        let draft = body.and_then(draft);
        engine.write(call, move |unit| Box::pin(pages::create(unit, draft)), shape).await
    })
    .await
}

fn draft(body: ImportBody) -> Draft<NewPage> {
    if let Some(never) = body.file_id.or(body.database_id) {
        match never {}
    }
    let Value::String(text) = &body.content.0 else {
        return Err(Violation::new("content", Issue::InvalidType).into());
    };
    if text.len() > MAX_DOCUMENT {
        return Err(Fault::Text(TextFlaw { index: None, problem: TextProblem::TooLong { most: MAX_DOCUMENT } }));
    }
    let (title, content) = read(body.format, text)?;
    let title = title.map(|title| title.chars().take(PageTitle::MAX).collect::<String>());
    Ok(NewPage {
        title: body.title.or_else(|| title.and_then(|title| PageTitle::parse(&title).ok())),
        place: Place {
            parent: body.parent_id.map(|parent| parent.map(|parent| parent.0)),
            team: body.team_id.flatten().map(Some),
            ..Place::default()
        },
        content,
        origin: PageOrigin::Import(body.format.name()),
        ..NewPage::default()
    })
}

/// The title that a document begins with, and what is below it.
fn read(format: DocumentFormat, text: &str) -> Draft<(Option<String>, Vec<Piece>)> {
    match format {
        DocumentFormat::Markdown => Ok(markdown::heading_as_title(markdown::import(text).map_err(blocks::refused)?)),
        DocumentFormat::Html => html::read(text).map_err(blocks::refused),
        DocumentFormat::Json => {
            let flaw = || Fault::from(Violation::new("content", Issue::InvalidFormat));
            let document: Value = serde_json::from_str(text).map_err(|_| flaw())?;
            let title = document.pointer("/page/title").and_then(Value::as_str).map(str::to_owned);
            Ok((title, pieces::read_document(document.get("blocks").ok_or_else(flaw)?)?))
        }
    }
}
