//! `/pages/{pageId}/export` and `/pages/import`

use super::{
    document::{self, Document},
    home::Home,
    page::PageReply,
};
use crate::{
    answer::{Answer, FileBody, FileBytes, attachment, created},
    dispatcher::Dispatcher,
    route::{Body, EarlyFields, Located, Path, Query, RouteReply, routes},
    v1::{
        blocks::{batches::refused, block::BlockReply, sent::SentDocument},
        locations,
    },
    wire::{
        Data, Documented, JsonOf, MediaDoc, Named, Parent, UnsupportedField, Written, body, query, reply, write_json,
    },
};
use actix_web::http::StatusCode;
use octavo_app::{
    Call, Draft, Engine, WorkKind,
    access::RouteAccess,
    blocks::{self, Branch, LeftOut, as_written, readable},
    pages::{self, Exported, NewPage, PageOrigin, Place},
};
use octavo_blocks_tree::{Piece, Refusal, html, markdown};
use octavo_core_model::{
    Fault, Level,
    cancellation::Cancellation,
    fault::{
        BlockProblem, ComputeFault, Conflict, Denial, Issue, PageLimit, TextFlaw, TextProblem, Unprocessable, Violation,
    },
    id::{BlockId, FileId, PageId, TeamId},
    page::DocumentFormat,
    text::PageTitle,
};
use serde::{Serializer, ser::SerializeStruct};
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};

/// The largest document that can be imported, in bytes.
const MAX_DOCUMENT: usize = 5 << 20;

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

body! {
    /// A document to import.
    pub(crate) ImportBody {
        /// `markdown`, `html`, or `json` from an export.
        format "format": required DocumentFormat = "markdown",
        /// The document, at most 5 MB.
        content "content": required SentDocument = "# Plan\n\n- [ ] Ship **it**",
        /// The parent page; null or left out means the root.
        parent_id "parentId": nullable Parent,
        /// The team of a root page.
        team_id "teamId": nullable TeamId = null,
        /// Its title; by default the one with which the document begins.
        title "title": optional PageTitle,
        /// Refused: there are no files yet.
        file_id "fileId": optional UnsupportedField,
        /// Refused: there are no databases yet.
        database_id "databaseId": optional UnsupportedField,
    }
}

/// A row of a table that could not become a record. There are none yet, because only pages are imported.
#[derive(Debug)]
pub(crate) struct RejectedRow;

impl Documented for RejectedRow {
    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "row": { "type": "integer", "minimum": 1 },
                "column": { "type": ["string", "null"] },
                "issue": { "type": "string" },
            },
            "required": ["row", "column", "issue"],
        })
    }

    fn example() -> Value {
        json!({ "row": 2, "column": "Due", "issue": "invalid_value" })
    }
}

reply! {
    /// The result of an import.
    pub(crate) ImportReply {
        /// The new page.
        page_id "pageId": required PageId,
        /// The database that was created from a table.
        database_id "databaseId": nullable String = null,
        /// How many records were created.
        imported_records "importedRecords": required u64 = 0,
        /// The rows of a table that could not become records.
        rejected_rows "rejectedRows": required Vec<JsonOf<RejectedRow>> = [],
        /// What was left out of the document.
        warnings "warnings": required Vec<String> =
            ["Mentions of things that do not exist for you became plain text: 2."],
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

    /// Creates a page from a document.
    ///
    /// At any place where the caller may put pages. Scripts, styles and invalid links are left out of HTML; mentions
    /// of things that the caller may not see become plain text. JSON includes title, icon and cover. `warnings` says
    /// what was left out. Tables cannot be imported until there are databases.
    POST "/pages/import" as importPage => import {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [PageTransfer],
        takes: (home: EarlyFields<Home>, body: Body<ImportBody>),
        answers: { 201: Located<Data<ImportReply>> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Conflict(Conflict::TooManyPages(50_000)),
            Fault::Unprocessable(Unprocessable::MaxDepth),
            Fault::Unprocessable(Unprocessable::DatabaseParent),
            Fault::Text(TextFlaw { index: None, problem: TextProblem::TooLong { most: MAX_DOCUMENT } }),
            refused!(BlockProblem::InvalidNesting { block: BlockId::LOWEST, parent: None }),
            Fault::Unprocessable(Unprocessable::PageTooLarge(PageLimit::Bytes)),
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::MemoryFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
        events: [PageCreated, PageImported],
        max_body: Some(8 << 20),
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

async fn import(dispatcher: Dispatcher, call: Call, home: Draft<Home>, body: Draft<ImportBody>) -> Answer {
    let place = home.map(Place::from);
    let read_warnings = Arc::new(OnceLock::new());
    let document = body.and_then(|body| document(body, Arc::clone(&read_warnings)));
    let import = |engine: Arc<Engine>, call| async move {
        let shape = |(shown, left_out): (pages::PageDetails, LeftOut)| {
            let of_reading = read_warnings.get().into_iter().flatten().copied().map(str::to_owned);
            let warnings = of_reading.chain(omission_warnings(left_out)).collect();
            let (page_id, rejected_rows) = (shown.page.id, Vec::new());
            created(ImportReply { page_id, database_id: None, imported_records: 0, rejected_rows, warnings })
                .at(locations::page(page_id))
        };
        pages::create_from_document(&engine, call, place, document, shape).await
    };
    dispatcher.computing().flow(call, import).await
}

/// Says what was left out of a document because the things it names do not exist for the caller.
fn omission_warnings(LeftOut { names, instances }: LeftOut) -> impl Iterator<Item = String> {
    let counts = [
        (names.mentions, "Mentions of things that do not exist for you became plain text"),
        (names.targets, "Links of blocks to pages, files and databases that do not exist for you were left out"),
        (instances, "Synced blocks whose source does not exist for you were left out"),
    ];
    counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{what}: {count}."))
}

/// The document to import. Parsing it sets the warnings.
fn document(body: ImportBody, warned: Arc<OnceLock<Vec<&'static str>>>) -> Draft<pages::Document> {
    if let Some(never) = body.file_id.or(body.database_id) {
        match never {}
    }
    let Value::String(text) = body.content.0 else {
        return Err(Violation::new("content", Issue::InvalidType).into());
    };
    if text.len() > MAX_DOCUMENT {
        return Err(Fault::Text(TextFlaw { index: None, problem: TextProblem::TooLong { most: MAX_DOCUMENT } }));
    }
    // The place is parsed separately.
    let _ = (body.parent_id, body.team_id);
    let (format, given_title, kind) = (body.format, body.title, WorkKind::of_text(&text));
    let read = move |cancellation: &Cancellation| {
        let Document { title, icon, cover_url, pieces, warnings } =
            document::read(format, &text, given_title.is_none(), cancellation)?;
        // A document is parsed once, so no warnings were set before.
        let _ = warned.set(warnings);
        Ok(NewPage {
            title: given_title.or(title),
            icon,
            cover_url,
            content: pieces,
            origin: PageOrigin::Import(format.name()),
            ..NewPage::default()
        })
    };
    Ok(pages::Document { kind, read: Box::new(read) })
}
