//! The HTTP surface of Octavo: routes, replies, errors, OpenAPI.
