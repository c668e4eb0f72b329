//! Any number of things in each row.

use crate::number::{narrow, wide};
use std::collections::BTreeMap;

/// Lists of a chunk: the places of their things in the list of all things.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    /// Where each list begins, and the end of the last one.
    starts: Vec<u32>,
    codes: Vec<u32>,
    pub(crate) things: Vec<T>,
}

impl<T> Lists<T> {
    /// The codes of a row.
    pub(crate) fn codes(&self, row: usize) -> &[u32] {
        &self.codes[wide(self.starts[row])..wide(self.starts[row + 1])]
    }

    /// The things of a row.
    pub(crate) fn things(&self, row: usize) -> impl Iterator<Item = &T> {
        self.codes(row).iter().map(|code| &self.things[wide(*code)])
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn bytes(&self, beyond: impl Fn(&T) -> usize) -> usize {
        let things = self.things.capacity() * size_of::<T>() + self.things.iter().map(beyond).sum::<usize>();
        (self.starts.capacity() + self.codes.capacity()) * 4 + things
    }
}

#[derive(Clone, Debug)]
pub(crate) struct ListsBuilder<T> {
    column: Lists<T>,
    known: BTreeMap<T, u32>,
}

impl<T: Ord + Clone> ListsBuilder<T> {
    pub(crate) fn new() -> Self {
        Self { column: Lists { starts: vec![0], codes: Vec::new(), things: Vec::new() }, known: BTreeMap::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.column.len()
    }

    /// Adds a thing to the list that is not ended yet.
    pub(crate) fn add(&mut self, thing: T) {
        let code = match self.known.get(&thing) {
            Some(code) => *code,
            None => self.learn(thing),
        };
        self.column.codes.push(code);
    }

    fn learn(&mut self, thing: T) -> u32 {
        let code = narrow(self.column.things.len());
        self.column.things.push(thing.clone());
        self.known.insert(thing, code);
        code
    }

    /// Ends the list of a row.
    pub(crate) fn end(&mut self) {
        self.column.starts.push(narrow(self.column.codes.len()));
    }

    pub(crate) fn finish(mut self) -> Lists<T> {
        self.column.starts.shrink_to_fit();
        self.column.codes.shrink_to_fit();
        self.column.things.shrink_to_fit();
        self.column
    }
}

impl ListsBuilder<Box<str>> {
    /// Like [`Self::add`], for a text that is copied only the first time.
    pub(crate) fn add_text(&mut self, text: &str) {
        let code = match self.known.get(text) {
            Some(code) => *code,
            None => self.learn(text.into()),
        };
        self.column.codes.push(code);
    }
}
