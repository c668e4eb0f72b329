//! Building blocks from tags and texts.

mod blocks;
mod inline;

use super::names::{TagMeaning, meaning};
use crate::{
    Body, Kind, MarkKind, Piece, RichText,
    forest::Forest,
    refusal::{Budget, Refusal},
    run::Run,
};
use html5ever::tokenizer::{Tag, TagKind};

/// How many block-level tags may be open at the same time. Documents that people write never have more.
const MOST_OPEN: usize = 200;

/// The highest number with which a list may start.
const MOST_START: u64 = 999_999_999;

/// Additional state of an open block.
#[derive(Default)]
struct Shell {
    has_text: bool,
}

/// An open block-level tag.
struct Open {
    meaning: TagMeaning,
    /// How many blocks were open before it.
    depth: usize,
    /// The number of the next list item.
    start: Option<u64>,
}

#[derive(Default)]
struct Code {
    text: String,
    language: Option<String>,
    /// Whether a nested tag marks it as code again.
    is_tagged: bool,
}

#[derive(Default)]
struct Table {
    rows: Vec<Vec<RichText>>,
    /// Texts between cells, and content that cells cannot hold.
    stray: Vec<RichText>,
    has_head: bool,
    cells: usize,
    is_in_cell: bool,
}

pub(super) struct Build {
    budget: Budget,
    forest: Forest<Shell>,
    open: Vec<Open>,
    run: Run,
    /// How many tags of each mark are open.
    marks: Vec<(MarkKind, usize)>,
    is_linked: bool,
    heading: Option<Kind>,
    is_summary: bool,
    table: Option<Table>,
    /// How many tables are open inside the table; they become part of its cells.
    inner_tables: usize,
    code: Option<Code>,
    title: String,
    is_title: bool,
    /// The tag that hides its content, and how many of these are open.
    hidden: Option<(String, usize)>,
}

impl Build {
    pub(super) fn new(budget: Budget) -> Self {
        Self {
            budget,
            forest: Forest::new(budget),
            open: Vec::new(),
            run: Run::default(),
            marks: Vec::new(),
            is_linked: false,
            heading: None,
            is_summary: false,
            table: None,
            inner_tables: 0,
            code: None,
            title: String::new(),
            is_title: false,
            hidden: None,
        }
    }

    pub(super) fn finish(mut self) -> Result<(String, Vec<Piece>), Refusal> {
        self.end_code()?;
        self.end_table()?;
        self.end_text()?;
        Ok((self.title, self.forest.finish()))
    }

    pub(super) fn text(&mut self, text: &str) {
        if self.hidden.is_some() {
            return;
        }
        if self.is_title {
            self.title.push_str(text);
        } else if let Some(code) = &mut self.code {
            code.text.push_str(text);
        } else {
            self.words(text);
        }
    }

    /// White space becomes one space between words and is dropped at borders.
    fn words(&mut self, text: &str) {
        for letter in text.chars() {
            if !letter.is_ascii_whitespace() {
                self.run.push_letter(letter);
            } else if !self.run.text().is_empty() && !self.run.text().ends_with([' ', '\n']) {
                self.run.push_letter(' ');
            }
        }
    }

    pub(super) fn tag(&mut self, tag: &Tag) -> Result<(), Refusal> {
        let begins = tag.kind == TagKind::StartTag;
        let meaning = meaning(&tag.name);
        if let Some((name, count)) = &mut self.hidden {
            if *tag.name == **name {
                *count = if begins { *count + 1 } else { *count - 1 };
                if *count == 0 {
                    self.hidden = None;
                }
            }
            return Ok(());
        }
        if self.code.is_some() && !matches!(meaning, TagMeaning::Code) {
            self.tag_in_code(tag, &meaning, begins);
            return Ok(());
        }
        match (meaning, begins) {
            (TagMeaning::Nothing, true) if !(tag.self_closing && *tag.name == *"svg") => {
                self.hidden = Some((tag.name.to_string(), 1));
                Ok(())
            }
            (TagMeaning::Title, begins) => {
                self.is_title = begins;
                Ok(())
            }
            (TagMeaning::Mark(kind), begins) => {
                self.mark(kind, begins);
                Ok(())
            }
            (TagMeaning::Link, begins) => {
                self.link(begins.then(|| attribute(tag, "href")).flatten());
                Ok(())
            }
            (TagMeaning::Break, _) => {
                self.line();
                Ok(())
            }
            (TagMeaning::Image, true) => {
                self.image(tag);
                Ok(())
            }
            (TagMeaning::Checkbox, true) => self.checkbox(tag),
            (TagMeaning::Transparent | TagMeaning::Nothing | TagMeaning::Image | TagMeaning::Checkbox, _) => Ok(()),
            (meaning, begins) if self.table.is_some() => self.tag_in_table(&meaning, begins),
            (meaning, begins) => self.block_tag(meaning, begins, tag),
        }
    }

