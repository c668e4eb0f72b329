//! Sums of numbers that do not depend on the order of the numbers.
//!
//! Records are added in the order of chunks, which differs between a table that was just loaded and one that was
//! changed. Rounding after each addition would give both a different sum, so nothing is rounded before the end.

/// A sum of numbers. It is rounded once, when it is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    /// Two numbers whose sum is the sum, while two are enough: so it is for numbers of similar sizes.
    high: f64,
    low: f64,
    /// The sum since two numbers were not enough.
    exact: Option<Box<Limbs>>,
}

impl Sum {
    #[inline]
    pub(crate) fn add(&mut self, number: f64) {
        if let Some(exact) = &mut self.exact {
            exact.add(number);
            return;
        }
        let (high, lost) = add(self.high, number);
        let (low, lost) = add(self.low, lost);
        if lost == 0.0 && high.is_finite() {
            (self.high, self.low) = (high, low);
        } else {
            self.widen(number);
        }
    }

    /// Adds another sum.
    pub(crate) fn merge(&mut self, other: &Self) {
        let Some(more) = &other.exact else {
            self.add(other.high);
            self.add(other.low);
            return;
        };
        self.widen(0.0);
        if let Some(exact) = &mut self.exact {
            exact.merge(more);
        }
    }

    #[cold]
    fn widen(&mut self, number: f64) {
        if let Some(exact) = &mut self.exact {
            exact.add(number);
            return;
        }
        let mut exact = Box::new(Limbs::ZERO);
        for part in [self.high, self.low, number] {
            exact.add(part);
        }
        self.exact = Some(exact);
    }

    /// The sum; `None` if it is larger than any number.
    pub(crate) fn get(&self) -> Option<f64> {
        let sum = self.exact.as_ref().map_or(self.high + self.low, |exact| exact.round());
        sum.is_finite().then_some(sum + 0.0)
    }
}

