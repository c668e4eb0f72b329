//! Comparison of options, users, records and files as sets.

use crate::{
    bits::Bits,
    column::{Lists, Single},
    field::{Field, View},
    number::{narrow, wide},
};
use octavo_core_model::id::{FileId, RecordId, UserId};
use octavo_databases::{
    options::OptionId,
    query::comparison::{Equality, SetOperator},
};

/// A condition on sets.
pub(crate) struct SetTest<'a> {
    operator: SetOperator,
    wanted: Wanted<'a>,
    /// How many things are wanted, including those that do not exist.
    count: usize,
}

enum Wanted<'a> {
    /// The places of existing options.
    Options(Vec<u16>),
    Persons(Vec<UserId>),
    Records(&'a [RecordId]),
    Files(&'a [FileId]),
}

/// What a thing of a value is to a condition.
#[derive(Clone, Copy)]
enum Role {
    /// It no longer exists, or the caller does not see it.
    Gone,
    /// It is not wanted.
    Other,
    /// It is wanted, at this place.
    Wanted(u32),
}

impl From<EqualityOf> for SetOperator {
    fn from(EqualityOf(equality): EqualityOf) -> Self {
        match equality {
            Equality::Is => Self::Is,
            Equality::IsNot => Self::IsNot,
            Equality::Equals => Self::Equals,
            Equality::NotEquals => Self::NotEquals,
        }
    }
}

struct EqualityOf(Equality);

impl<'a> SetTest<'a> {
    pub(crate) fn option(operator: Equality, id: &OptionId, field: &Field<'_>) -> Self {
        Self::options(EqualityOf(operator).into(), std::slice::from_ref(id), field)
    }

    pub(crate) fn options(operator: SetOperator, ids: &[OptionId], field: &Field<'_>) -> Self {
        let place = |id: &OptionId| field.options()?.index_of(id.as_str());
        let places = ids.iter().filter_map(|id| u16::try_from(place(id)?).ok());
        Self { operator, wanted: Wanted::Options(places.collect()), count: ids.len() }
    }

    pub(crate) fn persons(operator: SetOperator, ids: &[UserId]) -> Self {
        Self { operator, wanted: Wanted::Persons(ids.to_vec()), count: ids.len() }
    }

    pub(crate) fn current_user(caller: Option<UserId>) -> Self {
        let wanted = Wanted::Persons(caller.into_iter().collect());
        Self { operator: SetOperator::ContainsAny, wanted, count: 1 }
    }

    pub(crate) const fn records(operator: SetOperator, ids: &'a [RecordId]) -> Self {
        Self { operator, wanted: Wanted::Records(ids), count: ids.len() }
    }

    pub(crate) fn files(operator: Equality, ids: &'a [FileId]) -> Self {
        Self { operator: EqualityOf(operator).into(), wanted: Wanted::Files(ids), count: ids.len() }
    }

    /// Whether a value meets the condition that has something else than what is wanted or not, and so many of the
    /// wanted things.
    const fn meets(&self, has_others: bool, has_wanted: usize) -> bool {
        match self.operator {
            SetOperator::Is | SetOperator::Equals => !has_others && has_wanted == self.count,
            SetOperator::IsNot | SetOperator::NotEquals => has_others || has_wanted != self.count,
            SetOperator::ContainsAny => has_wanted > 0,
            SetOperator::ContainsAll => has_wanted == self.count,
        }
    }

    pub(crate) fn rows(&self, field: &Field<'_>, view: &View<'_>, rows: usize) -> Bits {
        match (&self.wanted, view) {
            (Wanted::Options(wanted), View::Option(one)) => self.each(one, |option| of_option(field, wanted, option)),
            (Wanted::Options(wanted), View::Options(lists)) => {
                self.lists(lists, |option| of_option(field, wanted, option))
            }
            (Wanted::Persons(wanted), View::User(one)) => self.each(one, |user| find(wanted, user)),
            (Wanted::Persons(wanted), View::Persons(lists)) => self.lists(lists, |user| find(wanted, user)),
            (Wanted::Records(wanted), View::Records(lists)) => {
                self.lists(lists, |record| if field.shows(*record) { find(wanted, record) } else { Role::Gone })
            }
            (Wanted::Files(wanted), View::Files(lists)) => self.lists(lists, |file| find(wanted, file)),
            _ if self.meets(false, 0) => Bits::all(rows),
            _ => Bits::none(rows),
        }
    }

    fn each<T>(&self, one: &Single<T>, role: impl Fn(&T) -> Role) -> Bits {
        let is_met = one.by_code(|thing| match thing.map_or(Role::Gone, &role) {
            Role::Gone => self.meets(false, 0),
            Role::Other => self.meets(true, 0),
            Role::Wanted(_) => self.meets(false, 1),
        });
        Bits::collect(one.codes.len(), |row| is_met[usize::from(one.codes[row])])
    }

    fn lists<T>(&self, lists: &Lists<T>, role: impl Fn(&T) -> Role) -> Bits {
        let roles: Vec<_> = lists.things.iter().map(role).collect();
        // The row in which each wanted thing was last seen, so that it is counted once.
        let mut seen = vec![u32::MAX; self.count];
        Bits::collect(lists.len(), |row| {
            let (mut has_others, mut has_wanted) = (false, 0);
            for code in lists.codes(row) {
                match roles[wide(*code)] {
                    Role::Gone => {}
                    Role::Other => has_others = true,
                    Role::Wanted(place) => {
                        let last = &mut seen[wide(place)];
                        if *last != narrow(row) {
                            *last = narrow(row);
                            has_wanted += 1;
                        }
                    }
                }
            }
            self.meets(has_others, has_wanted)
        })
    }
}

fn of_option(field: &Field<'_>, wanted: &[u16], stored: &str) -> Role {
    field.option(stored).map_or(Role::Gone, |option| find(wanted, &option))
}

fn find<T: PartialEq>(wanted: &[T], thing: &T) -> Role {
    wanted.iter().position(|wanted| wanted == thing).map_or(Role::Other, |place| Role::Wanted(narrow(place)))
}
