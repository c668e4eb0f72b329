//! Databases and the values of records, as a browser shows them.

use super::{
    address::shared_page_address,
    label::{label, name},
};
use maud::{Markup, html};
use octavo_app::{
    records::{RecordDetails, facts_of},
    share_links::SharedTable,
};
use octavo_core_model::id::{RecordId, UserId};
use octavo_databases::{
    Cell, Property,
    cell::{CsvCell, Names},
    value::PropertyValue,
};
use std::borrow::Cow;

/// The most characters of a cell.
const MOST_CHARACTERS: usize = 200;

/// A database on a page: its name, which leads to its own page, above its first records.
pub(super) fn embedded(table: &SharedTable, token: &str) -> Markup {
    html! {
        p {
            strong {
                a href=(shared_page_address(token, Some(table.database.into()))) {
                    (label(&table.title, table.icon.as_ref()))
                }
            }
        }
        (rows(table, token))
    }
}

/// The first records of a database. A wide table scrolls within its own box, which can be reached with the keyboard.
pub(super) fn rows(table: &SharedTable, token: &str) -> Markup {
    html! {
        div .scroll role="group" aria-label=(name(table.title.as_str())) tabindex="0" {
            table {
                thead { tr { @for column in &table.columns { th scope="col" { (column.name.as_str()) } } } }
                tbody {
                    @for record in &table.records {
                        tr { @for column in &table.columns { td { (cell(table, record, column, token)) } } }
                    }
                }
            }
        }
        @if table.records.is_empty() { p .ink-gray { "There are no records." } }
        @if table.has_more { p .ink-gray { "Only the first " (table.records.len()) " records are shown." } }
    }
}

/// The values of the record that a page belongs to.
pub(super) fn values(table: &SharedTable) -> Markup {
    html! {
        @for record in &table.records {
            div .scroll role="group" aria-label="Properties" tabindex="0" {
                table {
                    tbody {
                        @for column in &table.columns {
                            tr { th scope="row" { (column.name.as_str()) } td { (text(table, record, column)) } }
                        }
                    }
                }
            }
        }
    }
}

fn cell(table: &SharedTable, record: &RecordDetails, column: &Property, token: &str) -> Markup {
    let text = text(table, record, column);
    html! {
        @if column.is_title() {
            a href=(shared_page_address(token, Some(record.record.id.page().into()))) { (name(&text)) }
        } @else { (text) }
    }
}

/// A value as a text, cut if it is long.
fn text(table: &SharedTable, record: &RecordDetails, column: &Property) -> String {
    let cell = facts_of(&record.record, &record.links, &record.computed).cell(column, &record.values);
    if let Cell::Value(PropertyValue::Checkbox(is_ticked)) = cell {
        return if *is_ticked { "\u{2713}".to_owned() } else { String::new() };
    }
    if cell == Cell::Empty {
        return String::new();
    }
    let names = Known(table);
    let text = CsvCell::of(&column.config, cell, &names).text;
    let mut characters = text.chars();
    let mut shown: String = characters.by_ref().take(MOST_CHARACTERS).collect();
    if characters.next().is_some() {
        shown.push('\u{2026}');
    }
    shown
}

/// The names of what a table mentions. Nothing is shown by its id.
struct Known<'a>(&'a SharedTable);

impl Names for Known<'_> {
    fn user(&self, id: UserId) -> Option<Cow<'_, str>> {
        Some(self.0.people.get(id).display_name.as_str().to_owned().into())
    }

    fn record(&self, id: RecordId) -> Option<Cow<'_, str>> {
        Some(name(self.0.titles.get(&id).map_or("", |title| title.as_str())).into())
    }
}
