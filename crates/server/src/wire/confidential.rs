//! Values that give their holder access.

use super::{Documented, Named, Writable};
use serde::Serializer;
use serde_json::Value;
use std::fmt;

/// A value that contains a token, a secret or a signed address, although its own type does not show that.
#[derive(Clone)]
pub struct Confidential<T>(pub T);

impl<T> fmt::Debug for Confidential<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Confidential")
    }
}

impl<T: Documented> Documented for Confidential<T> {
    const IN_EXAMPLES: bool = T::IN_EXAMPLES;
    const HOLDS_SECRET: bool = true;

    fn schema() -> Value {
        T::schema()
    }

    fn example() -> Value {
        T::example()
    }

    fn collect(named: &mut Named) {
        T::collect(named);
    }
}

impl<T: Writable> Writable for Confidential<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}
