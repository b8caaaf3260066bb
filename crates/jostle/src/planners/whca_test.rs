use super::*;
use crate::grid::Picture;
use crate::planners::testing;
use crate::simulate::Outcome;

fn run(world: &mut World, options: Whca, ticks: u64) -> Outcome {
    testing::run(world, &mut WhcaPlanner::new(options), ticks)
}

/// The best window of an agent on `start`, past what is reserved for agent 99.
fn window(
    drawing: &str,
    start: (u32, u32),
    goal: (u32, u32),
    reserved: &[(u32, u32)],
    parks: bool,
    w: u64,
) -> (Vec<(u32, u32)>, f64) {
    let grid = Picture::parse(drawing).unwrap().grid;
    let cell = |(x, y): (u32, u32)| grid.at(x, y).unwrap();
    let mut world = World::new(grid.clone());
    let agent = world.add(cell(start), cell(goal)).unwrap();
    let mut schedule = Schedule::default();
    schedule.resize(100);
    let cells: Vec<Cell> = reserved.iter().map(|&at| cell(at)).collect();
    schedule.adopt(99, 0, &cells, parks);
    let mut reverse = ReverseSearch::default();
    reverse.begin(&grid, cell(start), cell(goal));
    let mut traffic = Window {
        world: &world,
        schedule: &schedule,
        reverse: &mut reverse,
        slot: agent.slot(),
        goal: cell(goal),
        is_cut: false,
        ends: w,
    };
    let mut search = SpaceTime::default();
    search.begin(&grid, cell(start), 0);
    let progress = search.resume(&grid, &mut traffic, &mut Budget::unlimited());
    assert_eq!(progress, Verdict::Found(()));
    let mut path = Vec::new();
    search.path(&mut path);
    let path = path.into_iter().map(|cell| grid.position(cell)).collect();
    (path, search.cost().unwrap().as_f64())
}

const BAY: &str = "#####\n.....\n##.##";

#[test]
fn o11_an_agent_at_its_goal_steps_aside_and_back() {
    let passes = [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)];
    let (path, cost) = window(BAY, (2, 1), (2, 1), &passes, false, 6);
    assert!((cost - 2.0).abs() < 1e-6, "{cost}");
    assert_eq!(path, [(2, 1), (2, 1), (2, 2), (2, 1), (2, 1), (2, 1), (2, 1)]);
}

#[test]
fn o11_the_terminal_edge_stands_for_the_rest_of_the_path() {
    for w in [4, 1] {
        let (_, cost) = window(BAY, (0, 1), (2, 1), &[], false, w);
        assert!((cost - 2.0).abs() < 1e-6, "{cost} with a window of {w}");
    }
}

#[test]
fn o11_an_agent_leaves_its_goal_for_one_that_has_reserved_it_for_good() {
    let corridor = "#####\n.....\n#####";
    let parks = [(0, 1), (1, 1), (2, 1)];
    let (_, cost) = window(corridor, (2, 1), (2, 1), &parks, true, 3);
    assert!((cost - 3.0).abs() < 1e-6, "{cost}");
}

#[test]
fn two_agents_pass_each_other_at_a_bay() {
    let drawing = "#######\n#A...B#\n###.###\n#######";
    let picture = Picture::parse(drawing).unwrap();
    let (a, b) = (picture.find('A').unwrap(), picture.find('B').unwrap());
    let mut world = World::new(picture.grid);
    world.add(a, b).unwrap();
    world.add(b, a).unwrap();
    let outcome = run(&mut world, Whca { window: 8, ..Whca::default() }, 60);
    assert!(outcome.metrics.ticks <= 20, "{}", outcome.metrics.ticks);
    assert!((outcome.metrics.completion_rate() - 1.0).abs() < 1e-9);
}

#[test]
fn a_budget_spreads_the_first_searches_over_ticks() {
    let grid = crate::Level::Cave.generate(64, 64, 1).unwrap();
    let instance = crate::Instance::draw(grid, crate::instance::Kind::Random, 60, 1).unwrap();
    let (mut world, mut moves) = (instance.world(), Moves::default());
    let mut planner = WhcaPlanner::new(Whca { window: 8, budget: Some(2000) });
    let mut most = 0;
    for _ in 0..400 {
        let work = crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap();
        most = most.max(work.expansions);
    }
    assert!(most <= 2000, "{most}");
    assert!(world.have_all_arrived());
}
