//! Silver's findings of 2005, in his setting: ten maps of 32x32 with 4 neighbours and a fifth of the cells
//! blocked, 100 agents, 100 turns.

use jostle::check::check_trace;
use jostle::instance::Kind;
use jostle::metrics::Turns;
use jostle::planners::planner;
use jostle::search::shortest_path;
use jostle::{Instance, Level, Limits, Neighbours, Rules, Simulation};

struct Finding {
    /// The share of agents that reached their goals.
    success: f64,
    /// Turns until they did, divided by the steps that they would have taken alone.
    path_over_shortest: f64,
    cycles: f64,
}

fn experiment(name: &str) -> Finding {
    let (mut agents, mut arrived, mut walked, mut shortest, mut cycles) = (0, 0, 0, 0, 0);
    for seed in 1..=10 {
        let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
        let grid = Level::Scatter.generate(32, 32, seed).unwrap().with_rules(rules);
        let instance = Instance::draw(grid, Kind::Random, 100, seed).unwrap();
        let mut world = instance.world();
        let outcome = Simulation::new(&mut world, planner(name).unwrap().as_mut())
            .limits(Limits::ticks(100))
            .traced()
            .run()
            .unwrap();
        let trace = outcome.trace.unwrap();
        check_trace(&trace).unwrap();
        for (turns, &(start, goal)) in Turns::of(&trace).iter().zip(instance.tasks()) {
            agents += 1;
            cycles += turns.cycles;
            if let Some(length) = turns.path_length {
                arrived += 1;
                walked += length;
                shortest += shortest_path(instance.grid(), start, goal).unwrap().1.len() as u64 - 1;
            }
        }
    }
    let agents = f64::from(agents);
    Finding {
        success: f64::from(arrived) / agents,
        path_over_shortest: walked as f64 / shortest as f64,
        cycles: cycles as f64 / agents,
    }
}

#[test]
fn with_windows_of_16_98_of_100_agents_arrive_and_with_local_repair_fewer() {
    let (windowed, repair) = (experiment("whca:window=16"), experiment("lra"));
    assert!(windowed.success >= 0.98, "{}", windowed.success);
    assert!(windowed.success > repair.success, "{} {}", windowed.success, repair.success);
    assert!(windowed.cycles * 2.0 < repair.cycles, "{} {}", windowed.cycles, repair.cycles);
}

#[test]
fn whole_routes_are_at_most_a_quarter_longer_than_the_shortest() {
    for name in ["ca", "hca"] {
        let finding = experiment(name);
        assert!(finding.path_over_shortest <= 1.25, "{name}: {}", finding.path_over_shortest);
        assert!(finding.success >= 0.95, "{name}: {}", finding.success);
    }
}
