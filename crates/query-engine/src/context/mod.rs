//! What a query needs to know besides the records: who asks, when and where, and what things are called.

mod zone;

pub(crate) use zone::{Zone, date_of, month_of, number_of, week_of};

use chrono_tz::Tz;
use octavo_core_model::{
    Timestamp,
    id::{PropertyId, RecordId, UserId},
};
use octavo_databases::value::Moment;
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

/// What a query needs to know besides the records.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The time.
    pub now: Timestamp,
    /// The time zone in which days begin and end.
    pub zone: Tz,
    /// Who asks; `None` if that is no user.
    pub caller: Option<UserId>,
    /// The names of persons. Those without one are sorted before all others.
    pub persons: &'a BTreeMap<UserId, String>,
    /// Whether groups of persons are told apart by name only, without showing ids.
    pub persons_by_name: bool,
    /// What is known of the records that relations lead to, by property. Without an entry, all of them are visible and
    /// have no titles.
    pub relations: &'a BTreeMap<PropertyId, Relation<'a>>,
    /// Records of the table that the caller must not see.
    pub hidden: &'a BTreeSet<RecordId>,
}

static NO_PERSONS: BTreeMap<UserId, String> = BTreeMap::new();
static NO_RECORDS: BTreeSet<RecordId> = BTreeSet::new();

impl Context<'_> {
    /// Nobody asks, no names are known and nothing is hidden.
    pub fn new(now: Timestamp, zone: Tz) -> Self {
        const NO_RELATIONS: &BTreeMap<PropertyId, Relation<'_>> = &BTreeMap::new();
        Self {
            now,
            zone,
            caller: None,
            persons: &NO_PERSONS,
            persons_by_name: false,
            relations: NO_RELATIONS,
            hidden: &NO_RECORDS,
        }
    }
}

/// When a date begins: a day begins in this time zone.
pub fn beginning(moment: Moment, zone: Tz) -> Timestamp {
    match moment {
        Moment::Day(day) => Timestamp::from_millis(Zone::new(zone).midnight(day.midnight().millis())),
        Moment::Instant(time) => time,
    }
}

/// What is known of the records that a relation leads to.
#[derive(Clone, Copy)]
pub struct Relation<'a> {
    /// Their titles.
    pub titles: &'a dyn Titles,
    /// Which of them the caller sees.
    pub visible: Visible<'a>,
}

/// Which linked records a caller sees.
#[derive(Clone, Copy, Debug)]
pub enum Visible<'a> {
    /// All.
    All,
    /// None.
    Nothing,
    /// All but these.
    AllBut(&'a BTreeSet<RecordId>),
}

impl Visible<'_> {
    pub(crate) fn shows(self, id: RecordId) -> bool {
        match self {
            Self::All => true,
            Self::Nothing => false,
            Self::AllBut(hidden) => !hidden.contains(&id),
        }
    }
}

/// Where the titles of records are found.
pub trait Titles {
    /// The title of a record; `None` if it is unknown.
    fn title(&self, id: RecordId) -> Option<Cow<'_, str>>;
}

impl Titles for BTreeMap<RecordId, String> {
    fn title(&self, id: RecordId) -> Option<Cow<'_, str>> {
        self.get(&id).map(|title| Cow::Borrowed(title.as_str()))
    }
}
