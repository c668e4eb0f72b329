//! What a computation may take.

use crate::stopped::Stopped;

/// What a computation may take. It is given to everything that can take long or need much memory.
///
/// A closure that returns whether to give up is a deadline without a bound for memory.
pub trait Bounds {
    /// Whether to go on. This is asked before each chunk of records, and by formulas every some hundred microseconds.
    fn go_on(&mut self) -> Result<(), Stopped>;

    /// Asks for so many more bytes of memory. They are needed until the computation ends, or are given back.
    fn hold(&mut self, bytes: usize) -> Result<(), Stopped>;

    /// Gives back bytes that are no longer needed.
    fn release(&mut self, bytes: usize);
}

impl<F: FnMut() -> bool> Bounds for F {
    fn go_on(&mut self) -> Result<(), Stopped> {
        if self() { Err(Stopped::Deadline) } else { Ok(()) }
    }

    fn hold(&mut self, _: usize) -> Result<(), Stopped> {
        Ok(())
    }

    fn release(&mut self, _: usize) {}
}

/// Memory that grows while something is computed. Asks for what has been added, and gives everything back if there is no
/// room for that.
#[derive(Debug, Default)]
pub(crate) struct Growth(usize);

impl Growth {
    /// Notes that there are so many bytes now.
    pub(crate) fn reach(&mut self, bytes: usize, bounds: &mut dyn Bounds) -> Result<(), Stopped> {
        if bytes > self.0 {
            bounds.hold(bytes - self.0).inspect_err(|_| bounds.release(self.0))?;
            self.0 = bytes;
        }
        Ok(())
    }

    /// Notes that there are so many bytes in the end, which can be less than before.
    pub(crate) fn end_at(mut self, bytes: usize, bounds: &mut dyn Bounds) -> Result<(), Stopped> {
        self.reach(bytes, bounds)?;
        bounds.release(self.0 - bytes);
        Ok(())
    }
}

/// Memory that is given back when a part of the computation is done.
#[derive(Debug, Default)]
pub(crate) struct Temporary(usize);

impl Temporary {
    /// Asks for more.
    pub(crate) fn add(&mut self, bytes: usize, bounds: &mut dyn Bounds) -> Result<(), Stopped> {
        bounds.hold(bytes).inspect_err(|_| bounds.release(self.0))?;
        self.0 += bytes;
        Ok(())
    }

    /// Gives everything back.
    pub(crate) fn end(self, bounds: &mut dyn Bounds) {
        bounds.release(self.0);
    }
}
