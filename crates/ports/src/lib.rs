//! The traits through which Octavo's use cases reach the outside world.
