//! Random bits of the operating system.

use octavo_ports::random::Random;

/// The operating system's generator.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsRandom;

impl Random for OsRandom {
    #[expect(
        clippy::expect_used,
        reason = "a machine without random bits can make no id, token or salt; a weaker source would be worse than stopping"
    )]
    fn fill(&mut self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("random bits of the operating system");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_draws_differ() {
        let random: &mut dyn Random = &mut OsRandom;
        assert_ne!(random.bytes::<32>(), random.bytes::<32>());
    }
}
