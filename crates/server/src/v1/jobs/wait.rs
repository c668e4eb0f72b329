//! Long polling (RFC 7240).

use crate::{
    request::{AdmittedRequest, Part, Takes},
    wire::ParameterDoc,
};
use serde_json::json;
use std::time::Duration;

/// The longest time that an answer waits.
const LONGEST: u64 = 30;

/// The `Prefer` header with a time to wait. It is optional, so an invalid one is ignored.
#[derive(Debug)]
pub(crate) struct Wait;

impl Part for Wait {
    type Extracted = Option<Duration>;

    fn extract(admitted: &mut AdmittedRequest) -> Option<Duration> {
        read(admitted.header("prefer")?)
    }

    fn describe(takes: &mut Takes) {
        takes.headers.push(ParameterDoc {
            name: "Prefer",
            about: "`wait` and a number of seconds from 1 to 30: the answer may wait for a change for so long."
                .to_owned(),
            required: false,
            schema: json!({ "type": "string" }),
            example: json!("wait=10"),
        });
    }
}

fn read(header: &str) -> Option<Duration> {
    let seconds = header.split(',').find_map(|wish| {
        let (name, value) = wish.split(';').next()?.split_once('=')?;
        name.trim().eq_ignore_ascii_case("wait").then(|| value.trim().parse::<u64>().ok())?
    })?;
    (seconds > 0).then(|| Duration::from_secs(seconds.min(LONGEST)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preference_is_read_and_nonsense_is_ignored() {
        for (header, seconds) in [
            ("wait=10", Some(10)),
            ("respond-async, Wait = 5; x=1", Some(5)),
            ("wait=31", Some(30)),
            ("wait=0", None),
            ("wait=-1", None),
            ("wait=soon", None),
            ("wait", None),
            ("return=minimal", None),
            ("", None),
        ] {
            assert_eq!(read(header), seconds.map(Duration::from_secs), "{header}");
        }
    }
}
