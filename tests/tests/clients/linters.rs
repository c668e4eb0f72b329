//! Linters report neither an error nor a warning about the description of the API.

use crate::programs::{Programs, description, source, succeeds};

const LINTERS: &str = "linters";

#[test]
fn spectral_has_no_complaint() {
    let Some(programs) = Programs::fetched() else { return };
    let mut spectral = programs.npm(LINTERS, "spectral");
    spectral.args(["lint", "--fail-severity=hint", "--ruleset"]).arg(source(LINTERS).join("spectral.yaml"));
    succeeds(spectral.arg(description()));
}

#[test]
fn redocly_has_no_complaint() {
    let Some(programs) = Programs::fetched() else { return };
    let mut redocly = programs.npm(LINTERS, "redocly");
    redocly.current_dir(source(LINTERS)).env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    succeeds(redocly.args(["lint", "--config", "redocly.yaml"]).arg(description()));
}

#[test]
fn openapi_spec_validator_has_no_complaint() {
    let Some(programs) = Programs::fetched() else { return };
    succeeds(programs.pip(LINTERS, "openapi-spec-validator").arg(description()));
}
