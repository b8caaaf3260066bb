//! Axes: the positions of values and ticks.

/// How values are spread along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Equal differences take equal room.
    Linear,
    /// Equal ratios take equal room.
    Logarithmic,
    /// The same for counts, which may be 0: those of values that are larger by 1.
    Counts,
}

/// The largest share of an axis that may lie between 0 and the data.
const MOST_EMPTY: f64 = 0.4;

/// One axis of a panel.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// Its label, with the unit.
    pub label: String,
    /// How values are spread.
    pub scale: Scale,
    /// The values at its ends.
    pub ends: (f64, f64),
    /// The values of the ticks.
    pub ticks: Vec<f64>,
}

impl Axis {
    /// The part of 0 to 100 percent that holds all values, at least a tenth of it.
    pub fn percent(label: &str, values: impl Iterator<Item = f64>, about_ticks: u32) -> Self {
        const LEAST_SPAN: f64 = 10.0;
        let (smallest, largest) = range(values).unwrap_or((0.0, 100.0));
        let largest = if largest > MOST_EMPTY * 100.0 { 100.0 } else { largest };
        let largest = largest.max(LEAST_SPAN);
        let axis = Self::around(label, (smallest, largest), LEAST_SPAN, about_ticks);
        Self { ends: (axis.ends.0, axis.ends.1.min(103.0)), ..axis }
    }

    /// From 0 to a little more than the largest value. Where all values are far from 0, it begins a little below the
    /// smallest.
    pub fn linear(label: &str, values: impl Iterator<Item = f64>, about_ticks: u32) -> Self {
        const LEAST_SPAN: f64 = 0.1;
        let (smallest, largest) = range(values).unwrap_or((0.0, 1.0));
        let largest = if largest > 0.0 { largest } else { 1.0 };
        Self::around(label, (smallest, largest), LEAST_SPAN * largest, about_ticks)
    }

    /// From a tick below the smallest value, or 0 if that leaves little of the axis empty, to a little above the largest.
    fn around(
        label: &str,
        (smallest, largest): (f64, f64),
        least_span: f64,
        about_ticks: u32,
    ) -> Self {
        let room = 0.03 * (largest - smallest);
        let lowest = (smallest - room).min(largest - least_span);
        let smallest = if smallest < MOST_EMPTY * largest { 0.0 } else { lowest };
        let step = round_step((largest - smallest) / f64::from(about_ticks));
        let first = (smallest / step + 1e-9).floor().max(0.0);
        let last = ((largest / step) + 1e-9).floor();
        let ticks = (0..=(last - first) as u32).map(|index| (first + f64::from(index)) * step);
        let bottom = first * step;
        Self {
            label: label.to_owned(),
            scale: Scale::Linear,
            ends: (bottom, largest + 0.04 * (largest - bottom)),
            ticks: ticks.collect(),
        }
    }

    /// From 1 to a little more than the largest value, for ratios that are not below 1.
    pub fn above_one(label: &str, values: impl Iterator<Item = f64>, about_ticks: u32) -> Self {
        let over = values.map(|value| value - 1.0).chain([0.0]);
        let over = Self::linear(label, over, about_ticks);
        let ticks = over.ticks.iter().map(|tick| tick + 1.0).collect();
        Self { ends: (1.0 + over.ends.0, 1.0 + over.ends.1), ticks, ..over }
    }

    /// From a little less than the smallest value above 0 to a little more than the largest.
    pub fn logarithmic(label: &str, values: impl Iterator<Item = f64>) -> Self {
        let (smallest, largest) = range(values.filter(|value| *value > 0.0)).unwrap_or((1.0, 10.0));
        let ends = (smallest / 1.3, largest * 1.3);
        let (label, ticks) = (label.to_owned(), round_ticks(ends.0, ends.1));
        Self { label, scale: Scale::Logarithmic, ends, ticks }
    }

    /// From 0 to a little more than the largest count.
    pub fn counts(label: &str, values: impl Iterator<Item = f64>) -> Self {
        let largest = values.filter(|value| value.is_finite()).fold(1.0_f64, f64::max);
        let ends = (0.0, largest * 1.3);
        let ticks = [0.0].into_iter().chain(round_ticks(1.0, ends.1)).collect();
        Self { label: label.to_owned(), scale: Scale::Counts, ends, ticks }
    }

    /// The same with ticks at these values, in order, but for those that are too close to the one before for their labels.
    pub fn with_ticks(self, ticks: &[f64]) -> Self {
        const LEAST_GAP: f64 = 0.065;
        let (mut kept, mut last): (Vec<f64>, f64) = (Vec::new(), f64::NEG_INFINITY);
        for &tick in ticks {
            if self.place(tick) - last >= LEAST_GAP {
                last = self.place(tick);
                kept.push(tick);
            }
        }
        Self { ticks: kept, ..self }
    }

    /// Where a value lies, from 0 at one end to 1 at the other. Values beyond an end lie there.
    pub fn place(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear => (value - self.ends.0) / (self.ends.1 - self.ends.0),
            Scale::Logarithmic => {
                let value = value.max(self.ends.0);
                (value / self.ends.0).ln() / (self.ends.1 / self.ends.0).ln()
            }
            Scale::Counts => value.max(0.0).ln_1p() / self.ends.1.ln_1p(),
        };
        share.clamp(0.0, 1.0)
    }
}

