//! Reading of widgets.

use super::{Content, DashboardFault, LayoutProblem, Place, Widget, WidgetType, Widgets, layout::overlaps};
use octavo_core_model::{
    fault::{Issue, Violation},
    id::{ChartId, ViewId, WidgetId},
    text::WidgetTitle,
};
use octavo_databases::read::{Fields, Flaw, Origin, Sent, id, line, one_of, text, whole};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Where the ids of widgets come from.
pub struct WidgetIds<'a> {
    /// The ids that the dashboard has already. A widget that is sent with one of them keeps it.
    pub known: BTreeSet<WidgetId>,
    /// Makes a new id.
    pub draw: &'a mut dyn FnMut() -> WidgetId,
}

impl WidgetIds<'_> {
    /// The id of a widget: the one that was sent, once, if it is known; otherwise a new one.
    fn take(&mut self, sent: Option<WidgetId>) -> WidgetId {
        sent.filter(|id| self.known.remove(id)).unwrap_or_else(|| (self.draw)())
    }
}

impl Widgets {
    /// Reads the field `widgets`.
    pub fn read(sent: &Value, ids: &mut WidgetIds<'_>) -> Result<Self, DashboardFault> {
        read(sent, ids, Origin::Caller)
    }

    /// Widgets from the store. What cannot be read any more is left out.
    pub fn from_stored(stored: &Value) -> Self {
        let list = stored.as_array().map(Vec::as_slice).unwrap_or_default();
        let named = |widget: &Value| widget.get("id")?.as_str()?.parse().ok();
        let known = list.iter().filter_map(named).collect();
        let mut ids = WidgetIds { known, draw: &mut || WidgetId::LOWEST };
        read(stored, &mut ids, Origin::Store).unwrap_or_default()
    }
}

fn read(sent: &Value, ids: &mut WidgetIds<'_>, origin: Origin) -> Result<Widgets, DashboardFault> {
    let list = match sent {
        Value::Array(list) if list.len() <= Widgets::MOST => list,
        Value::Array(_) => return Err(invalid(Flaw::too_long(Widgets::MOST).at("widgets", None))),
        other => return Err(invalid(Flaw::new(Issue::InvalidType).at("widgets", Some(other.clone())))),
    };
    let (mut flaws, mut layout, mut widgets) = (Vec::new(), Vec::new(), Vec::with_capacity(list.len()));
    for (index, sent) in list.iter().enumerate() {
        let at = format!("widgets.{index}");
        let Value::Object(sent) = sent else {
            flaws.push(Flaw::new(Issue::InvalidType).at(at, Some(sent.clone())));
            continue;
        };
        match widget(sent.clone(), &at, ids, origin, &mut flaws) {
            Some(Ok(widget)) => widgets.push((index, widget)),
            Some(Err(message)) => layout.push(LayoutProblem { field: at, message }),
            None => {}
        }
    }
    if !flaws.is_empty() {
        return Err(DashboardFault::Invalid(flaws));
    }
    layout.extend(overlaps(&widgets));
    if layout.is_empty() {
        return Ok(Widgets(widgets.into_iter().map(|(_, widget)| widget).collect()));
    }
    Err(DashboardFault::Layout(layout))
}

fn invalid(flaw: Violation) -> DashboardFault {
    DashboardFault::Invalid(vec![flaw])
}

/// Reads a widget; `None` if it has flaws, and an error if it leaves the grid.
fn widget(
    sent: Map<String, Value>,
    at: &str,
    ids: &mut WidgetIds<'_>,
    origin: Origin,
    flaws: &mut Vec<Violation>,
) -> Option<Result<Widget, String>> {
    let before = flaws.len();
    let mut fields = Fields::new(sent, at, origin, flaws);
    let own = fields.nullable("id", |sent| id(sent, WidgetId::PREFIX)).or(None);
    let content = content(&mut fields);
    let title = fields.nullable("title", |sent| line(sent, WidgetTitle::parse, WidgetTitle::MAX)).or(None);
    let mut number = |name, least, most| fields.required(name, None, |sent| whole(sent, least..=most));
    let (x, y) = (number("x", 0, Place::COLUMNS - 1), number("y", 0, Place::LAST_ROW));
    let (width, height) = (number("w", 1, Place::COLUMNS), number("h", 1, Place::MOST_ROWS));
    if flaws.len() > before {
        return None;
    }
    let (content, x, y, width, height) = (content?, x?, y?, width?, height?);
    let place = Place::new(x, y, width, height);
    let place = place.ok_or_else(|| format!("`x + w` is at most {}", Place::COLUMNS));
    Some(place.map(|place| Widget { id: ids.take(own), content, title, place }))
}

/// Reads what a widget shows. The fields of other types are null or left out.
fn content(fields: &mut Fields<'_>) -> Option<Content> {
    let kind = fields.required("type", None, |sent| one_of(sent, WidgetType::ALL));
    let chart = fields.nullable("chartId", |sent| id::<ChartId>(sent, ChartId::PREFIX));
    let view = fields.nullable("viewId", |sent| id::<ViewId>(sent, ViewId::PREFIX));
    let text = fields.nullable("text", markdown);
    let kind = kind?;
    let mut only_of = |name, owner, is_sent| {
        if is_sent && kind != owner {
            let rule = format!("only in widgets of the type {owner}");
            fields.refuse(name, Flaw::new(Issue::InvalidValue).ruled(&[&rule]), None);
        }
    };
    only_of("chartId", WidgetType::Chart, is_sent(&chart));
    only_of("viewId", WidgetType::View, is_sent(&view));
    only_of("text", WidgetType::Text, is_sent(&text));
    let (name, content) = match kind {
        WidgetType::Chart => ("chartId", needed(chart).map(|id| id.map(Content::Chart))),
        WidgetType::View => ("viewId", needed(view).map(|id| id.map(Content::View))),
        WidgetType::Text => ("text", needed(text).map(|text| text.map(Content::Text))),
    };
    if content.is_none() {
        fields.refuse(name, Flaw::new(Issue::Required), None);
    }
    content.flatten()
}

const fn is_sent<T>(sent: &Sent<T>) -> bool {
    matches!(sent, Sent::Value(_))
}

/// The value, or `None` if nothing was sent. A flawed one was reported.
#[expect(clippy::option_option, reason = "a value can be missing or flawed")]
fn needed<T>(sent: Sent<T>) -> Option<Option<T>> {
    match sent {
        Sent::Absent | Sent::Null => None,
        Sent::Value(value) => Some(value),
    }
}

fn markdown(sent: &Value) -> Result<String, Flaw> {
    let sent = text(sent)?;
    if sent.chars().nth(Widgets::MOST_TEXT).is_some() {
        return Err(Flaw::too_long(Widgets::MOST_TEXT));
    }
    if sent.contains('\0') { Err(Flaw::new(Issue::InvalidFormat)) } else { Ok(sent.to_owned()) }
}
