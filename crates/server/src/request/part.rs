//! The parts of a request that a handler can receive.

use super::{AdmittedRequest, Upload, unknown_fields::Handling};
use crate::{
    entity_tag,
    wire::{
        Binding, CursorSeal, Encoding, Named, Pager, ParameterDoc, Parameters, QueryParameters, Readable, Reader,
        RequestBody,
    },
};
use actix_web::HttpMessage;
use octavo_app::Draft;
use octavo_core_model::{
    Fault,
    fault::{Hint, Issue, Violation},
    version::Expected,
};
use serde_json::{Map, Value, json};
use std::marker::PhantomData;

/// A part of a request: what a handler receives from it, and how the description shows it.
pub trait Part {
    type Extracted;

    fn extract(admitted: &mut AdmittedRequest) -> Self::Extracted;

    fn describe(inputs: &mut Inputs);
}

/// All inputs of a route, for the description.
#[derive(Debug, Default)]
pub struct Inputs {
    /// Schemas and examples of the path parameters, in their order.
    pub path: Vec<(Value, Value)>,
    pub query: Vec<ParameterDoc>,
    pub headers: Vec<ParameterDoc>,
    pub body: Option<BodyDoc>,
    /// The body is read as it arrives.
    pub bytes: bool,
    pub named: Named,
}

#[derive(Debug)]
pub struct BodyDoc {
    pub name: &'static str,
    pub schema: Value,
    pub example: Value,
    /// Finds what is wrong with a value as the body, as far as that is known before the use case runs.
    pub flaws: fn(&Value) -> Vec<Violation>,
}

/// The next parameter of the path. A malformed one is treated like the id of nothing.
#[derive(Debug)]
pub struct Path<T>(PhantomData<T>);

impl<T: Readable> Part for Path<T> {
    type Extracted = Draft<T>;

    fn extract(admitted: &mut AdmittedRequest) -> Draft<T> {
        admitted.next_segment().and_then(|text| T::read_text(text).ok()).ok_or(Fault::NotFound)
    }

    fn describe(inputs: &mut Inputs) {
        inputs.path.push((T::schema(), T::example()));
    }
}

/// The query. A list also passes its pager to the dispatcher.
#[derive(Debug)]
pub struct Query<T>(PhantomData<T>);

impl<T: QueryParameters> Part for Query<T> {
    type Extracted = Draft<T>;

    fn extract(admitted: &mut AdmittedRequest) -> Draft<T> {
        let mut parameters = Parameters::parse(admitted.query());
        let Some(limits) = T::PAGE else {
            let read = T::read(&mut parameters);
            return read.ok_or_else(|| Fault::Invalid(parameters.into_violations()));
        };
        let binding = parameters.binding(&admitted.holder(), &admitted.workspace(), &admitted.route_name());
        let seal = CursorSeal::new(admitted.keyring(), binding);
        let mut parameters = parameters.sealed_by(&seal);
        let read = T::read(&mut parameters);
        let limit = parameters.limit(limits);
        let draft = read.ok_or_else(|| Fault::Invalid(parameters.into_violations()));
        if let Some(limit) = limit {
            admitted.pager = Some(Pager { limit, seal: seal.clone() });
        }
        draft
    }

    fn describe(inputs: &mut Inputs) {
        inputs.query.extend(T::describe());
    }
}

/// Seals the places after which a list continues whose parameters are in the body.
#[derive(Debug)]
pub struct Cursors;

impl Part for Cursors {
    type Extracted = CursorSeal;

    fn extract(admitted: &mut AdmittedRequest) -> CursorSeal {
        let binding = Binding::new(&admitted.holder(), &admitted.workspace(), &admitted.route_name(), []);
        CursorSeal::new(admitted.keyring(), binding)
    }

    fn describe(_: &mut Inputs) {}
}

/// The body, a JSON object. A missing one counts as empty, so that its flaws are those of missing fields.
#[derive(Debug)]
pub struct Body<T>(PhantomData<T>);

impl<T: RequestBody> Part for Body<T> {
    type Extracted = Draft<T>;

    fn extract(admitted: &mut AdmittedRequest) -> Draft<T> {
        let is_form = admitted.encoding == Some(Encoding::Form);
        let handling = Handling::preferred(admitted.headers());
        let (read, flaws) = match &mut admitted.body {
            None => read_whole(Reader::over(&Map::new())),
            Some(Value::Object(fields)) if is_form => read_whole(Reader::over(&with_lists::<T>(fields.clone()))),
            Some(Value::Object(fields)) => read_whole(Reader::taking(fields)),
            Some(other) => return Err(no_object(other).into()),
        };
        let (draft, reading) = handling.decide(read, flaws);
        admitted.request.extensions_mut().insert(reading);
        draft
    }

    fn describe(inputs: &mut Inputs) {
        inputs.headers.push(ParameterDoc {
            name: "Prefer",
            about: "`handling=strict` refuses fields of the body that the route does not know (400, `unknown_field`). Without it they are ignored, and \
                    `X-Unknown-Fields` of the answer names them."
                .to_owned(),
            required: false,
            schema: json!({ "type": "string" }),
            example: json!("handling=strict"),
        });
        T::collect(&mut inputs.named);
        inputs.body = Some(BodyDoc { name: T::NAME, schema: T::schema(), example: T::example(), flaws: flaws_of::<T> });
    }
}

/// The part of a body that decides which right the call needs. It is parsed separately, so that a caller without the
/// right learns only that, whatever else is wrong with the body. The route also has the whole body as a [`Body`]
/// after this part: that one reports the flaws of this part again, and takes its fields out of the body.
#[derive(Debug)]
pub struct EarlyFields<T>(PhantomData<T>);

