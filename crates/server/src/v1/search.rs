//! `/search`

use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Query, routes},
    wire::{Documented, Listed, Readable, RouteReply, Writable, Written, query, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    search::{self, FoundAncestor, FoundUnit, Highlight, Person, SearchPage, SearchPlace, SearchRequest, Total},
};
use octavo_core_model::{
    Fault, Level, Timestamp,
    fault::{ComputeFault, Hint, Issue},
    id::{BlockId, DatabaseId, PageId, PropertyId, TeamId, UserId},
    page::ResourceId,
    search::{ResultField, ResultOrder, ResultType},
    text::{PageIcon, PageTitle},
};
use octavo_ports::search::{Order, TimeRange, UnitKey, UnitKind};
use octavo_search::{Field, Fields, MAX_QUERY, Query as Words};
use serde::Serializer;
use serde_json::{Value, json};
use std::{ops::Range, sync::Arc};

query! {
    /// What to search for.
    pub(crate) SearchQuery {
        page: SearchPlace, 20 up to 200;
        /// The words to find. A word finds words that begin with it, `"a phrase"` whole words side by side, and `-word`
        /// leaves out what has it. Without `q`, everything is found that the other parameters let through.
        q "q": optional SentWords,
        /// What to find, separated by commas: `page`, `record`, `database`, `comment`; all by default.
        types "types": optional Listed<ResultType>,
        /// Where to look for the words, separated by commas: `title`, `text`, `property`, `comment`; everywhere by default.
        fields "fields": optional Listed<ResultField>,
        /// Only in pages and databases of this team.
        team_id "teamId": optional TeamId,
        /// Only this page and what lies below it.
        parent_id "parentId": optional PageId,
        /// Only this database, its records and the comments on them.
        database_id "databaseId": optional DatabaseId,
        /// Only what this user created; `me` for the caller, with an API key the user who created the key.
        created_by "createdBy": optional SentPerson,
        /// Only what this user changed last; `me` as above.
        updated_by "updatedBy": optional SentPerson,
        /// Only what was created at this time or later.
        created_after "createdAfter": optional Timestamp,
        /// Only what was created before this time.
        created_before "createdBefore": optional Timestamp,
        /// Only what was last changed at this time or later.
        updated_after "updatedAfter": optional Timestamp,
        /// Only what was last changed before this time.
        updated_before "updatedBefore": optional Timestamp,
        /// Whether to find archived records, and archived databases with their records. What is in the trash is never found.
        include_archived "includeArchived": optional bool = false,
        /// The order: `relevance` by default, without `q` `-updatedAt`.
        sort "sort": optional ResultOrder = "relevance",
    }
}

reply! {
    /// A page of results.
    pub(crate) SearchReply {
        /// The results.
        data "data": required Vec<ResultReply>,
        /// Send it as `cursor` to read on; null on the last page.
        next_cursor "nextCursor": nullable String = null,
        /// How many results there are on all pages.
        total "total": required TotalReply,
    }
}

reply! {
    /// How many results there are that the caller may view.
    pub(crate) TotalReply {
        /// The number, which stops at 1000.
        value "value": required u64 = 1,
        /// Whether there are not more.
        exact "exact": required bool = true,
    }
}

reply! {
    /// Something that was found.
    pub(crate) ResultReply {
        /// What it is. The page of a record is found as the `record`.
        kind "type": required ResultType,
        /// The id of the page, record, database or comment.
        id "id": required String = "pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The page to open: the page itself, that of the record or comment, or the one that the database is in.
        page_id "pageId": nullable PageId,
        /// The database of a record.
        database_id "databaseId": nullable DatabaseId = null,
        /// Its title; for a comment that of its page.
        title "title": required PageTitle,
        /// Its icon; for a comment that of its page.
        icon "icon": nullable PageIcon,
        /// The pages and databases above it that the caller may view, from the root down.
        ancestors "ancestors": required Vec<ResultAncestorReply>,
        /// How well it fits. Comparable only within one answer.
        score "score": required f64 = 3.2,
        /// Up to three parts of its texts that show what was found.
        highlights "highlights": required Vec<HighlightReply>,
        /// The caller's level.
        access_level "accessLevel": required Level = "EDIT",
        /// The user who created it.
        created_by "createdBy": nullable UserId,
        /// The user who changed it last.
        updated_by "updatedBy": nullable UserId,
        /// When it was created.
        created_at "createdAt": required Timestamp,
        /// When it was changed last.
        updated_at "updatedAt": required Timestamp,
    }
}

