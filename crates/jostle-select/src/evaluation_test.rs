use jostle::Grid;

use super::*;
use crate::{Forest, Given, Perfect, Sample, SingleBest, Worst};

/// Three candidates on eight problems, two on each of four maps.
fn samples() -> Samples {
    let mut results = Results::of_problems(8).unwrap();
    results.add(&[1.0, 1.0, 4.0, 4.0, 1.0, 1.0, 4.0, 4.0]).unwrap();
    results.add(&[2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0]).unwrap();
    results.add(&[9.0, 9.0, 9.0, 2.0, 9.0, 9.0, 9.0, 9.0]).unwrap();
    let grids = [3, 9, 4, 10].map(|side| Grid::open(side, side).unwrap()).to_vec();
    let problems = (0..8).map(|n| Sample { map: n / 2, tasks: Vec::new() }).collect();
    // On the fourth problem two cost the same, and the last one is best for another reason.
    Samples::new(grids, problems, results, vec![0, 0, 1, 2, 0, 0, 1, 1]).unwrap()
}

fn halves() -> Vec<Split> {
    let [front, back] = [(0..4).collect::<Vec<_>>(), (4..8).collect()];
    vec![Split { train: front.clone(), test: back.clone() }, Split { train: back, test: front }]
}

fn evaluate(trial: &Trial<'_>, selectors: Vec<Box<dyn Selector>>) -> Evaluation {
    let mut selectors = selectors;
    trial.evaluate(&mut selectors, &mut |_| ()).unwrap()
}

#[test]
fn the_bounds_of_an_evaluation_are_those_of_selectors_that_know_the_results() {
    let (samples, splits) = (samples(), halves());
    let trial = Trial::new(&samples, &splits);
    let selectors: Vec<Box<dyn Selector>> =
        vec![Box::new(Perfect), Box::new(SingleBest::default()), Box::new(Worst)];
    let evaluation = evaluate(&trial, selectors);
    let names: Vec<&str> = evaluation.rows.iter().map(|row| row.name.as_str()).collect();
    let candidates = ["candidate 0", "candidate 1", "candidate 2", "worst"];
    assert_eq!(names[..5], ["perfect", "perfect", "single best", "worst", "single best"]);
    assert_eq!(names[5..], candidates);
    assert_eq!(evaluation.rows[0].scores, evaluation.rows[1].scores);
    assert_eq!(evaluation.rows[2].scores, evaluation.rows[4].scores);
    assert_eq!(evaluation.rows[3].scores, evaluation.rows[8].scores);
}

#[test]
fn an_evaluation_by_hand() {
    let (samples, splits) = (samples(), halves());
    let distance = Measure {
        name: "distance".to_owned(),
        results: {
            let mut results = Results::of_problems(8).unwrap();
            (0..3).for_each(|candidate| results.add(&[candidate as f32 * 10.0; 8]).unwrap());
            results
        },
        digits: 1,
    };
    let groups =
        Groups { of: vec![0, 1, 0, 1, 0, 0, 0, 0], names: ["a", "b"].map(str::to_owned).to_vec() };
    let trial = Trial {
        measures: std::slice::from_ref(&distance),
        groups: &groups,
        ..Trial::new(&samples, &splits)
    };
    // On the first split all are right, on the second one the last choice is as cheap as the best one, and the first one is wrong.
    let given = Given::new("given", &splits, vec![vec![0, 0, 1, 1], vec![1, 0, 1, 1]]).unwrap();
    let evaluation = evaluate(&trial, vec![Box::new(given)]);
    let row = evaluation.row("given").unwrap();
    let [first, second] = &row.scores[..] else { panic!("two splits") };
    assert_eq!((first.accuracy, first.worth.unbeaten), (Some(1.0), 1.0));
    assert_eq!((second.accuracy, second.worth.unbeaten), (Some(0.5), 0.75));
    assert_eq!((first.worth.chosen, second.worth.chosen), (1.5, 1.75));
    // Candidate 1 is the best one on both training sides.
    assert_eq!((first.worth.single_best, second.worth.single_best), (2.0, 2.0));
    assert_eq!((first.worth.perfect, second.worth.perfect), (1.5, 1.5));
    assert_eq!(
        (first.chosen.as_slice(), second.chosen.as_slice()),
        (&[2, 2, 0][..], &[1, 3, 0][..])
    );
    assert_eq!(evaluation.best, [[2, 2, 0], [2, 1, 1]]);
    assert_eq!(first.measures, [5.0]);
    assert_eq!(first.groups, [Some(1.5), None]);
    assert_eq!(second.groups, [Some(2.0), Some(1.5)]);
    assert_eq!(row.gap_closed(), Some(0.75));
    assert_eq!(evaluation.splits_won(row), 2);
    let cost = row.cost().unwrap();
    assert!((cost.mean - 1.625).abs() < 1e-12);
    assert!((cost.deviation - 0.25 / 2_f64.sqrt()).abs() < 1e-12);
    // Gains of 0.5 and 0.25, two splits, as many test problems as training problems.
    let (gain, error) = evaluation.gain(row).unwrap();
    assert!((gain - 0.375).abs() < 1e-12);
    assert!((error - 0.25 / 2_f64.sqrt() * 1.5_f64.sqrt()).abs() < 1e-12);
    let prior = evaluation.row("single best").unwrap();
    assert_eq!((evaluation.splits_won(prior), prior.gap_closed()), (0, Some(0.0)));
    assert_eq!(evaluation.notes, Vec::<String>::new());
}

