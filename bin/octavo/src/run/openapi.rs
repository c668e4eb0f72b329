//! `octavo openapi`: the published description.

use crate::start::Ready;
use octavo_server::{AREAS, openapi_json, openapi_yaml};

pub(super) fn run(ready: &Ready) -> String {
    if ready.json { openapi_json(AREAS) } else { openapi_yaml(AREAS) }
}
