//! Builders, callers and the conformance cases every engine must pass.
