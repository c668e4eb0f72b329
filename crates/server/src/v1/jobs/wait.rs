//! Long polling (RFC 7240).

use crate::{
    request::{AdmittedRequest, Inputs, Part, preference},
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
        read(preference(admitted.headers(), "wait")?)
    }

    fn describe(inputs: &mut Inputs) {
        inputs.headers.push(ParameterDoc {
            name: "Prefer",
            about: "`wait` and a number of seconds from 1 to 30: the answer may wait for a change for so long."
                .to_owned(),
            required: false,
            schema: json!({ "type": "string" }),
            example: json!("wait=10"),
        });
    }
}

fn read(value: &str) -> Option<Duration> {
    let seconds = value.parse::<u64>().ok()?;
    (seconds > 0).then(|| Duration::from_secs(seconds.min(LONGEST)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_and_nonsense_is_ignored() {
        for (value, seconds) in
            [("10", Some(10)), ("31", Some(30)), ("0", None), ("-1", None), ("soon", None), ("", None)]
        {
            assert_eq!(read(value), seconds.map(Duration::from_secs), "{value}");
        }
    }
}
