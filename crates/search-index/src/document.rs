//! Units as documents of the index.

use crate::{
    keys::{self, Tenant},
    schema::{Fields, WordField},
};
use octavo_core_model::id::{UserId, WorkspaceId};
use octavo_ports::search::{Place, Progress, TextPlace, Unit, UnitKey, UnitKind};
use tantivy::{TantivyDocument, schema::Field};

/// The bit of the column `kind` that marks records in the archive.
const ARCHIVED: u64 = 4;

/// The values of the column `kind` for documents that say how far a log was followed.
pub(crate) const FOLLOWED: u64 = 8;
pub(crate) const FOLLOWED_COMPLETELY: u64 = 9;

/// What the column `kind` says of a unit.
pub(crate) const fn kind_code(kind: UnitKind, is_archived: bool) -> u64 {
    let kind = match kind {
        UnitKind::Comment => 0,
        UnitKind::Database => 1,
        UnitKind::Page => 2,
        UnitKind::Record => 3,
    };
    if is_archived { kind | ARCHIVED } else { kind }
}

/// The place of the kind in `UnitKind::ALL`.
pub(crate) const fn kind_place(code: u64) -> usize {
    (code & 3) as usize
}

pub(crate) const fn is_archived(code: u64) -> bool {
    code & ARCHIVED != 0
}

/// The unit with this code and id.
pub(crate) fn key_of(code: u64, bits: u128) -> UnitKey {
    use octavo_core_model::id::{CommentId, DatabaseId, PageId, RecordId};
    match code & 3 {
        0 => UnitKey::Comment(CommentId::from_bits(bits)),
        1 => UnitKey::Database(DatabaseId::from_bits(bits)),
        2 => UnitKey::Page(PageId::from_bits(bits)),
        _ => UnitKey::Record(RecordId::from_bits(bits)),
    }
}

pub(crate) fn user_bytes(user: UserId) -> [u8; 8] {
    keys::low(user.bits()).to_be_bytes()
}

pub(crate) fn of_unit(fields: &Fields, tenant: &Tenant, unit: &Unit) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    let bits = keys::bits(unit.key);
    document.add_text(fields.keys, tenant.units());
    document.add_text(fields.keys, tenant.unit(unit.key.kind(), keys::low(bits)));
    if unit.key.kind() == UnitKind::Comment {
        document.add_text(fields.keys, tenant.on_page(unit.place.page));
        document.add_u64(fields.page, unit.place.page.0);
    }
    if let Some(database) = unit.place.database {
        document.add_text(fields.keys, tenant.in_database(database));
        document.add_bytes(fields.database, &database.0.to_be_bytes());
    }
    for on in &unit.depends_on {
        document.add_text(fields.keys, tenant.depending_on(*on));
    }
    add_texts(&mut document, fields, tenant, unit);
    document.add_u64(fields.id_high, keys::high(bits));
    document.add_u64(fields.id_low, keys::low(bits));
    document.add_u64(fields.kind, kind_code(unit.key.kind(), unit.is_archived));
    add_user(&mut document, fields.created_by, unit.created_by);
    add_user(&mut document, fields.updated_by, unit.updated_by);
    document.add_i64(fields.created_at, unit.created_at.millis());
    document.add_i64(fields.updated_at, unit.updated_at.millis());
    document
}

fn add_texts(document: &mut TantivyDocument, fields: &Fields, tenant: &Tenant, unit: &Unit) {
    let mut sources: Vec<Place> = Vec::new();
    for text in &unit.texts {
        let field = WordField::of(text.place.field(), text.source.is_some());
        document.add_text(fields.words(field), tenant.text(&text.text));
        if text.place == TextPlace::Title
            && let Some(title) = tenant.title(&octavo_search::normalize(&text.text))
        {
            document.add_text(fields.keys, title);
        }
        sources.extend(text.source);
    }
    sources.sort_unstable();
    sources.dedup();
    for source in sources {
        document.add_u64(fields.sources, source.page.0);
        document.add_u64(fields.sources, source.database.map_or(0, |database| database.0));
    }
}

fn add_user(document: &mut TantivyDocument, field: Field, user: Option<UserId>) {
    if let Some(user) = user {
        document.add_bytes(field, &user_bytes(user));
    }
}

pub(crate) fn of_progress(
    fields: &Fields,
    tenant: &Tenant,
    workspace: WorkspaceId,
    progress: &Progress,
) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    document.add_text(fields.keys, tenant.progress());
    document.add_u64(fields.id_high, keys::high(workspace.bits()));
    document.add_u64(fields.id_low, keys::low(workspace.bits()));
    document.add_u64(fields.kind, if progress.is_complete { FOLLOWED_COMPLETELY } else { FOLLOWED });
    document.add_i64(fields.sequence, progress.up_to);
    document.add_text(fields.rest, &progress.rest);
    document
}
