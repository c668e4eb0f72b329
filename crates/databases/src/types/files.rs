//! `files`: files of the workspace.

use super::{Config, ConfigInputs, Facts, FilterKind, Grouping, Rules, SortKind, object};
use crate::{
    forms::lists,
    input::{Input, InputRules},
    read::{Fields, Flaw, id, id_pattern, text, whole},
    value::Shape,
};
use octavo_core_model::{fault::Issue, id::FileId};
use serde_json::{Map, Value, json};

/// The configuration of `files`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilesConfig {
    /// How many files a value has at most; `None` for as many as there may be.
    pub max_files: Option<u32>,
    /// The media types that are accepted, such as `image/png` or `image/*`; all if there are none.
    pub accepted_mime_types: Vec<String>,
}

/// The largest number of files of one value.
const MAX: u32 = 100;
/// The largest number of media types, and the longest one.
const MAX_TYPES: usize = 50;
const MAX_TYPE: usize = 255;
const MIME_TYPE: &str = "^[A-Za-z0-9!#$&^_.+-]+/([A-Za-z0-9!#$&^_.+-]+|\\*)$";
const SHAPE: &str = "`{ fileIds }` with a list of ids of files";

impl FilesConfig {
    /// How many files a value may have.
    pub fn most(&self) -> usize {
        self.max_files.and_then(|most| usize::try_from(most).ok()).unwrap_or(MAX as usize)
    }

    /// Whether a file of this media type may be in a value.
    pub fn accepts(&self, mime_type: &str) -> bool {
        let fits = |accepted: &String| match accepted.strip_suffix('*') {
            Some(family) => mime_type.get(..family.len()).is_some_and(|start| start.eq_ignore_ascii_case(family)),
            None => mime_type.eq_ignore_ascii_case(accepted),
        };
        self.accepted_mime_types.is_empty() || self.accepted_mime_types.iter().any(fits)
    }
}

impl Config for FilesConfig {
    fn read(before: Option<&Self>, fields: &mut Fields<'_>, _: &mut ConfigInputs<'_>) -> Option<Self> {
        let before = before.cloned().unwrap_or_default();
        let most = fields.nullable("maxFiles", |sent| whole(sent, 1..=MAX));
        let types = fields.nullable("acceptedMimeTypes", mime_types);
        let types = types.or(Some(before.accepted_mime_types)).unwrap_or_default();
        Some(Self { max_files: most.or(before.max_files), accepted_mime_types: types })
    }

    fn write(&self) -> Map<String, Value> {
        object([("maxFiles", json!(self.max_files)), ("acceptedMimeTypes", json!(self.accepted_mime_types))])
    }

    fn keys() -> Map<String, Value> {
        let mime_type = json!({ "type": "string", "pattern": MIME_TYPE, "maxLength": MAX_TYPE });
        object([
            ("maxFiles", json!({ "type": ["integer", "null"], "minimum": 1, "maximum": MAX })),
            ("acceptedMimeTypes", json!({ "type": ["array", "null"], "items": mime_type, "maxItems": MAX_TYPES })),
        ])
    }
}

fn mime_types(sent: &Value) -> Result<Vec<String>, Flaw> {
    let list = sent.as_array().ok_or(Flaw::new(Issue::InvalidType))?;
    lists::check_count(list.len(), MAX_TYPES)?;
    list.iter().map(|sent| mime_type(sent).map_err(|flaw| flaw.with(sent.clone()))).collect()
}

fn mime_type(sent: &Value) -> Result<String, Flaw> {
    let mime_type = text(sent)?;
    let is_word = |word: &str| {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte);
        !word.is_empty() && word.bytes().all(is_letter)
    };
    let fits =
        mime_type.split_once('/').is_some_and(|(family, kind)| is_word(family) && (kind == "*" || is_word(kind)));
    if fits && mime_type.len() <= MAX_TYPE {
        Ok(mime_type.to_owned())
    } else {
        Err(Flaw::of_pattern(Issue::InvalidFormat, MIME_TYPE))
    }
}

fn read(config: &FilesConfig, sent: &mut Map<String, Value>) -> Result<Input, Flaw> {
    let ids = lists::ids(sent, "fileIds", FileId::PREFIX, config.most(), SHAPE)?;
    Ok(ids.map_or(Input::Clear, Input::Files))
}

fn cast(config: &FilesConfig, texts: &[String]) -> Result<Input, Flaw> {
    lists::check_count(texts.len(), config.most())?;
    let ids = texts.iter().map(|text| id(&text.trim().into(), FileId::PREFIX));
    ids.collect::<Result<_, _>>().map(Input::Files)
}

pub(super) struct Files;

impl Rules for Files {
    type Config = FilesConfig;

    const FACTS: Facts = Facts {
        grouping: Grouping::Nowhere,
        can_match: false,
        ..Facts::in_bag("Up to 100 files of the workspace.", Shape::Files, FilterKind::Files, SortKind::Count)
    };

    const INPUT: Option<InputRules<Self::Config>> = Some(InputRules {
        shape: SHAPE,
        read,
        parse: |config, text| cast(config, &lists::parts(text)),
        list: Some(cast),
    });

    fn value_schema() -> Value {
        lists::schema("fileIds", &id_pattern(FileId::PREFIX), MAX as usize)
    }
}
