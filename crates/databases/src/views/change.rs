//! Changes of a view.

use super::{
    View,
    draft::read_position,
    fault::{ViewFault, ViewFindings, ViewRefusal},
    kinds::ViewType,
};
use crate::{
    query::{Columns, PageSize},
    read::{Fields, Origin, boolean, line, one_of},
};
use octavo_core_model::{Timestamp, id::PropertyId, text::ViewName};
use serde_json::{Map, Value};

impl View {
    /// The view after a merge patch; `None` if nothing changes.
    pub fn changed(
        &self,
        mut sent: Map<String, Value>,
        columns: Columns<'_>,
        now: Timestamp,
    ) -> Result<Option<Self>, ViewFault> {
        let mut findings = ViewFindings::default();
        let mut changed = self.clone();
        if let Some(config) = sent.remove("config") {
            changed.config = self.config.changed(&config, "", columns, &mut findings);
            changed.config.check_start(&mut findings);
        }
        changed.selection = self.selection.changed(&mut sent, "", self.kind(), columns, &mut findings);

        let mut flaws = Vec::new();
        let mut fields = Fields::new(sent, "", Origin::Caller, &mut flaws);
        if fields.optional("type", |sent| one_of(sent, ViewType::ALL)).is_some_and(|kind| kind != self.kind()) {
            findings.refusals.push(ViewRefusal::TypeImmutable);
        }
        if let Some(name) = fields.optional("name", |sent| line(sent, ViewName::parse, ViewName::MAX)) {
            changed.name = name;
        }
        let page_size = fields.nullable("pageSize", PageSize::read);
        changed.page_size = page_size.or(Some(self.page_size)).unwrap_or_default();
        if let Some(position) = fields.optional("position", read_position) {
            changed.position = position;
        }
        if let Some(is_locked) = fields.optional("isLocked", boolean) {
            changed.is_locked = is_locked;
        }
        findings.violations.append(&mut flaws);
        let changed = findings.or(Some(changed))?;

        let is_kept = (&changed.config, &changed.selection) == (&self.config, &self.selection);
        if self.is_locked && changed.is_locked && !is_kept {
            return Err(ViewFault::Locked);
        }
        Ok((changed != *self).then_some(Self { updated_at: now, ..changed }))
    }

    /// The view after a property was deleted, which changes locked views too; `None` if it does not name the property.
    pub fn without_property(&self, id: PropertyId, now: Timestamp) -> Option<Self> {
        let config = self.config.without_property(id);
        let selection = self.selection.without_property(id);
        if (&config, &selection) == (&self.config, &self.selection) {
            return None;
        }
        Some(Self { config, selection, updated_at: now, ..self.clone() })
    }
}
