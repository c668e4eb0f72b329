//! `/pages/import`

use super::{
    document::{self, Document},
    home::Home,
    import_body::{DatabaseField, FormatField, ImportBody, ImportReply, MAX_DOCUMENT, text_of},
    table,
};
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    refusal::SHOWN_ROW,
    route::{Body, EarlyFields, Located, routes},
    v1::{blocks::batches::refused, locations},
    wire::Data,
};
use octavo_app::{
    Call, Draft, Engine, WorkKind,
    access::RouteAccess,
    blocks::LeftOut,
    pages::{self, NewPage, PageOrigin, Place},
};
use octavo_core_model::{
    Fault, Level,
    cancellation::Cancellation,
    fault::{
        BlockProblem, ComputeFault, Conflict, Denial, Hint, ImportFault, Issue, PageLimit, TextFlaw, TextProblem,
        Unprocessable, Violation,
    },
    id::BlockId,
};
use std::{
    borrow::Cow,
    sync::{Arc, OnceLock},
};

routes! {
    /// Creates a page from a document, or records from a table.
    ///
    /// At any place where the caller may put pages. Scripts, styles and invalid links are left out of HTML; mentions
    /// of things that the caller may not see become plain text. JSON includes title, icon and cover. `warnings` says
    /// what was left out.
    ///
    /// A table (`csv`) has a header row and at most 20,000 rows below it. It becomes a database at that place, whose
    /// first column is the title; the types of the others are guessed. With `databaseId` the rows are added to a
    /// database that the caller may edit: columns belong to the properties with their names, and options that do not
    /// exist are created. Rows that cannot become records are listed and the others kept; with `atomic` one of them
    /// rejects all. Otherwise up to 500 rows are written at once, so an import that ends early keeps what it has
    /// written, and the refusal says how much.
    POST "/pages/import" as importPage => import {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [PageTransfer],
        takes: (
            home: EarlyFields<Home>,
            format: EarlyFields<FormatField>,
            database: EarlyFields<DatabaseField>,
            body: Body<ImportBody>
        ),
        answers: { 201: Located<Data<ImportReply>> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Forbidden(Denial::DatabaseQuota),
            Fault::Conflict(Conflict::TooManyPages(50_000)),
            Fault::Conflict(Conflict::DatabaseArchived),
            Fault::FieldTaken(Cow::Borrowed("mapping.Due.name")),
            Fault::Unprocessable(Unprocessable::MaxDepth),
            Fault::Unprocessable(Unprocessable::DatabaseParent),
            Fault::Text(TextFlaw { index: None, problem: TextProblem::TooLong { most: MAX_DOCUMENT } }),
            Fault::Import(ImportFault::TooManyRows(20_000)),
            Fault::Import(ImportFault::Rejected(Cow::Borrowed(SHOWN_ROW))),
            refused!(BlockProblem::InvalidNesting { block: BlockId::LOWEST, parent: None }),
            Fault::Unprocessable(Unprocessable::PageTooLarge(PageLimit::Bytes)),
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::MemoryFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
        events: [PageCreated, PageImported, DatabaseCreated, DatabaseUpdated, RecordCreated, RecordUpdated],
        max_body: Some(8 << 20),
    }
}

async fn import(
    dispatcher: Dispatcher,
    call: Call,
    home: Draft<Home>,
    format: Draft<FormatField>,
    database: Draft<DatabaseField>,
    body: Draft<ImportBody>,
) -> Answer {
    let place = home.map(Place::from);
    if format.is_ok_and(|format| format.is_table()) {
        return table::import(dispatcher, call, place, database, body).await;
    }
    let read_warnings = Arc::new(OnceLock::new());
    let document = body.and_then(|body| document(body, Arc::clone(&read_warnings)));
    let import = |engine: Arc<Engine>, call| async move {
        let shape = |(shown, left_out): (pages::PageDetails, LeftOut)| {
            let of_reading = read_warnings.get().into_iter().flatten().copied().map(str::to_owned);
            let warnings = of_reading.chain(omission_warnings(left_out)).collect();
            let (page, rejected_rows) = (shown.page.id, Vec::new());
            let page_id = Some(page);
            created(ImportReply { page_id, database_id: None, imported_records: 0, rejected_rows, warnings })
                .at(locations::page(page))
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
    refuse_table_fields(&body)?;
    let Some(format) = body.format.document() else {
        return Err(Violation::new("format", Issue::InvalidValue).into());
    };
    let given_title = body.title.clone();
    let text = text_of(body)?;
    let kind = WorkKind::of_text(&text);
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

/// Refuses what means something for tables only.
fn refuse_table_fields(body: &ImportBody) -> Draft<()> {
    let sent = [
        ("databaseId", body.database_id.flatten().is_some()),
        ("mapping", body.mapping.is_some()),
        ("delimiter", body.delimiter.is_some()),
        ("atomic", body.atomic == Some(true)),
    ];
    let rule =
        |field| Violation::new(field, Issue::InvalidValue).hinting(Hint::ruled_by(&["only with the format csv"]));
    let flaws: Vec<_> = sent.into_iter().filter(|(_, is_sent)| *is_sent).map(|(field, _)| rule(field)).collect();
    if flaws.is_empty() { Ok(()) } else { Err(Fault::Invalid(flaws)) }
}
