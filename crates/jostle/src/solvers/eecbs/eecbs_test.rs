use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::Budget;
use crate::solvers::Solution;
use crate::solvers::testing::{joint_optimum, small};

/// Every option off, and all options on.
fn all_options(w: f64) -> [Eecbs; 8] {
    let whole = Eecbs { w, ..Eecbs::default() };
    let plain = Eecbs {
        w,
        prioritise: false,
        bypass: false,
        target: false,
        corridor: false,
        rectangle: false,
        mutex: false,
    };
    [
        whole,
        plain,
        Eecbs { prioritise: false, ..whole },
        Eecbs { bypass: false, ..whole },
        Eecbs { target: false, ..whole },
        Eecbs { corridor: false, ..whole },
        Eecbs { rectangle: false, ..whole },
        Eecbs { mutex: false, ..whole },
    ]
}

#[test]
fn no_plan_costs_more_than_its_bound() {
    let mut dice = ChaCha8Rng::seed_from_u64(5);
    // For each combination of options, how many costs were compared, and how many were not the best.
    let mut compared = [(0, 0); 7];
    for number in 0..900 {
        let Some(instance) = small(&mut dice) else { continue };
        let w = [1.0, 1.05, 1.2, 1.5, 3.0][dice.random_range(0..5)];
        let best = joint_optimum(&instance, Objective::SumOfCosts);
        for (options, compared) in all_options(w).into_iter().zip(&mut compared) {
            let mut budget = Budget::expansions(20_000);
            let answer = options.solve(&instance, &mut budget, &mut |_| ());
            let what = format!("instance {number}: {options:?}, {answer:?}, best {best:?}");
            match (&answer.best, best) {
                (Some(Solution { plan, cost }), Some(best)) => {
                    assert_eq!((plan.first_conflict(), plan.sum_of_costs()), (None, *cost));
                    plan.to_trace().unwrap();
                    assert!((best..=(w * best as f64) as u64).contains(cost), "{what}");
                    assert!(answer.bound <= best, "{what}");
                    let is_best = answer.proof == Proof::Optimal;
                    assert!(is_best || answer.proof == Proof::Bounded(w), "{what}");
                    assert!(!is_best || *cost == best, "{what}");
                    compared.0 += 1;
                    compared.1 += usize::from(*cost > best);
                }
                (None, Some(best)) => {
                    assert_eq!(answer.proof, Proof::OutOfBudget, "{what}");
                    assert!(answer.bound <= best, "{what}");
                }
                (None, None) => {}
                (Some(_), None) => panic!("{what}"),
            }
        }
    }
    assert!(compared.iter().all(|&(compared, _)| compared >= 500), "{compared:?}");
    assert!(compared.iter().any(|&(_, dearer)| dearer > 0), "the bound is used: {compared:?}");
}

#[test]
fn slices_find_the_same_plan_as_one_search() {
    let mut dice = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..100 {
        let Some(instance) = small(&mut dice) else { continue };
        if joint_optimum(&instance, Objective::SumOfCosts).is_none() {
            continue;
        }
        let mut attempt = Eecbs::default().begin(&instance);
        for _ in 0..100_000 {
            if attempt.go_on(&mut Budget::expansions(3), &mut |_| ()).proof != Proof::OutOfBudget {
                break;
            }
        }
        let sliced = attempt.go_on(&mut Budget::expansions(0), &mut |_| ());
        let whole = Eecbs::default().solve(&instance, &mut Budget::unlimited(), &mut |_| ());
        assert!(sliced.best.is_some() && whole.best.is_some());
    }
}