reply! {
    /// A page or database above a result.
    pub(crate) ResultAncestorReply {
        /// The id.
        id "id": required ResourceId,
        /// The kind: `page` or `database`.
        kind "type": required &'static str | ["page", "database"] = "page",
        /// Its title.
        title "title": required PageTitle,
    }
}

reply! {
    /// A part of a text that shows what was found.
    pub(crate) HighlightReply {
        /// Where the text stands.
        field "field": required ResultField = "text",
        /// The block with the text.
        block_id "blockId": nullable BlockId,
        /// The property with the text.
        property_id "propertyId": nullable PropertyId = null,
        /// Plain text of at most 240 characters.
        text "text": required String = "Goals of the third quarter",
        /// What was found in it: beginnings and ends in UTF-16 code units.
        ranges "ranges": required Vec<TextRange>,
    }
}

impl RouteReply for SearchReply {}

/// A part of a text, from a place up to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextRange(Range<usize>);

impl Documented for TextRange {
    fn schema() -> Value {
        json!({ "type": "array", "items": { "type": "integer", "minimum": 0 }, "minItems": 2, "maxItems": 2 })
    }

    fn example() -> Value {
        json!([13, 26])
    }
}

impl Writable for TextRange {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq([self.0.start, self.0.end])
    }
}

/// Words to find.
#[derive(Clone, Debug)]
pub(crate) struct SentWords(Words);

impl Documented for SentWords {
    fn schema() -> Value {
        json!({ "type": "string", "minLength": 1, "maxLength": MAX_QUERY })
    }

    fn example() -> Value {
        "roadmap \"third quarter\" -draft".into()
    }
}

impl Readable for SentWords {
    fn read(value: &Value) -> Result<Self, Issue> {
        let text = value.as_str().ok_or(Issue::InvalidType)?;
        if text.is_empty() {
            return Err(Issue::TooShort);
        }
        if text.chars().nth(MAX_QUERY).is_some() {
            return Err(Issue::TooLong);
        }
        Words::parse(text).map(Self).map_err(|_| Issue::InvalidValue)
    }

    fn hint(issue: Issue) -> Hint {
        match issue {
            Issue::InvalidValue => {
                Hint::ruled_by(&["at least one word to find, with a letter or digit, that no hyphen excludes"])
            }
            Issue::TooShort | Issue::TooLong => {
                Hint { min: Some(1), max: i64::try_from(MAX_QUERY).ok(), ..Hint::default() }
            }
            _ => Hint::default(),
        }
    }
}

/// A user, or `me`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SentPerson(Person);

impl Documented for SentPerson {
    fn schema() -> Value {
        json!({ "anyOf": [{ "const": "me" }, UserId::schema()] })
    }

    fn example() -> Value {
        "me".into()
    }
}

impl Readable for SentPerson {
    fn read(value: &Value) -> Result<Self, Issue> {
        match value.as_str().ok_or(Issue::InvalidType)? {
            "me" => Ok(Self(Person::Me)),
            _ => UserId::read(value).map(|id| Self(Person::User(id))),
        }
    }
}

routes! {
    /// Searches pages, records, databases and comments.
    ///
    /// All words must be in one page, record, database or thread: in its title, its text, the values of a record, or the
    /// comments and replies of a thread. Case, accents and punctuation make no difference. Results whose whole title was
    /// searched for come first, then those with all words in the title. What the caller may not view is neither found nor counted; apps
    /// find what they have scopes for. A change is found within a second.
    GET "/search" as searchWorkspace => find {
        caller: Inside(RouteAccess::ANYBODY),
        limits: [],
        takes: (query: Query<SearchQuery>),
        answers: { 200: SearchReply },
        refusals: [
            Fault::UnknownId("parentId"),
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::Timeout),
            Fault::IndexBehind,
        ],
        events: [],
    }
}

