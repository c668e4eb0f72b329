//! Encryption of what Octavo keeps secret at rest: keys, sealed boxes, rotation.
