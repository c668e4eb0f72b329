//! Sliding-log rate counters in memory and in Redis.
