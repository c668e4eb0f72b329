//! Starting and ending blocks.

use super::{Build, MOST_OPEN, Open, Shell, Table, attribute};
use crate::{Body, Kind, RichText, grid, html::read::names::TagMeaning, refusal::Refusal, run::cut_plain};
use html5ever::tokenizer::Tag;
use serde_json::{Map, Value};

impl Build {
    pub(super) fn begin(&mut self, meaning: TagMeaning, start: Option<u64>) -> Result<(), Refusal> {
        if self.open.len() >= MOST_OPEN {
            return Err(Refusal::TooDeep);
        }
        self.open.push(Open { meaning, depth: self.forest.depth(), start });
        Ok(())
    }

    /// Starts an item, and ends the previous one with everything that is still open in it.
    pub(super) fn begin_item(&mut self) -> Result<(), Refusal> {
        let list = self.open.iter().rposition(|open| matches!(open.meaning, TagMeaning::List { .. }));
        match list {
            Some(list) => self.close_above(list + 1),
            None => self.end(&TagMeaning::Item),
        }
        let list = list.and_then(|list| self.open.get_mut(list));
        let is_numbered = list.as_ref().is_some_and(|list| list.meaning == TagMeaning::List { is_numbered: true });
        let start = list.and_then(|list| list.start.take());
        let mut body = Body::empty(if is_numbered { Kind::NumberedList } else { Kind::BulletedList });
        if let Some(start) = start {
            body = body.with_field("start", Value::from(start));
        }
        self.begin(TagMeaning::Item, None)?;
        self.forest.open(Shell::default(), body)
    }

    /// Ends the innermost block that was opened by such a tag. An end tag in an item does not affect blocks outside
    /// of its list.
    pub(super) fn end(&mut self, meaning: &TagMeaning) {
        let is_list = |open: &Open| matches!(open.meaning, TagMeaning::List { .. });
        let fits = |open: &Open| {
            if matches!(meaning, TagMeaning::List { .. }) { is_list(open) } else { open.meaning == *meaning }
        };
        let Some(at) = self.open.iter().rposition(fits) else { return };
        let list = self.open.iter().rposition(is_list);
        if *meaning != TagMeaning::Item || list.is_none_or(|list| list < at) {
            self.close_above(at);
        }
    }

    fn close_above(&mut self, kept: usize) {
        let Some(depth) = self.open.get(kept).map(|open| open.depth) else { return };
        self.open.truncate(kept);
        while self.forest.depth() > depth {
            self.forest.close();
        }
    }

    pub(super) fn checkbox(&mut self, tag: &Tag) -> Result<(), Refusal> {
        let is_checkbox = attribute(tag, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"));
        let is_item = matches!(self.forest.body().map(Body::kind), Some(Kind::BulletedList | Kind::NumberedList));
        let is_first = self.run.text().trim().is_empty() && self.forest.is_bare();
        if !is_checkbox || !is_item || !is_first || self.forest.shell().is_none_or(|shell| shell.has_text) {
            return Ok(());
        }
        let checked = Value::Bool(attribute(tag, "checked").is_some());
        self.forest.set_body(Body::empty(Kind::Todo).with_property("checked", checked))
    }

    pub(super) fn end_text(&mut self) -> Result<(), Refusal> {
        self.run.trim_end();
        let texts = self.run.take_texts();
        for text in texts.into_iter().filter(|text| !text.text().trim().is_empty()) {
            self.add_text(text)?;
        }
        Ok(())
    }

    /// A text becomes the text of its item, quote or toggle if it comes first there and is not a heading.
    pub(super) fn add_text(&mut self, text: RichText) -> Result<(), Refusal> {
        let is_said = match self.forest.body().map(Body::kind) {
            Some(Kind::Toggle) => self.is_summary,
            Some(Kind::Paragraph) | None => false,
            Some(_) => self.heading.is_none(),
        };
        let is_first = self.forest.is_bare() && self.forest.shell().is_some_and(|shell| !shell.has_text);
        let Some(body) = self.forest.body().filter(|_| is_said && is_first) else {
            let kind = self.heading.unwrap_or(Kind::Paragraph);
            return self.forest.add(Body::with_text(kind, text));
        };
        let body = body.clone().with_new_text(text);
        if let Some(shell) = self.forest.shell() {
            shell.has_text = true;
        }
        self.forest.set_body(body)
    }

    pub(super) fn end_code(&mut self) -> Result<(), Refusal> {
        let Some(code) = self.code.take() else { return Ok(()) };
        let text = if code.is_tagged { &code.text } else { code.text.strip_prefix('\n').unwrap_or(&code.text) };
        let language = code.language.filter(|language| !language.is_empty()).unwrap_or_else(|| "plain".to_owned());
        for part in cut_plain(&text.strip_suffix('\n').unwrap_or(text).replace('\0', "\u{FFFD}")) {
            let content = [("code", Value::String(part)), ("language", Value::String(language.clone()))];
            let content = Map::from_iter(content.map(|(key, value)| (key.to_owned(), value)));
            self.forest.add(Body::from_stored(Kind::Code, content, Map::new()))?;
        }
        Ok(())
    }

    pub(super) fn end_cell(&mut self) -> Result<(), Refusal> {
        let Some(table) = &mut self.table else { return Ok(()) };
        self.run.trim_end();
        let mut texts = self.run.take_texts().into_iter();
        if table.is_in_cell {
            table.is_in_cell = false;
            table.cells += 1;
            if table.rows.is_empty() {
                table.rows.push(Vec::new());
            }
            if let (Some(row), Some(text)) = (table.rows.last_mut(), texts.next()) {
                row.push(text);
            }
        }
        table.stray.extend(texts.filter(|text| !text.is_empty()));
        self.budget.allow_cells(table.cells)
    }

    pub(super) fn end_table(&mut self) -> Result<(), Refusal> {
        self.end_cell()?;
        let Some(Table { mut rows, stray, has_head, .. }) = self.table.take() else { return Ok(()) };
        self.inner_tables = 0;
        for text in stray {
            self.add_text(text)?;
        }
        rows.retain(|row| !row.is_empty());
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        self.budget.allow_cells(rows.len() * width)?;
        if rows.is_empty() {
            return Ok(());
        }
        match grid::tables(rows, has_head) {
            Ok(bodies) => bodies.into_iter().try_for_each(|body| self.forest.add(body)),
            Err(rows) => {
                rows.into_iter().flatten().filter(|text| !text.is_empty()).try_for_each(|text| self.add_text(text))
            }
        }
    }
}
