//! `cargo xtask new-migration NAME`: creates an empty migration for both engines.

use crate::workspace::Workspace;
use anyhow::{Result, bail};
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) fn run(mut arguments: lexopt::Parser) -> Result<()> {
    use lexopt::ValueExt as _;
    let name = arguments.value()?.string()?;
    crate::no_arguments(arguments)?;
    if !is_a_name(&name) {
        bail!("{name:?} is no name for a migration: lower case letters, digits and underscores");
    }
    let root = Workspace::load()?.root;
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let step = format!("{}_{name}", stamp(seconds));
    for engine in ["sqlite", "postgres"] {
        let folder = root.join("migrations").join(engine).join(&step);
        fs::create_dir_all(&folder)?;
        for file in ["up.sql", "down.sql"] {
            fs::write(folder.join(file), "")?;
            println!("migrations/{engine}/{step}/{file}");
        }
    }
    Ok(())
}

fn is_a_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    name.starts_with(|first: char| first.is_ascii_lowercase()) && name.bytes().all(plain)
}

/// `2026-11-21-154600`, the form by which diesel sorts.
fn stamp(unix_seconds: u64) -> String {
    let (year, month, day) = date(unix_seconds / 86_400);
    let (hour, minute, second) = (unix_seconds / 3600 % 24, unix_seconds / 60 % 60, unix_seconds % 60);
    format!("{year:04}-{month:02}-{day:02}-{hour:02}{minute:02}{second:02}")
}

/// The date of a day counted from 1970-01-01, computed in eras of 400 years that start in March.
fn date(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stamp_is_the_utc_time() {
        assert_eq!(stamp(0), "1970-01-01-000000");
        assert_eq!(stamp(951_782_399), "2000-02-28-235959");
        assert_eq!(stamp(951_782_400), "2000-02-29-000000");
        assert_eq!(stamp(1_795_275_960), "2026-11-21-154600");
    }

    #[test]
    fn names_stay_readable_in_paths() {
        assert!(is_a_name("add_comments2"));
        for bad in ["", "2fast", "Add", "../up", "a b", "a-b"] {
            assert!(!is_a_name(bad), "{bad}");
        }
    }
}