/// The smallest and the largest of these values, if there are any.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let ends = |ends: Option<(f64, f64)>, value: f64| {
        let (least, most) = ends.unwrap_or((value, value));
        Some((least.min(value), most.max(value)))
    };
    values.filter(|value| value.is_finite()).fold(None, ends)
}

/// As many round numbers between two as are useful: powers of ten, or numbers between them too.
fn round_ticks(smallest: f64, largest: f64) -> Vec<f64> {
    let decades = smallest.log10().floor() as i32..=largest.log10().ceil() as i32;
    let of_decade = |steps: &'static [f64]| {
        let inside = |tick: &f64| (smallest..=largest).contains(tick);
        let decades = decades.clone();
        let ticks = decades.flat_map(|decade| steps.iter().map(move |s| s * 10_f64.powi(decade)));
        ticks.filter(inside).collect::<Vec<_>>()
    };
    let [few, some, many] = [&[1.0][..], &[1.0, 3.0], &[1.0, 2.0, 5.0]].map(of_decade);
    [few, some].into_iter().find(|ticks| ticks.len() >= 3).unwrap_or(many)
}

/// The first of 1, 2, 5, 10, 20, 50, ... or 0.1, 0.05, ... that is not much smaller.
fn round_step(about: f64) -> f64 {
    let least = about * 0.7;
    let decade = 10_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|step| step * decade);
    steps.into_iter().find(|step| *step >= least).unwrap_or(decade * 10.0)
}

/// A number at a tick, as short as possible.
pub fn tick_label(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    if rounded.abs() >= 10_000.0 {
        let (thousands, millions) = (rounded / 1000.0, rounded / 1e6);
        let is_million = millions >= 1.0;
        return if is_million { format!("{millions}M") } else { format!("{thousands}k") };
    }
    rounded.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        let axis = Axis::linear("agents", [25.0, 2000.0].into_iter(), 5);
        assert_eq!(axis.ticks, [0.0, 500.0, 1000.0, 1500.0, 2000.0]);
        let labels: Vec<_> = axis.ticks.iter().copied().map(tick_label).collect();
        assert_eq!(labels, ["0", "500", "1000", "1500", "2000"]);
    }

    #[test]
    fn a_logarithmic_axis_gives_equal_room_to_equal_ratios() {
        let axis = Axis::logarithmic("s", [0.01, 100.0].into_iter());
        assert_eq!(axis.ticks.len(), 5);
        let steps: Vec<_> =
            axis.ticks.windows(2).map(|t| axis.place(t[1]) - axis.place(t[0])).collect();
        assert!(steps.iter().all(|step| (step - steps[0]).abs() < 1e-9));
        assert!(axis.place(0.0) < 1e-9, "what has no logarithm lies at the end");
    }

    #[test]
    fn counts_begin_at_0_and_large_ones_take_room_by_their_ratio() {
        let axis = Axis::counts("nodes", [0.0, 1000.0].into_iter());
        assert_eq!(axis.ticks, [0.0, 1.0, 10.0, 100.0, 1000.0]);
        assert!(axis.place(0.0).abs() < 1e-9 && axis.place(1.0) > 0.05);
        let step = |tick: f64| axis.place(tick * 10.0) - axis.place(tick);
        assert!((step(10.0) - step(100.0)).abs() < 0.015);
    }

    #[test]
    fn an_axis_begins_where_the_data_are_and_at_0_if_they_come_near_it() {
        let percent = |values: &[f64]| Axis::percent("%", values.iter().copied(), 5);
        let rates = percent(&[62.0, 81.5, 100.0]);
        assert_eq!(rates.ticks, [60.0, 70.0, 80.0, 90.0, 100.0]);
        assert!(rates.place(62.0) > 0.0 && rates.place(100.0) < 1.0);
        assert_eq!(percent(&[3.0, 95.0]).ticks, [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(percent(&[100.0, 99.9]).ticks, [90.0, 92.0, 94.0, 96.0, 98.0, 100.0]);
        assert_eq!(percent(&[0.0, 12.0]).ticks, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
        assert_eq!(percent(&[0.0, 0.0]).ticks[0].to_string(), "0");
        let lengths = Axis::linear("ticks", [22.0, 31.0].into_iter(), 5);
        assert_eq!(lengths.ticks, [20.0, 22.0, 24.0, 26.0, 28.0, 30.0]);
        let same = Axis::linear("ticks", [40.0, 40.0].into_iter(), 5);
        assert!(same.place(40.0) < 1.0 && same.ticks.len() > 2, "{same:?}");
    }

    #[test]
    fn at_most_two_fifths_of_an_axis_are_empty_below_the_data() {
        for smallest in 0..100 {
            let values = [f64::from(smallest), 100.0];
            for axis in [
                Axis::percent("%", values.into_iter(), 5),
                Axis::linear("x", values.into_iter(), 5),
            ] {
                let lowest = axis.place(f64::from(smallest.min(90)));
                assert!((0.0..=0.4).contains(&lowest), "{smallest}: {axis:?}");
                assert!(axis.ticks.contains(&axis.ends.0), "the first tick is the end: {axis:?}");
            }
        }
    }

    #[test]
    fn an_axis_without_values_is_valid() {
        for axis in [
            Axis::percent("x", std::iter::empty(), 5),
            Axis::linear("x", std::iter::empty(), 5),
            Axis::logarithmic("x", std::iter::empty()),
            Axis::counts("x", std::iter::empty()),
        ] {
            assert!(axis.ends.0 < axis.ends.1 && !axis.ticks.is_empty(), "{axis:?}");
        }
    }
}
