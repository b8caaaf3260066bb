//! How close the values of a table are to the paper's numbers beside them.

use super::super::papers::Relation;
use super::comparison::Compared;
use crate::table::Line;

/// The fewest numbers of a paper of which anything is said.
const FEWEST: usize = 12;

/// Our value and the paper's.
type Pair = (f64, f64);

/// A note on all cells that have both values: their correlation, how far they are apart, and how many pairs stand in the paper's order.
/// `each` is what a line is about, as in `map`. None where the paper has few numbers.
pub fn note(lines: &[Line<Compared>], each: &str) -> Option<String> {
    let rows: Vec<Vec<Option<Pair>>> = lines
        .iter()
        .filter(|line| !line.is_summary)
        .map(|line| line.cells.iter().map(both).collect())
        .collect();
    let all: Vec<Pair> = rows.iter().flatten().copied().flatten().collect();
    if all.len() < FEWEST {
        return None;
    }
    let apart =
        all.iter().map(|(ours, paper)| (ours - paper).abs()).sum::<f64>() / all.len() as f64;
    let digits = usize::from(apart < 100.0);
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let columns =
        (0..width).map(|column| rows.iter().filter_map(|row| *row.get(column)?).collect());
    let by_line = in_order(columns)?;
    let by_column = in_order(rows.iter().map(|row| row.iter().copied().flatten().collect()))?;
    Some(format!(
        "beside {} numbers of the paper: correlation {:.2}, {apart:.digits$} apart on average; in the paper's order: {by_line:.0} % of the \
         pairs of {each}s with one planner, {by_column:.0} % of the pairs of planners on one {each}",
        all.len(),
        correlation(&all)?,
    ))
}

/// Our value and the paper's, if the paper gives one and not a bound.
fn both(cell: &Compared) -> Option<Pair> {
    let paper = cell.paper.filter(|paper| paper.relation == Relation::Is)?;
    Some((cell.ours?.mean, paper.value))
}

/// Pearson's correlation. None if one side does not vary.
fn correlation(pairs: &[Pair]) -> Option<f64> {
    let n = pairs.len() as f64;
    let mean = |of: fn(&Pair) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (ours, paper) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let [mut both, mut first, mut second] = [0.0; 3];
    for (a, b) in pairs {
        both += (a - ours) * (b - paper);
        first += (a - ours).powi(2);
        second += (b - paper).powi(2);
    }
    let spread = (first * second).sqrt();
    (spread > 0.0).then(|| both / spread)
}

/// Of all two values of one list that differ in the paper, those that differ in the same way here, in percent.
fn in_order(lists: impl Iterator<Item = Vec<Pair>>) -> Option<f64> {
    let (mut same, mut all) = (0_u32, 0_u32);
    for list in lists {
        for (index, a) in list.iter().enumerate() {
            for b in &list[index + 1..] {
                let papers = a.1.total_cmp(&b.1);
                if papers.is_ne() {
                    all += 1;
                    same += u32::from(a.0.total_cmp(&b.0) == papers);
                }
            }
        }
    }
    (all > 0).then(|| 100.0 * f64::from(same) / f64::from(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_a_line_of_the_papers_have_a_correlation_of_one() {
        let pairs = [(1.0, 10.0), (2.0, 30.0), (3.0, 50.0)];
        assert!((correlation(&pairs).unwrap() - 1.0).abs() < 1e-12);
        assert!((correlation(&pairs.map(|(a, b)| (-a, b))).unwrap() + 1.0).abs() < 1e-12);
        // By hand: deviations (-1, 0, 1) and (0, -1, 1), so 1 over 2.
        assert!((correlation(&[(1.0, 2.0), (2.0, 1.0), (3.0, 3.0)]).unwrap() - 0.5).abs() < 1e-12);
        assert_eq!(correlation(&[(1.0, 2.0), (1.0, 3.0)]), None);
    }

    #[test]
    fn pairs_that_are_equal_in_the_paper_have_no_order() {
        let list = vec![(1.0, 5.0), (2.0, 5.0), (3.0, 7.0), (2.5, 9.0)];
        // Five pairs differ in the paper; 3 and 2.5 stand the other way round here.
        assert_eq!(in_order(std::iter::once(list)), Some(80.0));
        assert_eq!(in_order(std::iter::once(vec![(1.0, 5.0), (2.0, 5.0)])), None);
    }
}
