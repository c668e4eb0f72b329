//! Reading of settings.

use super::{
    Axis, ChartColor, ChartSettings, ChartSort, ChartType, Figure, Labels, Legend, LegendPosition, MaxPoints, Plane,
    Round,
};
use crate::fault::{ChartFault, ChartProblem};
use octavo_core_model::{
    fault::{Hint, Issue},
    id::PropertyId,
    text::Color,
};
use octavo_databases::{
    options::OptionColor,
    query::{Aggregate, AggregateFunction, BinWidth, Bucket, TimeBucket},
    read::{Fields, Flaw, Origin, boolean, id, one_of, text, whole},
    value::Number,
};
use serde_json::{Map, Value, json};

/// What stands for all records in place of a property.
const ALL_RECORDS: &str = "*";

/// The fields that a change replaces part by part. A filter is replaced as a whole.
const MERGED: [&str; 3] = ["axes", "aggregation", "legend"];

impl ChartSettings {
    /// Reads the settings of a new chart. Fields that it does not know are left to others.
    pub fn read(sent: Map<String, Value>) -> Result<Self, ChartFault> {
        read(sent, Origin::Caller)
    }

    /// The settings after a merge patch.
    pub fn changed(&self, mut sent: Map<String, Value>) -> Result<Self, ChartFault> {
        let Value::Object(mut merged) = self.to_json() else { return Ok(self.clone()) };
        for field in MERGED {
            if let Some(Value::Object(patch)) = sent.get_mut(field) {
                let patch = std::mem::take(patch);
                let before = merged.remove(field).unwrap_or_default();
                sent.insert(field.to_owned(), patched(before, patch));
            }
        }
        merged.extend(sent);
        read(merged, Origin::Caller)
    }

    /// Settings from the store; `None` if they are none.
    pub fn from_stored(stored: &Value) -> Option<Self> {
        read(stored.as_object()?.clone(), Origin::Store).ok()
    }
}

/// An object after a merge patch, in which null stays: whether it clears a field is for the reader to decide.
fn patched(before: Value, patch: Map<String, Value>) -> Value {
    let Value::Object(mut merged) = before else { return Value::Object(patch) };
    for (name, value) in patch {
        let value = match (merged.remove(&name), value) {
            (Some(before @ Value::Object(_)), Value::Object(patch)) => patched(of_same_property(before, &patch), patch),
            (_, value) => value,
        };
        merged.insert(name, value);
    }
    Value::Object(merged)
}

/// The ranges of an axis belong to its property: another one does not inherit them.
fn of_same_property(mut axis: Value, patch: &Map<String, Value>) -> Value {
    let names_another = patch.get("propertyId").is_some_and(|named| Some(named) != axis.get("propertyId"));
    if names_another && let Some(axis) = axis.as_object_mut() {
        axis.remove("bucket");
    }
    axis
}

fn read(sent: Map<String, Value>, origin: Origin) -> Result<ChartSettings, ChartFault> {
    let mut flaws = Vec::new();
    let mut fields = Fields::new(sent, "", origin, &mut flaws);
    let kind = fields.required("chartType", None, |sent| one_of(sent, ChartType::ALL));
    let axes = axes(&mut fields, kind);
    let aggregation = aggregation(&mut fields);
    let filter = fields.nullable("filter", |sent| match sent {
        Value::Object(_) => Ok(sent.clone()),
        _ => Err(Flaw::new(Issue::InvalidType)),
    });
    let filter = filter.or(None);
    let sort = fields.optional("sort", |sent| one_of(sent, ChartSort::ALL));
    let max_points = fields.optional("maxPoints", |sent| whole(sent, 1..=u32::from(MaxPoints::MOST)));
    let mut flag = |name, default| fields.optional(name, boolean).unwrap_or(default);
    let (include_empty, include_archived) = (flag("includeEmpty", true), flag("includeArchived", false));
    let (stacked, cumulative) = (flag("stacked", false), flag("cumulative", false));
    let color = fields.nullable("color", color).or(None);
    let legend = legend(&mut fields);
    if !flaws.is_empty() {
        return Err(ChartFault::Invalid(flaws));
    }
    // What is missing was reported.
    let (Some(kind), Some((x, series, labels)), Some(aggregation)) = (kind, axes, aggregation) else {
        return Err(ChartFault::Invalid(flaws));
    };
    Ok(ChartSettings {
        figure: figure(kind, x, series).map_err(|problem| ChartFault::Unfit(vec![problem]))?,
        labels,
        aggregation,
        filter,
        sort: sort.unwrap_or(ChartSort::KeyAscending),
        max_points: max_points.and_then(MaxPoints::new).unwrap_or_default(),
        include_empty,
        include_archived,
        stacked,
        cumulative,
        color,
        legend,
    })
}

type Axes = (Option<Axis>, Option<Axis>, Labels);

fn axes(fields: &mut Fields<'_>, kind: Option<ChartType>) -> Option<Axes> {
    let mut axes = fields.object("axes");
    let mut flawless = true;
    let (x, series) = (axis(&mut axes, "x", &mut flawless), axis(&mut axes, "series", &mut flawless));
    if flawless && x.is_none() && kind.is_some_and(|kind| kind != ChartType::Number) {
        axes.refuse("x", Flaw::new(Issue::Required), None);
    }
    let mut label = |name| axes.nullable(name, label).or(None);
    let (x_label, y_label) = (label("xLabel"), label("yLabel"));
    let mut number = |name| axes.nullable(name, number).or(None);
    let (y_min, y_max) = (number("yMin"), number("yMax"));
    if let (Some(min), Some(max)) = (y_min, y_max)
        && min >= max
    {
        axes.refuse("yMax", Flaw::new(Issue::InvalidValue).ruled(&["above yMin"]), Some(max.to_json()));
    }
    flawless.then_some((x, series, Labels { x: x_label, y: y_label, y_min, y_max }))
}

