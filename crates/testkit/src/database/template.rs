//! The name of a template: a new build of a test may have new migrations, so each build migrates its own template
//! once.

use std::{
    env,
    hash::{DefaultHasher, Hash, Hasher},
    time::{SystemTime, UNIX_EPOCH},
};

/// Differs between builds, but not between processes of the same build.
pub(super) fn build() -> String {
    let program = env::current_exe().expect("a test knows its program");
    let made = program.metadata().and_then(|about| about.modified()).expect("the program has a date");
    let mut hasher = DefaultHasher::new();
    (program, made).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

pub(super) fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is past 1970").as_secs()
}
