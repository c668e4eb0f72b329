//! Which records a view shows, in which order and groups.

use super::{
    fault::{ViewFindings, ViewRefusal},
    kinds::{Grouping, ViewType},
};
use crate::query::{Columns, Filter, Findings, Group, QueryIssue, QueryRefusal, Sort};
use octavo_core_model::id::PropertyId;
use serde_json::{Map, Value};

/// Which records a view shows, in which order and groups.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Which records.
    pub filter: Option<Filter>,
    /// In which order.
    pub sort: Sort,
    /// In which groups; the type of the view allows them.
    pub group: Group,
}

impl Selection {
    /// Reads a merge patch of the three parts out of the fields of a view.
    pub(super) fn changed(
        &self,
        fields: &mut Map<String, Value>,
        at: &str,
        kind: ViewType,
        columns: Columns<'_>,
        findings: &mut ViewFindings,
    ) -> Self {
        let mut found = Findings::default();
        let mut changed = self.clone();
        if let Some(sent) = fields.remove("filter") {
            changed.filter = Filter::find(&sent, columns, &mut found);
        }
        if let Some(sent) = fields.remove("sort") {
            changed.sort = Sort::read(&sent, at, columns, &mut found);
        }
        if let Some(sent) = fields.remove("group") {
            changed.group = Group::read(&sent, at, columns, &mut found);
        }
        findings.add(found);
        changed.fit_group(kind, at, columns, findings);
        changed
    }

    fn fit_group(&mut self, kind: ViewType, at: &str, columns: Columns<'_>, findings: &mut ViewFindings) {
        let mut found = Findings::default();
        match kind.grouping() {
            Grouping::Levels => {}
            Grouping::Columns if columns.is_stored() => self.group = std::mem::take(&mut self.group).for_board(columns),
            Grouping::Columns => self.group.check_board(at, columns, &mut found),
            Grouping::Nowhere if self.group.is_empty() => {}
            Grouping::Nowhere if columns.is_stored() => self.group = Group::default(),
            Grouping::Nowhere => {
                let message = format!("views of the type {kind} have no groups");
                let refusal = QueryRefusal::new(QueryIssue::InvalidGroup, format!("{at}group"), message);
                findings.refusals.push(ViewRefusal::Query(refusal));
            }
        }
        findings.add(found);
    }

    /// What is left when a property is deleted.
    #[must_use]
    pub fn without_property(&self, id: PropertyId) -> Self {
        Self {
            filter: self.filter.as_ref().and_then(|filter| filter.without_property(id)),
            sort: self.sort.without_property(id),
            group: self.group.without_property(id),
        }
    }
}
