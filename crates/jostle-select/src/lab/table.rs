//! Tables of what selectors are worth.

use jostle_lab::report::student_t_95;
use jostle_lab::table::{Cell, Line, Table};

use crate::{Evaluation, Groups, Measure, Role, Row, Spread};

/// How costs appear in tables.
#[derive(Clone, PartialEq, Debug)]
pub struct Columns {
    /// The names of candidates.
    pub candidates: Vec<String>,
    /// What tables call the cost, with its unit.
    pub cost: String,
    /// Tables show this number of times the cost, plus the other one: a completion rate in percent is 100 - 100 x cost.
    pub scale: (f64, f64),
    /// The number of decimals.
    pub digits: usize,
}

impl Columns {
    /// Costs that are the share of agents that have not arrived appear as completion rates.
    pub fn completion(candidates: &[String]) -> Self {
        Self {
            candidates: candidates.to_vec(),
            cost: "completion rate (%)".to_owned(),
            scale: (-100.0, 100.0),
            digits: 1,
        }
    }

    /// Costs that are suboptimalities appear as they are.
    pub fn suboptimality(candidates: &[String]) -> Self {
        Self {
            candidates: candidates.to_vec(),
            cost: "suboptimality".to_owned(),
            scale: (1.0, 0.0),
            digits: 2,
        }
    }

    fn shown(&self, spread: Spread) -> Spread {
        let (factor, plus) = self.scale;
        Spread { mean: spread.mean * factor + plus, deviation: spread.deviation * factor.abs() }
    }

    /// What a row is called.
    fn label(&self, row: &Row) -> String {
        match row.role {
            Role::Always(candidate) => self.candidates.get(candidate).unwrap_or(&row.name).clone(),
            _ => row.name.clone(),
        }
    }
}

/// A mean with the standard deviation between splits.
fn cell(spread: Option<Spread>, digits: usize) -> Cell {
    let Some(Spread { mean, deviation }) = spread else { return Cell::default() };
    let detail = format!("±{deviation:.digits$}");
    Cell { value: Some(format!("{mean:.digits$}")), detail, is_best: false }
}

/// A line for each selector and each bound: costs, measures, accuracy, the part of the gap that is closed, splits on which it beats the single best
/// candidate, and what it gains over that.
pub fn by_selector(
    evaluation: &Evaluation,
    columns: &Columns,
    measures: &[Measure],
    (name, title): (&str, &str),
) -> Table {
    let splits = evaluation.sizes.len();
    let line = |row: &Row| {
        let mut cells = vec![cell(row.cost().map(|cost| columns.shown(cost)), columns.digits)];
        for (at, measure) in measures.iter().enumerate() {
            cells.push(cell(row.spread(|score| score.measures.get(at).copied()), measure.digits));
        }
        let percent = |value: f64| value * 100.0;
        cells.push(cell(row.spread(|score| score.accuracy.map(percent)), 1));
        let is_selector = row.role == Role::Selector;
        let only_selectors = |text: Option<String>| text.filter(|_| is_selector);
        let gap = row.gap_closed().map(|gap| format!("{:.0}", gap * 100.0));
        let won = format!("{} of {splits}", evaluation.splits_won(row));
        cells.extend(
            [only_selectors(gap), only_selectors(Some(won))]
                .map(|value| Cell { value, ..Cell::default() }),
        );
        cells.push(if is_selector { gain(evaluation, row, columns) } else { Cell::default() });
        Line { label: columns.label(row), cells, is_summary: !is_selector }
    };
    let mut lines: Vec<Line> = evaluation.rows.iter().map(line).collect();
    mark_best(evaluation, &mut lines);
    let gap = ["accuracy (%)", "gap closed (%)", "better than single best", "gain"];
    let header = ["", columns.cost.as_str()].into_iter();
    let header = header.chain(measures.iter().map(|measure| measure.name.as_str())).chain(gap);
    let mut notes = vec![
        format!("means over {splits} splits, ± standard deviations between them"),
        "accuracy: the share of choices that are the best one, where only one of equals is".to_owned(),
        "gap: what is lost by always taking the candidate that is best on average on the training problems, instead of the best choice"
            .to_owned(),
        "gain over that candidate: a 95% interval by Student's t, corrected because splits share problems (Nadeau and Bengio, 2003)"
            .to_owned(),
    ];
    notes.extend(counts(evaluation, columns));
    notes.extend(evaluation.notes.iter().cloned());
    Table {
        name: name.to_owned(),
        title: title.to_owned(),
        header: header.map(str::to_owned).collect(),
        lines,
        notes,
    }
}