fn axis(axes: &mut Fields<'_>, name: &'static str, flawless: &mut bool) -> Option<Axis> {
    let sent = match axes.take(name) {
        None | Some(Value::Null) => return None,
        Some(Value::Object(sent)) => sent,
        Some(other) => {
            axes.refuse(name, Flaw::of_shape("an object `{ propertyId, bucket }`"), Some(other));
            *flawless = false;
            return None;
        }
    };
    let read = axes.within(name, sent, |fields| {
        let property = fields.required("propertyId", None, |sent| id(sent, PropertyId::PREFIX));
        let bucket = fields.nullable("bucket", bucket).or(None);
        Some(Axis { property: property?, bucket })
    });
    *flawless &= read.is_some();
    read
}

const BUCKETS: &str = "day, week, month, quarter or year for dates, or a number above 0 for numbers";

fn bucket(sent: &Value) -> Result<Bucket, Flaw> {
    match sent {
        Value::String(_) => one_of(sent, TimeBucket::ALL).map(Bucket::Time),
        Value::Number(number) => {
            let width = number.as_f64().and_then(BinWidth::new);
            width.map(Bucket::Number).ok_or_else(|| Flaw::new(Issue::TooSmall).ruled(&[BUCKETS]))
        }
        _ => Err(Flaw::of_shape(BUCKETS)),
    }
}

fn label(sent: &Value) -> Result<String, Flaw> {
    let label = text(sent)?;
    if label.chars().nth(Labels::MAX).is_some() {
        return Err(Flaw::too_long(Labels::MAX));
    }
    if label.chars().any(char::is_control) { Err(Flaw::new(Issue::InvalidFormat)) } else { Ok(label.to_owned()) }
}

fn number(sent: &Value) -> Result<Number, Flaw> {
    sent.as_f64().and_then(Number::new).ok_or(Flaw::new(Issue::InvalidType))
}

fn aggregation(fields: &mut Fields<'_>) -> Option<Aggregate> {
    let mut fields = fields.object("aggregation");
    let function = match fields.optional("fn", |sent| one_of(sent, AggregateFunction::ALL)) {
        None => AggregateFunction::Count,
        Some(function) => function,
    };
    let all_records = (function == AggregateFunction::Count).then_some(None);
    let named = fields.required("propertyId", all_records, |sent| match sent.as_str() {
        Some(ALL_RECORDS) if function == AggregateFunction::Count => Ok(None),
        Some(ALL_RECORDS) => Err(Flaw::new(Issue::InvalidValue).ruled(&["* only with COUNT"])),
        _ => id(sent, PropertyId::PREFIX).map(Some),
    });
    Some(named?.map_or(Aggregate::CountRecords, |property| Aggregate::OfProperty(property, function)))
}

fn color(sent: &Value) -> Result<ChartColor, Flaw> {
    let name = text(sent)?;
    if let Ok(named) = name.parse::<OptionColor>() {
        return Ok(ChartColor::Named(named));
    }
    let names = OptionColor::ALL.iter().map(ToString::to_string).chain(["#rrggbb".to_owned()]);
    Color::parse(name).map(ChartColor::Rgb).map_err(|_| Flaw::new(Issue::InvalidValue).hinting(Hint::one_of(names)))
}

fn legend(fields: &mut Fields<'_>) -> Legend {
    let (mut fields, default) = (fields.object("legend"), Legend::default());
    Legend {
        is_shown: fields.optional("show", boolean).unwrap_or(default.is_shown),
        position: fields.optional("position", |sent| one_of(sent, LegendPosition::ALL)).unwrap_or(default.position),
    }
}

fn figure(kind: ChartType, x: Option<Axis>, series: Option<Axis>) -> Result<Figure, ChartProblem> {
    let none = |field, axis: Option<Axis>| match axis {
        None => Ok(()),
        Some(_) => Err(ChartProblem::new(field, format!("a chart of the type {kind} has none"))),
    };
    let x = match (kind, x) {
        (ChartType::Number, x) => {
            none("axes.x", x)?;
            none("axes.series", series)?;
            return Ok(Figure::Number);
        }
        (_, Some(x)) => x,
        (_, None) => return Err(ChartProblem::new("axes.x", format!("a chart of the type {kind} needs a property"))),
    };
    let plane = match kind {
        ChartType::Bar => Plane::Bar,
        ChartType::Line => Plane::Line,
        ChartType::Area => Plane::Area,
        ChartType::Pie | ChartType::Donut | ChartType::Number => {
            none("axes.series", series)?;
            let round = if kind == ChartType::Donut { Round::Donut } else { Round::Pie };
            return Ok(Figure::Round(round, x));
        }
    };
    if series.is_some_and(|series| series.property == x.property && series.bucket == x.bucket) {
        return Err(ChartProblem::new("axes.series", "another property than that of the points"));
    }
    Ok(Figure::Plane(plane, x, series))
}

/// An example of settings, for descriptions and tests.
pub(crate) fn example() -> Value {
    json!({ "chartType": "bar", "axes": { "x": { "propertyId": PropertyId::EXAMPLE } } })
}
