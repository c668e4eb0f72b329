//! At most one thing of few in each row.

use crate::number::narrow;
use std::{borrow::Borrow, collections::BTreeMap};

/// Codes for the things of a chunk: zero for none, otherwise one more than the place in the list of things. A chunk
/// has fewer rows than there are codes.
#[derive(Clone, Debug)]
pub(crate) struct Single<T> {
    pub(crate) codes: Vec<u16>,
    pub(crate) things: Vec<T>,
}

impl<T> Single<T> {
    pub(crate) fn get(&self, row: usize) -> Option<&T> {
        self.things.get(usize::from(self.codes[row].checked_sub(1)?))
    }

    /// What a function returns for each code.
    pub(crate) fn by_code<R>(&self, of: impl FnMut(Option<&T>) -> R) -> Vec<R> {
        std::iter::once(None).chain(self.things.iter().map(Some)).map(of).collect()
    }

    pub(crate) fn bytes(&self, beyond: impl Fn(&T) -> usize) -> usize {
        let things = self.things.capacity() * size_of::<T>() + self.things.iter().map(beyond).sum::<usize>();
        self.codes.capacity() * 2 + things
    }
}

#[derive(Clone, Debug)]
pub(crate) struct SingleBuilder<T> {
    column: Single<T>,
    known: BTreeMap<T, u16>,
}

impl<T: Ord + Clone> SingleBuilder<T> {
    pub(crate) fn new() -> Self {
        Self { column: Single { codes: Vec::new(), things: Vec::new() }, known: BTreeMap::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.column.codes.len()
    }

    pub(crate) fn push<Q: Ord + ?Sized>(&mut self, thing: Option<&Q>)
    where
        T: Borrow<Q> + for<'a> From<&'a Q>,
    {
        let code = match thing {
            None => 0,
            Some(thing) => match self.known.get(thing) {
                Some(code) => *code,
                None => self.learn(T::from(thing)),
            },
        };
        self.column.codes.push(code);
    }

    pub(crate) fn push_owned(&mut self, thing: Option<T>) {
        let code = thing.map_or(0, |thing| self.known.get(&thing).copied().unwrap_or_else(|| self.learn(thing)));
        self.column.codes.push(code);
    }

    fn learn(&mut self, thing: T) -> u16 {
        let code = u16::try_from(narrow(self.column.things.len()) + 1).unwrap_or(u16::MAX);
        self.column.things.push(thing.clone());
        self.known.insert(thing, code);
        code
    }

    pub(crate) fn finish(mut self) -> Single<T> {
        self.column.codes.shrink_to_fit();
        self.column.things.shrink_to_fit();
        self.column
    }
}