/// What a selector gains over the single best candidate, with its interval.
fn gain(evaluation: &Evaluation, row: &Row, columns: &Columns) -> Cell {
    let Some((gain, error)) = evaluation.gain(row) else { return Cell::default() };
    let (factor, digits) = (columns.scale.0.abs(), columns.digits);
    let half_width = student_t_95(evaluation.sizes.len() - 1) * error * factor;
    let value = Some(format!("{:+.digits$}", gain * factor));
    Cell { value, detail: format!("±{half_width:.digits$}"), is_best: false }
}

/// The selector that costs least.
fn mark_best(evaluation: &Evaluation, lines: &mut [Line]) {
    let costs = evaluation.rows.iter().enumerate().filter(|(_, row)| row.role == Role::Selector);
    let costs = costs.filter_map(|(at, row)| Some((at, row.cost()?.mean)));
    if let Some((at, _)) = costs.min_by(|one, other| one.1.total_cmp(&other.1)) {
        lines[at].cells[0].is_best = true;
    }
}

/// How often each choice was best, and how often it was made, where all candidates are on the menu.
fn counts(evaluation: &Evaluation, columns: &Columns) -> Vec<String> {
    let candidates = &columns.candidates;
    let shown = |name: &str, counts: &mut dyn Iterator<Item = &Vec<usize>>| {
        let mut sums = vec![0_usize; candidates.len()];
        for counts in counts {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        let all = sums.iter().sum::<usize>().max(1) as f64;
        let shares = candidates.iter().zip(&sums);
        let shares = shares.map(|(name, &sum)| format!("{name} {:.1}%", sum as f64 / all * 100.0));
        format!("{name}: {}", shares.collect::<Vec<_>>().join(", "))
    };
    let fits = evaluation.best.iter().all(|best| best.len() == candidates.len());
    if !fits || candidates.len() > 10 {
        return Vec::new();
    }
    let mut notes = vec![shown("the best choice", &mut evaluation.best.iter())];
    for row in evaluation.rows.iter().filter(|row| row.role == Role::Selector) {
        let name = format!("choices of {}", row.name);
        notes.push(shown(&name, &mut row.scores.iter().map(|score| &score.chosen)));
    }
    notes
}

/// A line for each group of problems, and a column for each selector and bound: mean costs.
pub fn by_group(
    evaluation: &Evaluation,
    columns: &Columns,
    groups: &Groups,
    (name, title): (&str, &str),
) -> Table {
    let line = |(group, name): (usize, &String)| {
        let cost = |row: &Row| {
            let spread = row.spread(|score| score.groups.get(group).copied().flatten());
            cell(spread.map(|spread| columns.shown(spread)), columns.digits)
        };
        let cells = evaluation.rows.iter().map(cost).collect();
        Line { label: name.clone(), cells, is_summary: false }
    };
    let header = std::iter::once(String::new())
        .chain(evaluation.rows.iter().map(|row| columns.label(row)))
        .collect();
    let splits = evaluation.sizes.len();
    Table {
        name: name.to_owned(),
        title: title.to_owned(),
        header,
        lines: groups.names.iter().enumerate().map(line).collect(),
        notes: vec![format!(
            "{}: means over {splits} splits, ± standard deviations between them",
            columns.cost
        )],
    }
}
