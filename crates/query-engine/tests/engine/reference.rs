//! What queries mean, record by record, on decoded values. It shares nothing with the engine but the folding of texts.
// length: the whole meaning of a query, to be read from top to bottom

use crate::sample::{Computed, Record};
use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, TimeDelta, TimeZone};
use octavo_core_model::{
    Timestamp,
    id::{FileId, PropertyId, RecordId, UserId},
};
use octavo_databases::{
    Property, Schema, Values,
    query::{
        Aggregate, AggregateFunction, Comparison, Direction, Filter, Query, SortKey,
        comparison::{DateOperator, NumberOperator, RelativeDate, SetOperator, TextOperator},
    },
    stored::decode,
    text::folded,
    types::{Operator, PropertyType},
    value::{Day, Moment, PropertyValue},
};
use octavo_query_engine::{AggregateValue, Context, GroupKey, GroupValue, Item, Visible};
use std::cmp::Ordering;

/// A value of a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Empty,
    Text(String),
    Number(f64),
    /// Places in the order of options.
    Options(Vec<usize>),
    Date(Moment, Option<Moment>),
    Users(Vec<UserId>),
    Files(Vec<FileId>),
    Records(Vec<RecordId>),
    Checkbox(bool),
    Serial(u64),
    List(Vec<Item>),
}

pub(crate) struct Reference<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) context: &'a Context<'a>,
}

/// A record with its decoded values.
pub(crate) struct Decoded<'a> {
    pub(crate) record: &'a Record,
    values: Values,
}

impl<'a> Reference<'a> {
    pub(crate) fn decode(&self, records: &'a [Record]) -> Vec<Decoded<'a>> {
        let decode = |record: &'a Record| Decoded { record, values: decode(&record.bag, self.schema).unwrap() };
        records.iter().map(decode).collect()
    }

    fn property(&self, id: PropertyId) -> &'a Property {
        self.schema.property(id).unwrap()
    }

    pub(crate) fn cell(&self, record: &Decoded<'_>, property: PropertyId) -> Cell {
        let property = self.property(property);
        let facts = record.record;
        let time = |millis| Cell::Date(Moment::Instant(Timestamp::from_millis(millis)), None);
        let user = |user: Option<UserId>| user.map_or(Cell::Empty, |user| Cell::Users(vec![user]));
        match property.kind() {
            PropertyType::CreatedTime => time(facts.created_at),
            PropertyType::LastEditedTime => time(facts.edited_at),
            PropertyType::CreatedBy => user(facts.created_by),
            PropertyType::LastEditedBy => user(facts.edited_by),
            PropertyType::UniqueId => facts.number.map_or(Cell::Empty, Cell::Serial),
            PropertyType::Button => Cell::Empty,
            PropertyType::Checkbox => {
                Cell::Checkbox(record.values.get(property.slot) == Some(&PropertyValue::Checkbox(true)))
            }
            PropertyType::Relation => self.visible_links(record, property.id),
            PropertyType::Rollup | PropertyType::Formula => of_computed(facts.computed.get(&property.id)),
            _ => record.values.get(property.slot).map_or(Cell::Empty, |value| of_value(property, value)),
        }
    }

    fn visible_links(&self, record: &Decoded<'_>, property: PropertyId) -> Cell {
        let links = record.record.links.iter().find(|(known, _)| *known == property).map(|(_, links)| links.clone());
        let mut links = links.unwrap_or_default();
        if let Some(relation) = self.context.relations.get(&property) {
            links.retain(|link| match relation.visible {
                Visible::All => true,
                Visible::Nothing => false,
                Visible::AllBut(hidden) => !hidden.contains(link),
            });
        }
        if links.is_empty() { Cell::Empty } else { Cell::Records(links) }
    }