impl<T: RequestBody> Part for EarlyFields<T> {
    type Extracted = Draft<T>;

    fn extract(admitted: &mut AdmittedRequest) -> Draft<T> {
        match &admitted.body {
            None => read_some(Reader::over(&Map::new())),
            Some(Value::Object(fields)) => read_some(Reader::over(fields)),
            Some(other) => Err(no_object(other).into()),
        }
    }

    fn describe(_inputs: &mut Inputs) {}
}

/// Reads all fields of a body, with a violation for each unknown one.
fn read_whole<T: RequestBody>(mut reader: Reader<'_>) -> (Option<T>, Vec<Violation>) {
    let read = T::read_fields(&mut reader);
    (read, reader.into_all_violations())
}

/// Reads some fields of a body.
fn read_some<T: RequestBody>(mut reader: Reader<'_>) -> Draft<T> {
    let read = T::read_fields(&mut reader);
    read.ok_or_else(|| Fault::Invalid(reader.into_violations()))
}

fn flaws_of<T: RequestBody>(body: &Value) -> Vec<Violation> {
    let Value::Object(fields) = body else { return vec![no_object(body)] };
    let mut reader = Reader::over(fields);
    drop(T::read_fields(&mut reader));
    reader.into_violations()
}

/// A body that is not an object is quoted in the answer, unless it contains objects, which may contain secrets.
fn no_object(body: &Value) -> Violation {
    let violation = Violation::new("body", Issue::InvalidType);
    let holds_more = |item: &Value| item.is_object() || item.is_array();
    if body.as_array().is_some_and(|items| items.iter().any(holds_more)) {
        violation
    } else {
        violation.with(body.clone())
    }
}

/// A form cannot distinguish a list of one value from a value; the description of the body can.
fn with_lists<T: RequestBody>(mut fields: Map<String, Value>) -> Map<String, Value> {
    let mut named = Named::new();
    T::collect(&mut named);
    let properties = named.get(T::NAME).and_then(|schema| schema.get("properties"));
    for (name, value) in &mut fields {
        let kind = properties.and_then(|properties| properties.get(name)?.get("type"));
        if value.is_string() && kind.is_some_and(|kind| kind == "array") {
            *value = Value::Array(vec![value.take()]);
        }
    }
    fields
}

/// The body as it arrives, for routes with `bodies: Bodies::Bytes`.
impl Part for Upload {
    type Extracted = Self;

    fn extract(admitted: &mut AdmittedRequest) -> Self {
        admitted.upload.take().unwrap_or_else(Self::empty)
    }

    fn describe(inputs: &mut Inputs) {
        inputs.bytes = true;
    }
}

/// The `X-Confirm` header, in which a caller names what is to be deleted.
#[derive(Debug)]
pub struct Confirmation;

impl Part for Confirmation {
    type Extracted = Option<String>;

    fn extract(admitted: &mut AdmittedRequest) -> Option<String> {
        let value = admitted.headers().get("x-confirm")?;
        Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
    }

    fn describe(inputs: &mut Inputs) {
        inputs.headers.push(ParameterDoc {
            name: "X-Confirm",
            about: "Spells out what is to be deleted: `DELETE` and the id.".to_owned(),
            required: true,
            schema: json!({ "type": "string" }),
            example: json!("DELETE usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"),
        });
    }
}

/// What [`read_expected`] accepts.
const VERSION_OR_TAG: &str = "^([0-9]+|(W/)?\"[0-9]+(-[0-9a-fA-F]+)?\"|\\*)$";

/// The `If-Match` header, in which a caller names the version that its change is based on.
#[derive(Debug)]
pub struct IfMatch;

impl Part for IfMatch {
    type Extracted = Draft<Option<Expected>>;

    fn extract(admitted: &mut AdmittedRequest) -> Self::Extracted {
        let mut sent = admitted.headers().get_all("if-match");
        match (sent.next(), sent.next()) {
            (None, _) => Ok(None),
            (Some(_), Some(_)) => Err(Violation::new("If-Match", Issue::Duplicate).into()),
            (Some(only), None) => {
                let read = only.to_str().ok().and_then(read_expected);
                let hint = Hint { pattern: Some(VERSION_OR_TAG.to_owned()), ..Hint::default() };
                read.map(Some).ok_or_else(|| Violation::new("If-Match", Issue::InvalidFormat).hinting(hint).into())
            }
        }
    }

    fn describe(inputs: &mut Inputs) {
        inputs.headers.push(ParameterDoc {
            name: "If-Match",
            about: "The version that the change is based on, bare or in quotes, or an `ETag`, of which only the version counts; `*` means any version. An \
                    outdated one is 409."
                .to_owned(),
            required: false,
            schema: json!({ "type": "string", "pattern": VERSION_OR_TAG }),
            example: json!("*"),
        });
    }
}

/// Parses `5`, `*`, or a tag: `"5"`, or a complete one from an earlier answer.
fn read_expected(text: &str) -> Option<Expected> {
    if text == "*" {
        return Some(Expected::Any);
    }
    let digits = entity_tag::version(text).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| Expected::Exactly(digits.parse().unwrap_or(i64::MAX)))
}

/// The version that a change is based on, from the header, from the body or from both if they agree.
pub fn expected_version(header: Option<Expected>, version: Option<i64>) -> Draft<Option<Expected>> {
    match (header, version) {
        (Some(Expected::Exactly(sent)), Some(version)) if sent != version => {
            Err(Violation::new("version", Issue::InvalidValue).with(version.into()).into())
        }
        (_, Some(version)) => Ok(Some(Expected::Exactly(version))),
        (header, None) => Ok(header),
    }
}
