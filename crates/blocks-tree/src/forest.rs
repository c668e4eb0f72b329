//! A tree of blocks that grows while a document is parsed, within a budget.

use crate::{
    Body, MAX_DEPTH, Piece,
    refusal::{Budget, Refusal, Spent},
};

/// The open blocks, from the page to the innermost one.
pub(crate) struct Forest<S> {
    page: Vec<Piece>,
    open: Vec<Open<S>>,
    spent: Spent,
    budget: Budget,
}

struct Open<S> {
    /// Additional state of the parser for the block.
    shell: S,
    body: Body,
    children: Vec<Piece>,
}

impl<S> Forest<S> {
    pub(crate) fn new(budget: Budget) -> Self {
        Self { page: Vec::new(), open: Vec::new(), spent: Spent::default(), budget }
    }

    pub(crate) fn shell(&mut self) -> Option<&mut S> {
        self.open.last_mut().map(|open| &mut open.shell)
    }

    /// Replaces the content of the innermost open block.
    pub(crate) fn set_body(&mut self, body: Body) -> Result<(), Refusal> {
        self.spent.body(&body);
        if let Some(open) = self.open.last_mut() {
            open.body = body;
        }
        self.spent.check(self.budget)
    }

    pub(crate) fn body(&self) -> Option<&Body> {
        self.open.last().map(|open| &open.body)
    }

    pub(crate) const fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether the innermost open block is still empty.
    pub(crate) fn is_bare(&self) -> bool {
        self.open.last().map_or(&self.page, |open| &open.children).is_empty()
    }

    pub(crate) fn add(&mut self, body: Body) -> Result<(), Refusal> {
        self.spent.body(&body);
        self.count_block()?;
        self.siblings().push(Piece::new(body));
        Ok(())
    }

    pub(crate) fn open(&mut self, shell: S, body: Body) -> Result<(), Refusal> {
        self.spent.body(&body);
        self.push(shell, body)
    }

    /// Opens a block that the document contains as JSON. Its bytes count instead of its cells and marks, so that it may
    /// have as many of these as fit into a page.
    pub(crate) fn open_json(&mut self, shell: S, body: Body) -> Result<(), Refusal> {
        self.spent.json(&body);
        self.push(shell, body)
    }

    fn push(&mut self, shell: S, body: Body) -> Result<(), Refusal> {
        self.count_block()?;
        self.open.push(Open { shell, body, children: Vec::new() });
        Ok(())
    }

    /// Closes the innermost open block.
    pub(crate) fn close(&mut self) -> Option<S> {
        let Open { shell, body, children } = self.open.pop()?;
        self.siblings().push(Piece::new(body).with(children));
        Some(shell)
    }

    pub(crate) fn finish(mut self) -> Vec<Piece> {
        while self.close().is_some() {}
        self.page
    }

    fn siblings(&mut self) -> &mut Vec<Piece> {
        self.open.last_mut().map_or(&mut self.page, |open| &mut open.children)
    }

    fn count_block(&mut self) -> Result<(), Refusal> {
        self.spent.block();
        self.spent.check(self.budget)?;
        if self.open.len() >= MAX_DEPTH { Err(Refusal::TooDeep) } else { Ok(()) }
    }
}