/// A rounded sum, and what the rounding lost.
#[inline]
fn add(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// A number of more than two thousand bits, 32 in each limb: wide enough for every sum of doubles. Limbs take carries
/// of 2^30 additions before they overflow.
#[derive(Clone, Debug)]
struct Limbs([i64; Limbs::COUNT]);

/// The bits of a limb.
const LIMB: u64 = 0xffff_ffff;
/// How far the lowest bit of the lowest limb is below 1.
const LOWEST: i32 = 1088;

impl Limbs {
    const COUNT: usize = 70;
    const ZERO: Self = Self([0; Self::COUNT]);

    #[inline]
    fn add(&mut self, number: f64) {
        let bits = number.to_bits();
        let exponent = i32::try_from(bits >> 52 & 0x7ff).unwrap_or_default();
        let fraction = bits & ((1 << 52) - 1);
        let digits = if exponent == 0 { fraction } else { fraction | 1 << 52 };
        // The number is the digits times 2^(exponent - 1075), or 2^-1074 for the smallest ones.
        let place = usize::try_from(exponent.max(1) - 1075 + LOWEST).unwrap_or_default();
        let (limb, shift) = (place / 32, place % 32);
        let (low, high) = ((digits & LIMB) << shift, (digits >> 32) << shift);
        let parts = [low & LIMB, (low >> 32) + (high & LIMB), high >> 32];
        for (limb, part) in self.0[limb..limb + 3].iter_mut().zip(parts) {
            let part = part.cast_signed();
            *limb += if number.is_sign_negative() { -part } else { part };
        }
    }

    /// Adds another number. Both are brought into their bits first, so that limbs take as many additions as before.
    fn merge(&mut self, other: &Self) {
        let mut other = other.clone();
        other.carry();
        self.carry();
        for (limb, more) in self.0.iter_mut().zip(other.0) {
            *limb += more;
        }
    }

    /// The nearest double; infinite if there is none.
    fn round(&self) -> f64 {
        let mut limbs = self.clone();
        let is_negative = limbs.carry() < 0;
        if is_negative {
            limbs.0.iter_mut().for_each(|limb| *limb = -*limb);
            limbs.carry();
        }
        let Some(top) = limbs.0.iter().rposition(|limb| *limb != 0) else { return 0.0 };
        let top = top.max(2);
        let part = |at: usize| u128::from(limbs.0[at].unsigned_abs());
        let rest = limbs.0[..top - 2].iter().any(|limb| *limb != 0);
        // At least 65 bits, so the lowest one can stand for all that are left out.
        let digits = part(top) << 64 | part(top - 1) << 32 | part(top - 2) | u128::from(rest);
        let place = i32::try_from(32 * (top - 2)).unwrap_or_default() - LOWEST;
        #[expect(clippy::cast_precision_loss, reason = "this is where the sum is rounded")]
        let rounded = digits as f64 * power_of_two(place / 2) * power_of_two(place - place / 2);
        if is_negative { -rounded } else { rounded }
    }

    /// Brings every limb but the last into its 32 bits and returns the last, whose sign is that of the number.
    fn carry(&mut self) -> i64 {
        let mut carried = 0;
        for limb in &mut self.0[..Self::COUNT - 1] {
            let sum = *limb + carried;
            *limb = sum & 0xffff_ffff;
            carried = sum >> 32;
        }
        let last = &mut self.0[Self::COUNT - 1];
        *last += carried;
        *last
    }
}

/// For exponents of normal numbers.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(u64::from((exponent + 1023).unsigned_abs()) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sum(numbers: &[f64]) -> Option<f64> {
        let mut sum = Sum::default();
        for number in numbers {
            sum.add(*number);
        }
        sum.get()
    }

    proptest! {
        #[test]
        fn merged_sums_are_the_sum(parts in prop::collection::vec(prop::collection::vec(any_number(), 0..20), 0..5)) {
            let mut merged = Sum::default();
            for part in &parts {
                let mut sum = Sum::default();
                for number in part {
                    sum.add(*number);
                }
                merged.merge(&sum);
            }
            prop_assert_eq!(merged.get(), sum(&parts.concat()));
        }
    }

    fn any_number() -> impl Strategy<Value = f64> {
        prop_oneof![-1e3..1e3_f64, -1e300..1e300_f64, Just(0.1), Just(1e-300)]
    }

    #[test]
    fn sums_are_rounded_once() {
        assert_eq!(sum(&[]), Some(0.0));
        assert_eq!(sum(&[0.1; 10]), Some(1.0));
        assert_eq!(sum(&[1e100, 1.0, -1e100]), Some(1.0));
        assert_eq!(sum(&[1e308, 1e308, -1e308]), Some(1e308));
        assert_eq!(sum(&[f64::MAX, f64::MAX]), None);
        assert_eq!(sum(&[-f64::MAX, -f64::MAX]), None);
        assert_eq!(sum(&[f64::MIN_POSITIVE / 4.0, 1e-310, -1e-310]), Some(f64::MIN_POSITIVE / 4.0));
        assert_eq!(sum(&[1.0, f64::EPSILON / 2.0]), Some(1.0));
        assert_eq!(sum(&[1.0, f64::EPSILON / 2.0, 5e-324]), Some(1.0 + f64::EPSILON));
        assert_eq!(sum(&[-1.0, -f64::EPSILON / 2.0, -5e-324]), Some(-1.0 - f64::EPSILON));
    }

    fn number() -> impl Strategy<Value = f64> {
        let any = any::<f64>().prop_filter("finite", |number| number.is_finite());
        prop_oneof![any, -1e6..1e6_f64, (-1000..1000_i32).prop_map(|cents| f64::from(cents) / 100.0)]
    }

    proptest! {
        #[test]
        fn the_order_makes_no_difference(mut numbers in prop::collection::vec(number(), 0..30)) {
            let forward = sum(&numbers);
            numbers.reverse();
            prop_assert_eq!(sum(&numbers), forward);
            numbers.sort_by(f64::total_cmp);
            prop_assert_eq!(sum(&numbers), forward);
        }

        #[test]
        fn one_number_is_its_own_sum(number in number(), other in number()) {
            prop_assert_eq!(sum(&[number]), Some(number + 0.0));
            prop_assert_eq!(sum(&[number, 0.1, -0.1]), Some(number + 0.0));
            prop_assert_eq!(sum(&[other, number, -other]), Some(number + 0.0));
            let plain = number + other;
            prop_assert_eq!(sum(&[number, other]), plain.is_finite().then_some(plain + 0.0));
        }
    }
}