#[test]
fn the_single_best_candidate_is_that_of_the_training_side() {
    let samples = samples();
    // Candidate 0 is best on the training side, and costs 4 on the test side.
    let splits = [Split { train: vec![0, 1, 4, 5], test: vec![2, 3, 6, 7] }];
    let evaluation = evaluate(&Trial::new(&samples, &splits), vec![Box::new(Forest::default())]);
    let score = &evaluation.row("forest").unwrap().scores[0];
    assert_eq!((score.worth.single_best, score.worth.chosen), (4.0, 4.0));
    let expected = "on 1 of 1 splits the same choice is best for every training problem: there is nothing to learn";
    assert_eq!(evaluation.notes, [expected]);
}

#[test]
fn labels_are_right_or_wrong_and_cost_what_their_candidates_cost() {
    let samples = samples();
    let names = ["small", "large"].map(str::to_owned).to_vec();
    let menu = Menu::Labels { of: vec![0, 0, 1, 1, 0, 0, 1, 1], names };
    let splits = halves();
    let trial = Trial { menu, ..Trial::new(&samples, &splits) };
    let given = Given::new("given", &splits, vec![vec![0, 0, 1, 0], vec![0, 0, 1, 1]]).unwrap();
    let evaluation = evaluate(&trial, vec![Box::new(given), Box::new(Forest::default())]);
    let names: Vec<&str> = evaluation.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["perfect", "given", "forest", "single best", "worst"]);
    // Small maps are for candidate 0 and large ones for candidate 1, which is the single best as well.
    let score = &evaluation.row("given").unwrap().scores[0];
    assert_eq!((score.worth.chosen, score.worth.perfect), ((1.0 + 1.0 + 2.0 + 4.0) / 4.0, 1.5));
    assert_eq!((score.accuracy, score.chosen.as_slice()), (Some(0.75), &[3, 1][..]));
}