    /// The records that a query finds, in their order.
    pub(crate) fn find<'r>(
        &self,
        records: &'r [Decoded<'r>],
        query: &Query,
        parent: Option<RecordId>,
    ) -> Vec<&'r Decoded<'r>> {
        let mut found: Vec<_> = records
            .iter()
            .filter(|record| query.include_archived || !record.record.is_archived)
            .filter(|record| !self.context.hidden.contains(&record.record.id))
            .filter(|record| parent.is_none() || record.record.parent == parent)
            .filter(|record| query.filter.as_ref().is_none_or(|filter| self.holds(filter, record)))
            .collect();
        found.sort_by(|a, b| {
            let key = query.sort.keys().iter().map(|key| self.compare(a, b, *key)).find(|order| order.is_ne());
            let place =
                || (a.record.position.as_bytes(), a.record.id).cmp(&(b.record.position.as_bytes(), b.record.id));
            key.unwrap_or_else(place)
        });
        found
    }

    fn holds(&self, filter: &Filter, record: &Decoded<'_>) -> bool {
        match filter {
            Filter::All(conditions) => conditions.as_slice().iter().all(|filter| self.holds(filter, record)),
            Filter::Any(conditions) => conditions.as_slice().iter().any(|filter| self.holds(filter, record)),
            Filter::Not(condition) => !self.holds(condition, record),
            Filter::Leaf(leaf) => {
                let cell = self.cell(record, leaf.property);
                let property = self.property(leaf.property);
                match &leaf.comparison {
                    Comparison::IsEmpty => Self::is_empty(property, &cell),
                    Comparison::IsNotEmpty => !Self::is_empty(property, &cell),
                    comparison => {
                        let operator = comparison.operator();
                        let denies =
                            matches!(operator, Operator::IsNot | Operator::NotEquals | Operator::DoesNotContain);
                        denies != self.affirms(comparison, property, &cell)
                    }
                }
            }
        }
    }

    fn is_empty(property: &Property, cell: &Cell) -> bool {
        match property.kind() {
            PropertyType::Checkbox
            | PropertyType::CreatedTime
            | PropertyType::CreatedBy
            | PropertyType::LastEditedTime
            | PropertyType::LastEditedBy
            | PropertyType::UniqueId => false,
            _ => *cell == Cell::Empty,
        }
    }

    /// Whether the affirmed form of a condition holds. A record without value affirms nothing.
    fn affirms(&self, comparison: &Comparison, property: &Property, cell: &Cell) -> bool {
        match (comparison, cell) {
            (comparison, Cell::List(items)) => self.affirms_list(comparison, property, items),
            (Comparison::Text(operator, wanted), Cell::Text(text)) => affirms_text(*operator, text, wanted),
            (Comparison::Text(operator, wanted), Cell::Date(start, _)) => {
                let is_equality = matches!(
                    operator,
                    TextOperator::Is | TextOperator::IsNot | TextOperator::Equals | TextOperator::NotEquals
                );
                is_equality && Moment::parse(wanted).is_some_and(|wanted| self.order(*start, wanted).is_eq())
            }
            (Comparison::Number(operator, wanted), Cell::Number(number)) => {
                affirms_number(*operator, *number, wanted.get())
            }
            (Comparison::Checkbox(_, wanted), Cell::Checkbox(ticked)) => ticked == wanted,
            (Comparison::UniqueId(_, wanted), Cell::Serial(number)) => wanted.number == Some(*number),
            (Comparison::Option(_, wanted), Cell::Options(_)) => {
                Self::set(SetOperator::Is, &[Some(wanted.as_str())], cell, property)
            }
            (Comparison::Options(operator, wanted), Cell::Options(_)) => {
                let wanted: Vec<_> = wanted.as_slice().iter().map(|id| Some(id.as_str())).collect();
                Self::set(*operator, &wanted, cell, property)
            }
            (Comparison::Persons(operator, wanted), Cell::Users(users)) => {
                compare_sets(*operator, wanted.as_slice(), users)
            }
            (Comparison::IsCurrentUser, Cell::Users(users)) => {
                self.context.caller.is_some_and(|caller| users.contains(&caller))
            }
            (Comparison::Records(operator, wanted), Cell::Records(links)) => {
                compare_sets(*operator, wanted.as_slice(), links)
            }
            (Comparison::Files(_, wanted), Cell::Files(files)) => {
                compare_sets(SetOperator::Is, wanted.as_slice(), files)
            }
            (comparison, Cell::Date(start, end)) => self.affirms_date(comparison, *start, *end),
            _ => false,
        }
    }

    fn affirms_list(&self, comparison: &Comparison, property: &Property, items: &[Item]) -> bool {
        let each = |item: &Item| self.affirms(comparison, property, &of_item(item));
        match comparison.operator() {
            Operator::Is | Operator::IsNot | Operator::Equals | Operator::NotEquals => match comparison {
                Comparison::Text(..) | Comparison::Number(..) | Comparison::Checkbox(..) => items.iter().all(each),
                _ => false,
            },
            _ => matches!(comparison, Comparison::Text(..)) && items.iter().any(each),
        }
    }

    fn set(operator: SetOperator, wanted: &[Option<&str>], cell: &Cell, property: &Property) -> bool {
        let Cell::Options(found) = cell else { return false };
        let options = property.config.options().unwrap();
        // An option that does not exist is none that a record has.
        let wanted: Vec<_> = wanted
            .iter()
            .map(|id| options.list().iter().position(|option| Some(option.id.as_str()) == *id).unwrap_or(usize::MAX))
            .collect();
        compare_sets(operator, &wanted, found)
    }

    fn affirms_date(&self, comparison: &Comparison, start: Moment, end: Option<Moment>) -> bool {
        let today = self.day(Moment::Instant(self.context.now));
        let day = self.day(start);
        match comparison {
            Comparison::Span(_, wanted) => {
                let ends = match (end, wanted.end) {
                    (None, None) => true,
                    (Some(end), Some(wanted)) => self.order(end, wanted).is_eq(),
                    _ => false,
                };
                ends && self.order(start, wanted.start).is_eq()
            }
            Comparison::Date(operator, wanted) => {
                let order = self.order(start, *wanted);
                match operator {
                    DateOperator::Equals | DateOperator::NotEquals => order.is_eq(),
                    DateOperator::Before => order.is_lt(),
                    DateOperator::After => order.is_gt(),
                    DateOperator::OnOrBefore => order.is_le(),
                    DateOperator::OnOrAfter => order.is_ge(),
                }
            }
            Comparison::Between(first, last) => self.order(start, *first).is_ge() && self.order(start, *last).is_le(),
            Comparison::WithinNextDays(days) => {
                day >= today && day <= today.checked_add_days(Days::new(u64::from(*days))).unwrap()
            }
            Comparison::Relative(RelativeDate::IsThisWeek) => day.iso_week() == today.iso_week(),
            Comparison::Relative(RelativeDate::IsThisMonth) => {
                (day.year(), day.month()) == (today.year(), today.month())
            }
            Comparison::Relative(RelativeDate::IsPast) => match end.unwrap_or(start) {
                Moment::Day(day) => day.date() < today,
                Moment::Instant(time) => time < self.context.now,
            },
            Comparison::Relative(RelativeDate::IsFuture) => match start {
                Moment::Day(day) => day.date() > today,
                Moment::Instant(time) => time > self.context.now,
            },
            _ => false,
        }
    }

    fn day(&self, moment: Moment) -> NaiveDate {
        match moment {
            Moment::Day(day) => day.date(),
            Moment::Instant(time) => {
                let utc = chrono::DateTime::from_timestamp_millis(time.millis()).unwrap().naive_utc();
                self.context.zone.from_utc_datetime(&utc).date_naive()
            }
        }
    }

    /// By day when either side is one, else by time.
    fn order(&self, a: Moment, b: Moment) -> Ordering {
        match (a, b) {
            (Moment::Instant(a), Moment::Instant(b)) => a.cmp(&b),
            _ => self.day(a).cmp(&self.day(b)),
        }
    }

    /// When a day begins: at the first time of the day that exists.
    fn instant(&self, moment: Moment) -> i64 {
        let day = match moment {
            Moment::Instant(time) => return time.millis(),
            Moment::Day(day) => day.date(),
        };
        let midnight: NaiveDateTime = day.and_hms_opt(0, 0, 0).unwrap();
        let minutes = (0..2 * 24 * 60).map(|minutes| midnight + TimeDelta::minutes(minutes));
        let mut times = minutes.filter_map(|local| self.context.zone.from_local_datetime(&local).earliest());
        times.next().unwrap().timestamp_millis()
    }

    fn compare(&self, a: &Decoded<'_>, b: &Decoded<'_>, key: SortKey) -> Ordering {
        let property = self.property(key.property);
        let key_of = |record| self.sort_key(property, &self.cell(record, key.property));
        compare_keys(key_of(a), key_of(b), key.direction)
    }

    fn sort_key(&self, property: &Property, cell: &Cell) -> Option<RefKey> {
        let text = |text: &str| RefKey::Text(folded(text), text.to_owned());
        let is_computed = matches!(property.kind(), PropertyType::Rollup | PropertyType::Formula);
        let number = |rank: u8, number: f64| RefKey::Number(if is_computed { rank } else { 0 }, number);
        #[expect(clippy::cast_precision_loss, reason = "tests use small numbers")]
        Some(match cell {
            Cell::Empty => return None,
            Cell::Checkbox(ticked) => number(0, f64::from(u8::from(*ticked))),
            Cell::Number(found) => number(1, *found),
            Cell::Date(start, _) => number(2, self.instant(*start) as f64),
            Cell::Text(found) => text(found),
            Cell::Options(places) => number(0, places[0] as f64),
            Cell::Users(users) => text(self.context.persons.get(&users[0]).map_or("", String::as_str)),
            Cell::Records(links) => text(&self.title(property.id, links[0])),
            Cell::Files(files) => number(0, files.len() as f64),
            Cell::Serial(serial) => number(0, *serial as f64),
            Cell::List(items) => return self.sort_key(property, &of_item(items.first()?)),
        })
    }

    fn title(&self, property: PropertyId, record: RecordId) -> String {
        let relation = self.context.relations.get(&property);
        relation
            .and_then(|relation| relation.titles.title(record))
            .map(std::borrow::Cow::into_owned)
            .unwrap_or_default()
    }

    /// The groups of a record on one level.
    fn groups_of(&self, record: &Decoded<'_>, property: PropertyId) -> Vec<GroupValue> {
        let definition = self.property(property);
        let cell = self.cell(record, property);
        let of_day = |moment: Moment| GroupValue::Day(Day::new(self.day(moment)).unwrap());
        let mut groups = match cell {
            Cell::Empty => vec![GroupValue::Empty],
            Cell::Text(text) => vec![GroupValue::Text(text)],
            Cell::Number(number) => vec![GroupValue::Number(number)],
            Cell::Checkbox(ticked) => vec![GroupValue::Boolean(ticked)],
            Cell::Date(start, _) => vec![of_day(start)],
            Cell::Serial(number) => vec![GroupValue::Serial(number)],
            Cell::Options(places) => {
                let options = definition.config.options().unwrap().list();
                places.into_iter().map(|place| GroupValue::Option(options[place].id.clone())).collect()
            }
            Cell::Users(users) if self.context.persons_by_name => users
                .iter()
                .map(|user| GroupValue::PersonName(self.context.persons.get(user).cloned().unwrap_or_default()))
                .collect(),
            Cell::Users(users) => users.into_iter().map(GroupValue::Person).collect(),
            Cell::Records(links) => links.into_iter().map(GroupValue::Record).collect(),
            Cell::Files(_) => unreachable!("files cannot be grouped"),
            Cell::List(items) => items
                .iter()
                .map(|item| match of_item(item) {
                    Cell::Text(text) => GroupValue::Text(text),
                    Cell::Number(number) => GroupValue::Number(number),
                    Cell::Checkbox(boolean) => GroupValue::Boolean(boolean),
                    Cell::Date(start, _) => of_day(start),
                    _ => GroupValue::Empty,
                })
                .collect(),
        };
        let mut each = Vec::new();
        for group in groups.drain(..) {
            if !each.contains(&group) {
                each.push(group);
            }
        }
        each
    }

    fn group_key(&self, property: &Property, group: &GroupValue) -> Option<RefKey> {
        let cell = match group {
            GroupValue::Empty => return None,
            GroupValue::Text(text) => Cell::Text(text.clone()),
            GroupValue::Number(number) => Cell::Number(*number),
            GroupValue::Boolean(boolean) => Cell::Checkbox(*boolean),
            GroupValue::Day(day) => {
                let days = day.date().and_time(chrono::NaiveTime::MIN).and_utc().timestamp();
                #[expect(clippy::cast_precision_loss, reason = "it is exact")]
                return Some(RefKey::Number(2, days as f64));
            }
            GroupValue::Option(id) => {
                Cell::Options(vec![property.config.options().unwrap().index_of(id.as_str()).unwrap()])
            }
            GroupValue::Person(user) => Cell::Users(vec![*user]),
            GroupValue::PersonName(name) => return Some(RefKey::Text(folded(name), name.clone())),
            GroupValue::Record(record) => Cell::Records(vec![*record]),
            GroupValue::Serial(number) => Cell::Serial(*number),
        };
        self.sort_key(property, &cell)
    }

    /// The groups of the levels from `depth` on, with all records that are in them.
    pub(crate) fn groups<'r>(
        &self,
        records: &[&'r Decoded<'r>],
        query: &Query,
        depth: usize,
        with_empty_groups: bool,
    ) -> Vec<RefGroup> {
        let Some(key) = query.group.keys().get(depth) else { return Vec::new() };
        let property = self.property(key.property);
        let mut groups: Vec<(GroupValue, Vec<&Decoded<'_>>)> = Vec::new();
        if with_empty_groups && let Some(options) = property.config.options() {
            groups.extend(options.list().iter().map(|option| (GroupValue::Option(option.id.clone()), Vec::new())));
        }
        for record in records {
            for group in self.groups_of(record, key.property) {
                match groups.iter_mut().find(|(known, _)| *known == group) {
                    Some((_, records)) => records.push(record),
                    None => groups.push((group, vec![record])),
                }
            }
        }
        groups.sort_by(|(a, _), (b, _)| {
            let order = compare_keys(self.group_key(property, a), self.group_key(property, b), key.direction);
            order.then_with(|| match (a, b) {
                (GroupValue::Person(a), GroupValue::Person(b)) => a.cmp(b),
                (GroupValue::Record(a), GroupValue::Record(b)) => a.cmp(b),
                _ => Ordering::Equal,
            })
        });
        let show = |(value, records): (GroupValue, Vec<&'r Decoded<'r>>)| RefGroup {
            value,
            count: records.len() as u64,
            aggregates: if query.per_group { self.aggregates(&records, query) } else { Vec::new() },
            groups: self.groups(&records, query, depth + 1, false),
            records: if depth + 1 == query.group.keys().len() {
                records.iter().map(|record| record.record.id).collect()
            } else {
                Vec::new()
            },
        };
        groups.into_iter().map(show).collect()
    }

    pub(crate) fn aggregates(&self, records: &[&Decoded<'_>], query: &Query) -> Vec<AggregateValue> {
        query.aggregates.iter().map(|aggregate| self.aggregate(records, *aggregate)).collect()
    }

    fn aggregate(&self, records: &[&Decoded<'_>], aggregate: Aggregate) -> AggregateValue {
        #[expect(clippy::cast_precision_loss, reason = "tests have few records")]
        let count = |count: usize| AggregateValue::Number(count as f64);
        let Some(id) = aggregate.property() else { return count(records.len()) };
        let property = self.property(id);
        let cells: Vec<_> = records.iter().map(|record| self.cell(record, id)).collect();
        let numbers =
            || cells.iter().filter_map(|cell| if let Cell::Number(number) = cell { Some(*number) } else { None });
        let extreme = |wanted: Ordering| {
            let key = |cell: &Cell| match cell {
                Cell::Number(number) => Some((0, *number, false)),
                #[expect(clippy::cast_precision_loss, reason = "it is exact")]
                Cell::Date(start, _) => Some((1, self.instant(*start) as f64, matches!(start, Moment::Instant(_)))),
                _ => None,
            };
            let better = |a: (u8, f64, bool), b: (u8, f64, bool)| a.partial_cmp(&b) == Some(wanted);
            let keyed = cells.iter().filter_map(|cell| Some((key(cell)?, cell)));
            let best = keyed.reduce(|best, next| if better(next.0, best.0) { next } else { best });
            match best.map(|(_, cell)| cell) {
                Some(Cell::Number(number)) => AggregateValue::Number(*number),
                Some(Cell::Date(start, _)) => AggregateValue::Date(*start),
                _ => AggregateValue::Null,
            }
        };
        match aggregate.function() {
            AggregateFunction::Count => count(cells.iter().filter(|cell| !Self::is_empty(property, cell)).count()),
            AggregateFunction::Unique => {
                let mut all: Vec<_> = cells.into_iter().filter(|cell| *cell != Cell::Empty).map(identity).collect();
                all.sort();
                all.dedup();
                count(all.len())
            }
            AggregateFunction::Sum => AggregateValue::Number(exact_sum(numbers())),
            #[expect(clippy::cast_precision_loss, reason = "tests have few records")]
            AggregateFunction::Average => match numbers().count() {
                0 => AggregateValue::Null,
                values => AggregateValue::Number(exact_sum(numbers()) / values as f64),
            },
            AggregateFunction::Min => extreme(Ordering::Less),
            AggregateFunction::Max => extreme(Ordering::Greater),
        }
    }
}

/// A group with all of its records.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RefGroup {
    pub(crate) value: GroupValue,
    pub(crate) count: u64,
    pub(crate) aggregates: Vec<AggregateValue>,
    pub(crate) groups: Vec<Self>,
    pub(crate) records: Vec<RecordId>,
}

impl RefGroup {
    pub(crate) fn of(group: &octavo_query_engine::Group) -> Self {
        let GroupKey { value, .. } = &group.key;
        Self {
            value: value.clone(),
            count: group.count,
            aggregates: group.aggregates.clone(),
            groups: group.groups.iter().map(Self::of).collect(),
            records: group.records.clone(),
        }
    }

    /// Adds the records of the same groups of the next page.
    pub(crate) fn add(&mut self, other: &Self) {
        self.records.extend(&other.records);
        for (group, other) in self.groups.iter_mut().zip(&other.groups) {
            group.add(other);
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum RefKey {
    Number(u8, f64),
    Text(String, String),
}

fn compare_keys(a: Option<RefKey>, b: Option<RefKey>, direction: Direction) -> Ordering {
    let order = match (a, b) {
        (None, None) => return Ordering::Equal,
        (None, Some(_)) => return Ordering::Greater,
        (Some(_), None) => return Ordering::Less,
        (Some(RefKey::Number(a, x)), Some(RefKey::Number(b, y))) => a.cmp(&b).then(x.total_cmp(&y)),
        (Some(RefKey::Text(a, x)), Some(RefKey::Text(b, y))) => a.cmp(&b).then(x.cmp(&y)),
        (Some(RefKey::Number(..)), Some(RefKey::Text(..))) => Ordering::Less,
        (Some(RefKey::Text(..)), Some(RefKey::Number(..))) => Ordering::Greater,
    };
    if direction == Direction::Descending { order.reverse() } else { order }
}

fn affirms_text(operator: TextOperator, text: &str, wanted: &str) -> bool {
    let (text, wanted) = (folded(text), folded(wanted));
    match operator {
        TextOperator::Is | TextOperator::IsNot | TextOperator::Equals | TextOperator::NotEquals => text == wanted,
        TextOperator::Contains | TextOperator::DoesNotContain => text.contains(&wanted),
        TextOperator::StartsWith => text.starts_with(&wanted),
        TextOperator::EndsWith => text.ends_with(&wanted),
    }
}

fn affirms_number(operator: NumberOperator, number: f64, wanted: f64) -> bool {
    match operator {
        NumberOperator::GreaterThan => number > wanted,
        NumberOperator::LessThan => number < wanted,
        NumberOperator::GreaterOrEqual => number >= wanted,
        NumberOperator::LessOrEqual => number <= wanted,
        _ => (number - wanted).abs() == 0.0,
    }
}

fn compare_sets<T: PartialEq>(operator: SetOperator, wanted: &[T], found: &[T]) -> bool {
    let has_all = wanted.iter().all(|wanted| found.contains(wanted));
    match operator {
        SetOperator::ContainsAny => wanted.iter().any(|wanted| found.contains(wanted)),
        SetOperator::ContainsAll => has_all,
        _ => has_all && found.iter().all(|found| wanted.contains(found)),
    }
}

fn of_value(property: &Property, value: &PropertyValue) -> Cell {
    let place = |id: &str| property.config.options().and_then(|options| options.index_of(id));
    match value {
        PropertyValue::RichText(_) | PropertyValue::Text(_) | PropertyValue::Link(_) => {
            let text = value.text().unwrap();
            if text.is_empty() { Cell::Empty } else { Cell::Text(text.to_owned()) }
        }
        PropertyValue::Number(number) => Cell::Number(number.get()),
        PropertyValue::Option(id) => place(id.as_str()).map_or(Cell::Empty, |place| Cell::Options(vec![place])),
        PropertyValue::Options(ids) => {
            let places: Vec<_> = ids.iter().filter_map(|id| place(id.as_str())).collect();
            if places.is_empty() { Cell::Empty } else { Cell::Options(places) }
        }
        PropertyValue::Date(date) => Cell::Date(date.start, date.end),
        PropertyValue::Range(range) => Cell::Date(range.start, range.end),
        PropertyValue::Persons(users) => Cell::Users(users.clone()),
        PropertyValue::Checkbox(ticked) => Cell::Checkbox(*ticked),
        PropertyValue::Files(files) => Cell::Files(files.clone()),
    }
}

fn of_computed(computed: Option<&Computed>) -> Cell {
    match computed {
        None | Some(Computed::Null | Computed::Error(_)) => Cell::Empty,
        Some(Computed::Text(text)) if text.is_empty() => Cell::Empty,
        Some(Computed::List(items)) if items.is_empty() => Cell::Empty,
        Some(Computed::Number(number)) => Cell::Number(*number),
        Some(Computed::Text(text)) => Cell::Text(text.clone()),
        Some(Computed::Boolean(boolean)) => Cell::Checkbox(*boolean),
        Some(Computed::Date(moment)) => Cell::Date(*moment, None),
        Some(Computed::List(items)) => Cell::List(items.clone()),
    }
}

fn of_item(item: &Item) -> Cell {
    match item {
        Item::Number(number) => Cell::Number(*number),
        Item::Text(text) => Cell::Text(text.to_string()),
        Item::Boolean(boolean) => Cell::Checkbox(*boolean),
        Item::Date(moment) => Cell::Date(*moment, None),
    }
}

/// A text that differs for different values; lists count as sets.
fn identity(cell: Cell) -> String {
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list.dedup();
        list.join(",")
    };
    match cell {
        Cell::Options(places) => sorted(places.iter().map(ToString::to_string).collect()),
        Cell::Users(users) => sorted(users.iter().map(ToString::to_string).collect()),
        Cell::Files(files) => sorted(files.iter().map(ToString::to_string).collect()),
        Cell::Records(links) => sorted(links.iter().map(ToString::to_string).collect()),
        Cell::List(items) => format!("list {}", sorted(items.iter().map(|item| format!("{item:?}")).collect())),
        other => format!("{other:?}"),
    }
}

/// The nearest double to the sum, by adding without loss to a growing list of parts.
fn exact_sum(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut parts: Vec<f64> = Vec::new();
    for mut number in numbers {
        let mut kept = Vec::new();
        for part in parts {
            let (large, small) = if number.abs() < part.abs() { (part, number) } else { (number, part) };
            let sum = large + small;
            let lost = small - (sum - large);
            if lost != 0.0 {
                kept.push(lost);
            }
            number = sum;
        }
        kept.push(number);
        parts = kept;
    }
    // From the largest part down; the first addition that is not exact is the one that rounds, unless the next part
    // decides a tie.
    let Some(mut total) = parts.pop() else { return 0.0 };
    while let Some(part) = parts.pop() {
        let sum = total + part;
        let lost = part - (sum - total);
        total = sum;
        if lost != 0.0 {
            if let Some(next) = parts.last()
                && ((lost < 0.0 && *next < 0.0) || (lost > 0.0 && *next > 0.0))
            {
                let twice = lost * 2.0;
                let other = total + twice;
                if twice.to_bits() == (other - total).to_bits() {
                    total = other;
                }
            }
            break;
        }
    }
    total + 0.0
}
