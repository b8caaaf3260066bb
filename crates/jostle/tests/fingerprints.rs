//! Every planner moves as it always has: the fingerprints of its traces on a dozen small instances, with
//! edits, new goals, foreign agents, and agents that join and leave, under every rule of the grid.
//!
//! A change of a planner's behaviour changes its lines in `fingerprints.txt`, and is explained in its commit.
//! `JOSTLE_PIN=1 cargo test -p jostle --test fingerprints` writes the file again.

mod common;

use std::collections::BTreeMap;
use std::fmt::Write;

use common::{GameChange, run};
use jostle::instance::Kind;
use jostle::planners::{Entry, Registry, planner};
use jostle::{CornerRule, Crossing, Instance, Level, Neighbours, Rules, World, solvers};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Planners with parameters that reach other parts of the code.
const VARIATIONS: [&str; 15] = [
    "bmaa:landmarks=4",
    "bmaa-f-c:expansions=7:vision=3:moves=5:retry=2:order=rotating",
    "bmaa-c:push-rule=thesis:monotone=on:forget=on",
    "far:budget=40",
    "far:reserve=1:patience=3",
    "lra:budget=60:calm=on",
    "ca:budget=200",
    "hca:budget=200",
    "whca:window=5:budget=150",
    "pibt:budget=100",
    "pibt:swap=off:seed=3",
    "lacam-rt:iterations=1:swap=off:budget=300",
    "pibt:ties=random",
    "jostle:pool=25000:expansions=0",
    "jostle:swap=off:fields=64:expansions=3",
];

const TICKS: u64 = 150;

/// One instance: a level, how agents are drawn on it, and how much the game interferes.
struct Case {
    level: Level,
    side: u32,
    kind: Kind,
    agents: usize,
    neighbours: Neighbours,
    corners: CornerRule,
    crossing: Crossing,
    game_changes: usize,
}

fn cases() -> [Case; 12] {
    use CornerRule::{BothFree, Ignored, OneFree};
    use Crossing::{Allowed, Forbidden};
    use Neighbours::{Eight, Four};
    let case = |level, side, kind, agents, neighbours, corners, crossing, game_changes| Case {
        level,
        side,
        kind,
        agents,
        neighbours,
        corners,
        crossing,
        game_changes,
    };
    [
        case(Level::Cave, 24, Kind::Random, 40, Eight, BothFree, Allowed, 0),
        case(Level::Rooms, 28, Kind::Random, 30, Eight, BothFree, Allowed, 60),
        case(Level::Scatter, 20, Kind::Random, 40, Four, BothFree, Allowed, 40),
        case(Level::Maze, 25, Kind::Random, 15, Eight, OneFree, Allowed, 30),
        case(Level::Islands, 26, Kind::TightToTight, 30, Eight, Ignored, Allowed, 50),
        case(Level::City, 24, Kind::CrossSides, 40, Eight, BothFree, Forbidden, 40),
        case(Level::Warehouse, 24, Kind::SwapSides, 40, Four, BothFree, Allowed, 0),
        case(Level::Islands, 30, Kind::SwapSides, 30, Eight, BothFree, Allowed, 20),
        case(Level::Arena, 14, Kind::Random, 70, Eight, BothFree, Forbidden, 60),
        case(Level::Scatter, 16, Kind::OutsideIn, 50, Eight, OneFree, Forbidden, 80),
        case(Level::Cave, 32, Kind::InsideOut, 25, Eight, Ignored, Forbidden, 90),
        case(Level::Rooms, 20, Kind::TightToWide, 20, Four, BothFree, Allowed, 120),
    ]
}

impl Case {
    fn world(&self) -> World {
        let Self { neighbours, corners, crossing, .. } = *self;
        let rules = Rules { neighbours, corners, crossing };
        let grid = self.level.generate(self.side, self.side, 5).unwrap().with_rules(rules);
        Instance::draw(grid, self.kind, self.agents, 9).unwrap().world()
    }

    fn game_changes(&self) -> Vec<(u64, GameChange)> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.game_changes as u64);
        let mut number = |most: u32| rng.random_range(0..most) as usize;
        (0..self.game_changes)
            .map(|_| {
                let tick = number(TICKS as u32) as u64;
                let (a, b) = (number(10_000), number(10_000));
                let change = match number(7) {
                    0 | 1 => GameChange::Send(a, b),
                    2 | 3 => GameChange::Toggle(a),
                    4 => GameChange::Join(a, b),
                    5 => GameChange::Leave(a),
                    _ => GameChange::Place(a, b),
                };
                (tick, change)
            })
            .collect()
    }
}

/// All planners by name, and variations. Solvers have a small budget, because they spend all of it.
fn specs() -> impl Iterator<Item = String> {
    let spec = |entry: &Entry| match solvers::Registry::builtin().find(entry.name()) {
        Ok(_) => format!("{}:budget=2000", entry.name()),
        Err(_) => entry.name().to_owned(),
    };
    let variations = VARIATIONS.into_iter().map(str::to_owned);
    Registry::builtin().entries().iter().map(spec).chain(variations)
}

#[test]
fn every_planner_moves_as_it_always_has() {
    let mut found = String::new();
    for (number, case) in cases().iter().enumerate() {
        let (world, game_changes) = (case.world(), case.game_changes());
        for spec in specs() {
            let outcome = run(&world, planner(&spec).unwrap().as_mut(), TICKS, &game_changes);
            let fingerprint = outcome.trace.unwrap().fingerprint();
            let expansions = outcome.metrics.work.expansions;
            writeln!(found, "{number:02}-{} {spec} {fingerprint:016x} {expansions}", case.level)
                .unwrap();
        }
    }
    if std::env::var_os("JOSTLE_PIN").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fingerprints.txt");
        std::fs::write(path, &found).unwrap();
        return;
    }
    let by_run = |text: &'static str| -> BTreeMap<String, String> {
        let split = |line: &str| {
            let (instance, rest) = line.split_once(' ').unwrap();
            let (spec, trace) = rest.split_once(' ').unwrap();
            (format!("{instance} {spec}"), trace.to_owned())
        };
        text.lines().map(split).collect()
    };
    let pinned = by_run(include_str!("fingerprints.txt"));
    let found = by_run(found.leak());
    let changed: Vec<_> =
        found.iter().filter(|&(run, trace)| pinned.get(run) != Some(trace)).collect();
    assert!(changed.is_empty(), "{} of {} runs differ: {changed:#?}", changed.len(), found.len());
    assert_eq!(pinned.len(), found.len(), "a planner or an instance is gone");
}
