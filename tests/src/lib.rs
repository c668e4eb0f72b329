//! End-to-end tests that start the real binary and speak HTTP.
