//! A whole query.

use super::{Aggregate, Columns, Filter, Group, PageSize, QueryFault, Sort, UNKNOWN_PROPERTY, fault::Findings};
use crate::{
    read::{Fields, Flaw, Origin, boolean},
    schema::Schema,
};
use octavo_core_model::{fault::Issue, id::PropertyId};
use serde_json::{Map, Value};

/// A query without the place where it continues.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// The properties to show, each once; `None` for all visible ones.
    pub select: Option<Vec<PropertyId>>,
    /// Which records are found.
    pub filter: Option<Filter>,
    /// By what they are sorted; otherwise by their positions.
    pub sort: Sort,
    /// By what they are grouped.
    pub group: Group,
    /// What is computed over all of them.
    pub aggregates: Vec<Aggregate>,
    /// Whether the same is computed for each group.
    pub per_group: bool,
    /// Whether archived records are found.
    pub include_archived: bool,
    /// How many records one answer has.
    pub page_size: PageSize,
}

impl Query {
    /// Reads the body of a query. Fields that it does not know are left to others.
    pub fn read(sent: Map<String, Value>, columns: Columns<'_>) -> Result<Self, QueryFault> {
        let mut findings = Findings::default();
        let mut flaws = Vec::new();
        let mut fields = Fields::new(sent, "", Origin::Caller, &mut flaws);
        let select = read_select(&mut fields, columns.schema());
        let per_group = fields.nullable("perGroup", boolean).or(None).unwrap_or_default();
        let include_archived = fields.nullable("includeArchived", boolean).or(None).unwrap_or_default();
        let page_size = fields.nullable("pageSize", PageSize::read).or(None).unwrap_or_default();
        let mut part = |name: &str| fields.take(name).unwrap_or(Value::Null);
        let (filter, sort, group, aggregate) = (part("filter"), part("sort"), part("group"), part("aggregate"));
        findings.violations.append(&mut flaws);
        let query = Self {
            select,
            filter: Filter::find(&filter, columns, &mut findings),
            sort: Sort::read(&sort, "", columns, &mut findings),
            group: Group::read(&group, "", columns, &mut findings),
            aggregates: Aggregate::read_all(&aggregate, columns, &mut findings),
            per_group,
            include_archived,
            page_size,
        };
        findings.or(Some(query))
    }
}

/// Reads the properties to show.
fn read_select(fields: &mut Fields<'_>, schema: &Schema) -> Option<Vec<PropertyId>> {
    let list = fields.nullable("select", |sent| match sent {
        Value::Array(list) if list.len() <= Schema::MAX => Ok(list.clone()),
        Value::Array(_) => Err(Flaw::too_long(Schema::MAX)),
        _ => Err(Flaw::new(Issue::InvalidType)),
    });
    let list = list.or(None)?;
    let columns = Columns::by_id(schema);
    let mut ids = Vec::with_capacity(list.len());
    for (index, sent) in list.into_iter().enumerate() {
        match columns.find_in(&sent) {
            Some(property) if ids.contains(&property.id) => {}
            Some(property) => ids.push(property.id),
            None => {
                let issue = if sent.is_string() { Issue::InvalidValue } else { Issue::InvalidType };
                let flaw = Flaw::new(issue).ruled(&[UNKNOWN_PROPERTY]);
                fields.refuse(&format!("select.{index}"), flaw, Some(sent));
            }
        }
    }
    Some(ids)
}