    fn tag_in_code(&mut self, tag: &Tag, meaning: &TagMeaning, begins: bool) {
        let Some(code) = &mut self.code else { return };
        match meaning {
            TagMeaning::Break => code.text.push('\n'),
            TagMeaning::Mark(MarkKind::Code) if begins && code.text.trim().is_empty() => {
                let class = attribute(tag, "class").unwrap_or_default();
                let name = class.split_whitespace().find_map(|class| class.strip_prefix("language-"));
                code.language = name.map(|name| name.chars().take(50).collect());
                code.is_tagged = true;
            }
            _ => {}
        }
    }

    /// Blocks within a cell become lines of its text.
    fn tag_in_table(&mut self, meaning: &TagMeaning, begins: bool) -> Result<(), Refusal> {
        match (meaning, begins) {
            (TagMeaning::Table, true) => {
                self.inner_tables += 1;
                self.new_line();
            }
            (TagMeaning::Table, false) if self.inner_tables > 0 => self.inner_tables -= 1,
            (TagMeaning::Table, false) => return self.end_table(),
            (TagMeaning::Row, true) if self.inner_tables == 0 => {
                self.end_cell()?;
                if let Some(table) = &mut self.table {
                    table.rows.push(Vec::new());
                }
            }
            (TagMeaning::Cell { is_head }, true) if self.inner_tables == 0 => {
                self.end_cell()?;
                if let Some(table) = &mut self.table {
                    table.is_in_cell = true;
                    table.has_head |= *is_head && table.rows.len() <= 1;
                }
            }
            (TagMeaning::Row | TagMeaning::Cell { .. }, false) if self.inner_tables == 0 => return self.end_cell(),
            _ => self.new_line(),
        }
        Ok(())
    }

    fn block_tag(&mut self, meaning: TagMeaning, begins: bool, tag: &Tag) -> Result<(), Refusal> {
        self.end_text()?;
        match (meaning, begins) {
            (TagMeaning::Heading(kind), begins) => self.heading = begins.then_some(kind),
            (TagMeaning::Summary, begins) => self.is_summary = begins,
            (TagMeaning::Divider, true) => self.forest.add(Body::empty(Kind::Divider))?,
            (TagMeaning::Table, true) => self.table = Some(Table::default()),
            (TagMeaning::Code, begins) => {
                self.end_code()?;
                self.code = begins.then(Code::default);
            }
            (TagMeaning::Item, true) => self.begin_item()?,
            (meaning @ TagMeaning::List { is_numbered }, true) => {
                let start = attribute(tag, "start").and_then(|start| start.trim().parse::<u64>().ok());
                let start = start.filter(|start| is_numbered && *start != 1 && *start <= MOST_START);
                self.begin(meaning, start)?;
            }
            (meaning @ (TagMeaning::Quote | TagMeaning::Details), true) => {
                let kind = if meaning == TagMeaning::Quote { Kind::Quote } else { Kind::Toggle };
                self.begin(meaning, None)?;
                self.forest.open(Shell::default(), Body::empty(kind))?;
            }
            (
                meaning @ (TagMeaning::List { .. } | TagMeaning::Item | TagMeaning::Quote | TagMeaning::Details),
                false,
            ) => {
                self.end(&meaning);
            }
            _ => {}
        }
        Ok(())
    }
}

pub(super) fn attribute(tag: &Tag, name: &str) -> Option<String> {
    tag.attrs.iter().find(|attribute| *attribute.name.local == *name).map(|attribute| attribute.value.to_string())
}