async fn find(mut dispatcher: Dispatcher, call: Call, query: Draft<SearchQuery>) -> Answer {
    let pager = dispatcher.take_pager();
    let wanted = query.map(SearchQuery::request);
    let flow = move |engine: Arc<octavo_app::Engine>, call: Call| async move {
        let SearchPage { units, total, next } = search::search(&engine, call, wanted).await?;
        let next_cursor = next.and_then(|place| pager.map(|pager| pager.seal.seal(&place)));
        let data = units.into_iter().map(ResultReply::from).collect();
        Ok(Reply::json(200, &Written(&SearchReply { data, next_cursor, total: total.into() })))
    };
    dispatcher.computing().flow(call, flow).await
}

impl SearchQuery {
    fn request(self) -> SearchRequest {
        let kinds = chosen(self.types, ResultType::ALL);
        let fields = chosen(self.fields, ResultField::ALL);
        SearchRequest {
            query: self.q.map(|words| words.0),
            kinds: kinds.into_iter().map(kind_of).collect(),
            fields: fields.into_iter().map(field_of).collect::<Fields>(),
            team: self.team_id,
            parent: self.parent_id,
            database: self.database_id,
            created_by: self.created_by.map(|person| person.0),
            updated_by: self.updated_by.map(|person| person.0),
            created: TimeRange { from: self.created_after, before: self.created_before },
            updated: TimeRange { from: self.updated_after, before: self.updated_before },
            with_archived: self.include_archived.unwrap_or(false),
            order: self.sort.map(order_of),
            after: self.page.after,
            limit: self.page.limit,
        }
    }
}

/// Nothing chosen means everything.
fn chosen<T: Copy>(listed: Option<Listed<T>>, all: &[T]) -> Vec<T> {
    listed.map(|listed| listed.0).filter(|listed| !listed.is_empty()).unwrap_or_else(|| all.to_vec())
}

const fn kind_of(kind: ResultType) -> UnitKind {
    match kind {
        ResultType::Page => UnitKind::Page,
        ResultType::Record => UnitKind::Record,
        ResultType::Database => UnitKind::Database,
        ResultType::Comment => UnitKind::Comment,
    }
}

const fn type_of(key: UnitKey) -> ResultType {
    match key.kind() {
        UnitKind::Page => ResultType::Page,
        UnitKind::Record => ResultType::Record,
        UnitKind::Database => ResultType::Database,
        UnitKind::Comment => ResultType::Comment,
    }
}

const fn field_of(field: ResultField) -> Field {
    match field {
        ResultField::Title => Field::Title,
        ResultField::Text => Field::Text,
        ResultField::Property => Field::Property,
        ResultField::Comment => Field::Comment,
    }
}

const fn name_of(field: Field) -> ResultField {
    match field {
        Field::Title => ResultField::Title,
        Field::Text => ResultField::Text,
        Field::Property => ResultField::Property,
        Field::Comment => ResultField::Comment,
    }
}

const fn order_of(order: ResultOrder) -> Order {
    match order {
        ResultOrder::Relevance => Order::Relevance,
        ResultOrder::NewestChange => Order::NewestChange,
        ResultOrder::OldestChange => Order::OldestChange,
        ResultOrder::Newest => Order::Newest,
        ResultOrder::Oldest => Order::Oldest,
    }
}

impl From<Total> for TotalReply {
    fn from(total: Total) -> Self {
        Self { value: total.value as u64, exact: total.is_exact }
    }
}

impl From<FoundUnit> for ResultReply {
    fn from(unit: FoundUnit) -> Self {
        Self {
            kind: type_of(unit.key),
            id: unit.key.to_string(),
            page_id: unit.page,
            database_id: unit.database,
            title: unit.title,
            icon: unit.icon,
            ancestors: unit.ancestors.into_iter().map(ResultAncestorReply::from).collect(),
            score: f64::from(unit.score) / 1000.0,
            highlights: unit.highlights.into_iter().map(HighlightReply::from).collect(),
            access_level: unit.level,
            created_by: unit.created_by,
            updated_by: unit.updated_by,
            created_at: unit.created_at,
            updated_at: unit.updated_at,
        }
    }
}

impl From<FoundAncestor> for ResultAncestorReply {
    fn from(FoundAncestor { id, title }: FoundAncestor) -> Self {
        Self { id, kind: id.kind(), title }
    }
}

impl From<Highlight> for HighlightReply {
    fn from(Highlight { field, block, property, text, ranges }: Highlight) -> Self {
        let ranges = ranges.into_iter().map(TextRange).collect();
        Self { field: name_of(field), block_id: block, property_id: property, text, ranges }
    }
}
