//! Views that are to be created.

use super::{
    View,
    fault::{ViewFault, ViewFindings},
    kinds::{ViewConfig, ViewType},
    selection::Selection,
};
use crate::{
    query::{Columns, PageSize},
    read::{Fields, Flaw, Origin, boolean, line, one_of, text},
};
use octavo_core_model::{
    Timestamp,
    fault::Issue,
    id::{DatabaseId, ViewId},
    position::Position,
    text::ViewName,
};
use serde_json::{Map, Value};

/// A view that is to be created.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewDraft {
    /// What people see.
    pub name: ViewName,
    /// Its type and configuration.
    pub config: ViewConfig,
    /// Which records it shows, in which order and groups.
    pub selection: Selection,
    /// How many records one answer has.
    pub page_size: PageSize,
    /// Whether it is created locked.
    pub is_locked: bool,
    /// Its place among the views; `None` for the last one.
    pub position: Option<Position>,
}

/// How many views can be created together with their database.
pub const MAX_VIEWS_AT_ONCE: usize = 20;

impl ViewDraft {
    /// The view of a database for which none was sent.
    pub fn default_table() -> Self {
        Self {
            name: ViewName::from_stored("Table".to_owned()),
            config: ViewConfig::empty(ViewType::Table),
            selection: Selection::default(),
            page_size: PageSize::default(),
            is_locked: false,
            position: None,
        }
    }

    /// Reads the body of a request for one view.
    pub fn read(sent: Map<String, Value>, columns: Columns<'_>) -> Result<Self, ViewFault> {
        let mut findings = ViewFindings::default();
        let read = Self::find(sent, "", columns, &mut findings);
        findings.or(read)
    }

    /// Reads the views of a new database; without any it gets [`Self::default_table`].
    pub fn read_all(sent: &Value, columns: Columns<'_>) -> Result<Vec<Self>, ViewFault> {
        let mut findings = ViewFindings::default();
        let list = match sent {
            Value::Null => return Ok(vec![Self::default_table()]),
            Value::Array(list) if list.is_empty() => return Ok(vec![Self::default_table()]),
            Value::Array(list) if list.len() <= MAX_VIEWS_AT_ONCE => list,
            other => {
                let is_list = other.is_array();
                let flaw = if is_list { Flaw::too_long(MAX_VIEWS_AT_ONCE) } else { Flaw::new(Issue::InvalidType) };
                return Err(ViewFault::Invalid(vec![flaw.at("views", (!is_list).then(|| other.clone()))]));
            }
        };
        let mut drafts = Vec::with_capacity(list.len());
        for (index, sent) in list.iter().enumerate() {
            match sent {
                Value::Object(fields) => {
                    drafts.extend(Self::find(fields.clone(), &format!("views.{index}."), columns, &mut findings));
                }
                other => findings
                    .violations
                    .push(Flaw::new(Issue::InvalidType).at(format!("views.{index}"), Some(other.clone()))),
            }
        }
        findings.or(Some(drafts))
    }

    /// `at` is the path of the view, which is empty or ends with a dot.
    fn find(mut sent: Map<String, Value>, at: &str, columns: Columns<'_>, findings: &mut ViewFindings) -> Option<Self> {
        let config = sent.remove("config").unwrap_or_default();
        let mut parts: Map<_, _> = ["filter", "sort", "group"]
            .into_iter()
            .filter_map(|name| sent.remove(name).map(|part| (name.to_owned(), part)))
            .collect();
        let mut flaws = Vec::new();
        let mut fields = Fields::new(sent, at.trim_end_matches('.'), Origin::Caller, &mut flaws);
        let name = fields.required("name", None, |sent| line(sent, ViewName::parse, ViewName::MAX));
        let kind = fields.required("type", None, |sent| one_of(sent, ViewType::ALL));
        let page_size = fields.nullable("pageSize", PageSize::read).or(None).unwrap_or_default();
        let is_locked = fields.optional("isLocked", boolean).unwrap_or_default();
        let position = fields.nullable("position", read_position).or(None);
        findings.violations.append(&mut flaws);
        let kind = kind?;
        let config = ViewConfig::empty(kind).changed(&config, at, columns, findings);
        config.check_start(findings);
        let selection = Selection::default().changed(&mut parts, at, kind, columns, findings);
        Some(Self { name: name?, config, selection, page_size, is_locked, position })
    }

    /// The view that is created.
    pub fn made(self, id: ViewId, database: DatabaseId, position: Position, now: Timestamp) -> View {
        View {
            id,
            database,
            name: self.name,
            position,
            config: self.config,
            selection: self.selection,
            page_size: self.page_size,
            is_locked: self.is_locked,
            created_at: now,
            updated_at: now,
        }
    }
}

pub(super) fn read_position(sent: &Value) -> Result<Position, Flaw> {
    Position::parse(text(sent)?).map_err(|_| Flaw::of_pattern(Issue::InvalidPosition, "^[0-9A-Za-z]{1,100}$"))
}
