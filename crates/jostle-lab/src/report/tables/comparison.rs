//! The cells of a report's tables: our values, and the papers'.

use super::super::measure::{Better, Measure};
use super::super::papers::{Published, Relation};
use super::super::stats::Estimate;
use crate::table::{Cell, Table};

/// A table of comparisons.
pub type Comparison = Table<Compared>;

/// Our value, and the paper's.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Compared {
    /// The value of our runs, if there are any.
    pub ours: Option<Estimate>,
    /// The paper's number, if it has one.
    pub paper: Option<Published>,
    /// The number of decimals of our value.
    pub digits: usize,
    /// Whether it is the best of its line or column.
    pub is_best: bool,
    /// How many instances were solved, and of how many; only in tables of solvers.
    pub solved: Option<(usize, usize)>,
    /// Whether it is a difference, which is shown with its sign.
    pub is_difference: bool,
}

impl Compared {
    /// A value of a measure.
    pub fn new(measure: Measure, ours: Option<Estimate>, paper: Option<Published>) -> Self {
        let digits = ours.map_or(0, |estimate| measure.digits(estimate.mean));
        Self { ours, paper, digits, ..Self::default() }
    }

    /// The value without its interval.
    pub fn value(&self) -> Option<String> {
        let mean = self.ours?.mean;
        Some(if self.is_difference {
            format!("{mean:+.*}", self.digits).replace('-', "−")
        } else {
            format!("{mean:.*}", self.digits)
        })
    }

    /// The cell as text.
    pub fn cell(self) -> Cell {
        let interval = self.ours.and_then(|estimate| spread(&estimate, self.digits));
        let paper = self.paper.map(|paper| format!("({})", published(&paper)));
        let solved = self.solved.map(|(solved, runs)| format!("{solved}/{runs}"));
        let detail = [interval, paper, solved].into_iter().flatten().collect::<Vec<_>>().join(" ");
        Cell { value: self.value(), detail, is_best: self.is_best }
    }
}

/// How far the ends of the interval are from the mean: `±1.2` where both are equally far, or else as `+0.4 −1.2` or, where the mean is one of
/// the ends, `−1.2`.
fn spread(estimate: &Estimate, digits: usize) -> Option<String> {
    let (low, high) = estimate.interval?;
    // An end that is the mean but for rounding may lie on its other side.
    let below = format!("{:.digits$}", (estimate.mean - low).abs());
    let above = format!("{:.digits$}", (high - estimate.mean).abs());
    let nothing = format!("{:.digits$}", 0.0);
    Some(match (below == nothing, above == nothing) {
        _ if below == above => format!("±{above}"),
        (true, _) => format!("+{above}"),
        (_, true) => format!("−{below}"),
        _ => format!("+{above} −{below}"),
    })
}

/// Marks the best cells. Those that read the same are equally good.
pub fn mark_best<'a>(measure: Measure, cells: impl Iterator<Item = &'a mut Compared>) {
    let mut cells: Vec<&mut Compared> = cells.collect();
    let means = cells.iter().filter_map(|cell| cell.ours).map(|estimate| estimate.mean);
    let best = match measure.better() {
        Better::More => means.reduce(f64::max),
        Better::Less => means.reduce(f64::min),
        Better::Neither => None,
    };
    let Some(best) = best else { return };
    let shown = format!("{:.*}", measure.digits(best), best);
    if cells.iter().filter(|cell| cell.ours.is_some()).count() > 1 {
        for cell in &mut cells {
            cell.is_best = cell.value().as_ref() == Some(&shown);
        }
    }
}

/// A paper's number.
pub fn published(paper: &Published) -> String {
    let sign = match paper.relation {
        Relation::Is => "",
        Relation::About => "≈",
        Relation::Under => "<",
        Relation::Over => ">",
    };
    let spread = paper.spread.map(|spread| format!(" ±{spread:.*}", paper.digits));
    format!("{sign}{:.*}{}", paper.digits, paper.value, spread.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_that_rounding_puts_beyond_the_mean_has_no_second_sign() {
        let interval = |low, high| {
            let estimate =
                Estimate { mean: 55.0, interval: Some((low, high)), has_spread: true, count: 5 };
            spread(&estimate, 1)
        };
        assert_eq!(interval(55.0 + 1e-9, 55.0 + 1e-9).as_deref(), Some("±0.0"));
        assert_eq!(interval(54.0, 55.0 - 1e-9).as_deref(), Some("−1.0"));
    }
}