#[test]
fn a_single_best_candidate_that_no_label_stands_for_is_compared_with() {
    let mut results = Results::of_problems(4).unwrap();
    results.add(&[1.0, 9.0, 1.0, 9.0]).unwrap();
    results.add(&[9.0, 1.0, 9.0, 1.0]).unwrap();
    results.add(&[3.0, 3.0, 3.0, 3.0]).unwrap();
    let problems = (0..4).map(|map| Sample { map, tasks: Vec::new() }).collect();
    let grids = [2, 9, 2, 9].map(|side| Grid::open(side, side).unwrap()).to_vec();
    let samples = Samples::new(grids, problems, results, vec![0, 1, 0, 1]).unwrap();
    let names = ["small", "large"].map(str::to_owned).to_vec();
    let menu = Menu::Labels { of: vec![0, 1, 0, 1], names };
    let splits = [Split { train: vec![0, 1], test: vec![2, 3] }];
    let evaluation = evaluate(&Trial { menu, ..Trial::new(&samples, &splits) }, Vec::new());
    let prior = &evaluation.row("single best").unwrap().scores[0];
    assert_eq!((prior.worth.chosen, prior.worth.perfect), (3.0, 1.0));
    assert_eq!((prior.accuracy, prior.chosen.as_slice()), (None, &[0, 0][..]));
    let worst = &evaluation.row("worst").unwrap().scores[0];
    assert_eq!((worst.worth.chosen, worst.accuracy), (9.0, Some(0.0)));
}

#[test]
fn a_portfolio_is_evaluated_by_its_members() {
    let (samples, splits) = (samples(), halves());
    let trial = Trial { menu: Menu::Portfolio(2), ..Trial::new(&samples, &splits) };
    let evaluation = evaluate(&trial, vec![Box::new(Forest::default())]);
    // Members are candidates 1 and 0, in this order.
    assert_eq!(evaluation.best[0], [2, 2]);
    let perfect = &evaluation.row("perfect").unwrap().scores[0].worth;
    assert_eq!((perfect.chosen, perfect.single_best), (1.5, 2.0));
}

#[test]
fn progress_is_told_before_each_selector_learns() {
    let (samples, splits) = (samples(), halves());
    let mut selectors: Vec<Box<dyn Selector>> = vec![Box::new(Perfect), Box::new(Worst)];
    let mut told = Vec::new();
    let mut progress =
        |step: Step<'_>| told.push((step.selector.to_owned(), step.split, step.done, step.of));
    Trial::new(&samples, &splits).evaluate(&mut selectors, &mut progress).unwrap();
    let told: Vec<_> = told.iter().map(|(name, a, b, c)| (name.as_str(), *a, *b, *c)).collect();
    let expected =
        [("perfect", 0, 0, 4), ("worst", 0, 1, 4), ("perfect", 1, 2, 4), ("worst", 1, 3, 4)];
    assert_eq!(told, expected);
}

#[test]
fn what_cannot_be_evaluated_is_refused_in_a_sentence() {
    let samples = samples();
    let refused = |trial: &Trial<'_>, selector: Box<dyn Selector>| {
        trial.evaluate(&mut [selector], &mut |_| ()).unwrap_err()
    };
    let none = Trial::new(&samples, &[]);
    assert_eq!(refused(&none, Box::new(Perfect)), "there is no split of the problems");
    let empty = [Split { train: vec![0], test: vec![] }];
    let reason = "split 0: there is no problem to be tested on";
    assert_eq!(refused(&Trial::new(&samples, &empty), Box::new(Perfect)), reason);
    let splits = halves();
    let few = Given::new("few", &splits[..1], vec![vec![0; 4]]).unwrap();
    let reason = "few: it was not trained on these problems";
    let trial = Trial::new(&samples, &splits);
    assert_eq!(refused(&trial, Box::new(few)), reason);
    let unknown = Given::new("odd", &splits, vec![vec![7; 4], vec![0; 4]]).unwrap();
    let reason = "odd: it has chosen candidate 7, and there are 3";
    assert_eq!(refused(&trial, Box::new(unknown)), reason);
    assert_eq!(
        Given::new("short", &splits, vec![vec![0; 4], vec![0; 3]]).unwrap_err(),
        "short has 3 choices for split 1, which has 4 test problems"
    );
    let mut other = Results::of_problems(8).unwrap();
    other.add(&[0.0; 8]).unwrap();
    let measures = [Measure { name: "time".to_owned(), results: other, digits: 1 }];
    let trial = Trial { measures: &measures, ..Trial::new(&samples, &splits) };
    let reason = "time is measured for other problems or candidates";
    assert_eq!(refused(&trial, Box::new(Perfect)), reason);
}
