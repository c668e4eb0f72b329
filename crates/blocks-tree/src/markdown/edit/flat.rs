//! A tree of blocks as a list, so that blocks can be named by index.

use crate::{Body, Piece};
use std::hash::{DefaultHasher, Hash, Hasher};

pub(super) struct Flat<'a> {
    pub(super) top: Vec<usize>,
    pub(super) blocks: Vec<Flattened<'a>>,
}

pub(super) struct Flattened<'a> {
    pub(super) piece: &'a Piece,
    pub(super) children: Vec<usize>,
    /// Equal for blocks with the same content.
    pub(super) hash: u64,
    /// Equal for blocks with the same content and the same descendants.
    pub(super) deep_hash: u64,
}

impl<'a> Flat<'a> {
    pub(super) fn of(pieces: &'a [Piece]) -> Self {
        let mut flat = Self { top: Vec::new(), blocks: Vec::new() };
        flat.top = flat.add(pieces);
        flat
    }

    /// Parents come before their children, in the order of the page.
    fn add(&mut self, pieces: &'a [Piece]) -> Vec<usize> {
        let mut added = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let at = self.blocks.len();
            let hash = hash(&piece.body);
            self.blocks.push(Flattened { piece, children: Vec::new(), hash, deep_hash: hash });
            let children = self.add(&piece.children);
            let mut deep = DefaultHasher::new();
            hash.hash(&mut deep);
            for child in &children {
                self.blocks[*child].deep_hash.hash(&mut deep);
            }
            self.blocks[at].deep_hash = deep.finish();
            self.blocks[at].children = children;
            added.push(at);
        }
        added
    }

    pub(super) fn body(&self, at: usize) -> &'a Body {
        &self.blocks[at].piece.body
    }
}

fn hash(body: &Body) -> u64 {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    hasher.finish()
}
