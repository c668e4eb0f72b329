//! `octavo openapi`: the published description.

use crate::start::Ready;

pub(super) fn run(ready: &Ready) -> String {
    if ready.json { octavo_server::openapi_json() } else { octavo_server::openapi_yaml() }
}
