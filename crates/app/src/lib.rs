//! The use cases of Octavo: load, decide, save, report.
