//! The vertical axis.

/// About how many pixels lie between two ticks.
const DISTANCE: f64 = 48.0;

/// A range of values with round ends, unless they were chosen, and round ticks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) ticks: Vec<f64>,
}

impl Scale {
    /// A scale for values between these. Zero is always in it, unless the ends were chosen.
    pub(super) fn new(least: f64, most: f64, chosen: (Option<f64>, Option<f64>), height: f64) -> Self {
        let (least, most) = (chosen.0.unwrap_or(least.min(0.0)), chosen.1.unwrap_or(most.max(0.0)));
        // An end that was chosen can be beyond all values.
        let (least, most) = match chosen {
            (None, Some(_)) if most <= least => (most - 1.0, most),
            _ if most <= least => (least, least + 1.0),
            _ => (least, most),
        };
        // Halves cannot overflow.
        let wanted = (height / DISTANCE).clamp(2.0, 10.0);
        let step = round_step((most / 2.0 - least / 2.0) / wanted * 2.0);
        let (lowest, highest) = ((least / step).floor(), (most / step).ceil());
        let from = chosen.0.unwrap_or(lowest * step);
        let to = chosen.1.unwrap_or(highest * step);
        let mut ticks = Vec::new();
        let mut at = lowest;
        while at <= highest && ticks.len() < 30 {
            let tick = at * step;
            if tick >= from && tick <= to && tick.is_finite() {
                ticks.push(tick);
            }
            at += 1.0;
        }
        Self { from: from.max(-f64::MAX), to: to.min(f64::MAX), ticks }
    }

    /// Where a value is: 0 at the lower end, 1 at the upper one.
    pub(super) fn place(&self, value: f64) -> f64 {
        let half = self.to / 2.0 - self.from / 2.0;
        ((value / 2.0 - self.from / 2.0) / half).clamp(0.0, 1.0)
    }
}

/// The least of 1, 2, 2.5 and 5 times a power of ten that is not below a number.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    if !power.is_finite() || power <= 0.0 {
        return least.max(f64::MIN_POSITIVE);
    }
    let found = [1.0, 2.0, 2.5, 5.0].into_iter().map(|factor| factor * power).find(|step| *step >= least * 0.999_999);
    found.unwrap_or(10.0 * power)
}
