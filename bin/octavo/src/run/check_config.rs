//! `octavo check-config`: shows every setting, and checks whether the services in the settings answer.

use super::online;
use crate::{settings::Effective, start::Ready};
use anyhow::{Result, bail};
use serde_json::{Value, json};

pub(super) async fn run(ready: &Ready, tries: bool) -> Result<String> {
    let trials = if tries { online::try_all(&ready.settings).await } else { Vec::new() };
    let report = if ready.json {
        let settings = as_json(&ready.effective);
        let document = if tries {
            json!({ "data": settings, "online": online::as_json(&trials) })
        } else {
            json!({ "data": settings })
        };
        format!("{document}\n")
    } else {
        as_text(&ready.effective) + &online::as_text(&trials)
    };
    if !online::failed(&trials) {
        return Ok(report);
    }
    super::print(&report)?;
    bail!("something the settings name does not answer")
}

fn as_json(effective: &[Effective]) -> Vec<Value> {
    let one =
        |setting: &Effective| json!({ "name": setting.name, "value": setting.value, "source": setting.source.name() });
    effective.iter().map(one).collect()
}

fn as_text(effective: &[Effective]) -> String {
    let shown = |setting: &Effective| setting.value.as_deref().map_or_else(|| "-".to_owned(), printable);
    let name_width = effective.iter().map(|setting| setting.name.len()).max().unwrap_or(0);
    let source_width = effective.iter().map(|setting| setting.source.name().len()).max().unwrap_or(0);
    let line = |setting: &Effective| {
        format!("{:name_width$}  {:source_width$}  {}\n", setting.name, setting.source.name(), shown(setting))
    };
    effective.iter().map(line).collect()
}

/// One line, whatever the value contains.
fn printable(text: &str) -> String {
    let escape = |letter: char| {
        if letter.is_control() { letter.escape_default().collect() } else { letter.to_string() }
    };
    text.chars().map(escape).collect()
}
