//! Tests over all types and over whole schemas.

mod arbitrary;
mod copies;
mod every_type;
mod sample;
mod schemas;
mod values;
