//! Cells, slots and IDs of other grids and worlds: every public function that takes one refuses it, or answers that
//! there is nothing. None panics.

use jostle::grid::{Components, Direction, Exits, Flow, Place};
use jostle::instance::{InstanceError, Reach};
use jostle::pibt::{Choices, Guidance, Priorities, Step};
use jostle::plan::TimedPath;
use jostle::planners::{Registry, planner};
use jostle::search::{
    Intervals, Landmarks, Learned, Reservations, ReverseSearch, Search, SpaceTime, StraightLine,
    TimedStep, Traffic, Verdict, shortest_path,
};
use jostle::world::Draft;
use jostle::{
    Agent, AgentId, Budget, Cell, Change, Configuration, Cost, Crossing, Crowd, Grid, Instance,
    Moves, Plan, Rules, Status, World, group,
};

const RULES: Rules = Rules {
    neighbours: jostle::Neighbours::Eight,
    corners: jostle::CornerRule::BothFree,
    crossing: Crossing::Forbidden,
};

/// Small grids of all shapes, with a wall.
fn grids() -> impl Iterator<Item = Grid> {
    [(1, 1), (1, 6), (2, 3), (6, 1), (5, 4)].into_iter().map(|(width, height)| {
        let mut grid = Grid::open(width, height).unwrap().with_rules(RULES);
        if let Some(cell) = grid.cell(2) {
            grid.set_floor(cell, false);
        }
        grid
    })
}

/// Cells of larger grids, just beyond a small one and far beyond it, and no cell at all.
fn strangers(grid: &Grid) -> Vec<Cell> {
    let large = Grid::open(700, 700).unwrap();
    let beyond = grid.cells().len()..grid.cells().len() + 12;
    let nowhere = ReverseSearch::default().goal();
    beyond.chain([9_000, 489_999]).map(|at| large.cell(at).unwrap()).chain([nowhere]).collect()
}

/// A world on a grid, with an agent in the corner.
fn world_on(grid: &Grid) -> (World, AgentId) {
    let mut world = World::new(grid.clone());
    let cell = grid.cell(0).unwrap();
    let agent = world.add(cell, cell).unwrap();
    (world, agent)
}

/// Agents of a world with many slots and generations.
fn other_agents() -> Vec<Agent> {
    let mut world = World::new(Grid::open(30, 30).unwrap());
    for _ in 0..3 {
        let cells: Vec<Cell> = world.grid().cells().step_by(7).collect();
        let ids: Vec<AgentId> =
            cells.iter().map(|&cell| world.add(cell, cells[0]).unwrap()).collect();
        for id in ids {
            world.remove(id).unwrap();
        }
    }
    for cell in world.grid().clone().cells().skip(400).step_by(5) {
        world.add(cell, cell).unwrap();
    }
    world.agents().collect()
}

fn other_ids() -> Vec<AgentId> {
    let ids = other_agents().into_iter().map(|agent| agent.id);
    ids.chain([u64::MAX, 1 << 32, u64::from(u32::MAX)].map(AgentId::from_bits)).collect()
}

#[test]
fn a_grid_knows_nothing_about_a_strange_cell() {
    for mut grid in grids() {
        let (home, fingerprint) = (grid.cell(0).unwrap(), grid.fingerprint());
        for cell in strangers(&grid) {
            assert!(!grid.contains(cell) && !grid.is_floor(cell) && grid.exits(cell).is_empty());
            assert_eq!(grid.cell(cell.index()), None);
            assert!(grid.locate(grid.position(cell)).is_err());
            assert_eq!(grid.neighbours(cell).count() + grid.around(cell).count(), 0);
            assert_eq!(
                (grid.step_between(cell, home), grid.step_between(home, cell)),
                (None, None)
            );
            let _ = (grid.distance(cell, home), grid.distance(home, cell));
            for direction in Direction::ALL {
                assert_eq!(grid.step(cell, direction), None);
                let _ = (grid.beside(cell, direction), grid.crossed_steps(cell, direction));
                let place = Place::of(&grid, cell);
                let _ = place.beside(&grid, direction).distance(place, RULES.neighbours);
            }
            assert!(!grid.set_floor(cell, true) && !grid.set_floor(cell, false));
        }
        assert_eq!(grid.fingerprint(), fingerprint);
    }
    // Numbers of cells do not wrap around.
    let grid = Grid::open(5, 4).unwrap();
    assert_eq!([1 << 32, (1 << 32) + 1, usize::MAX].map(|index| grid.cell(index)), [None; 3]);
}

#[test]
fn components_and_one_way_streets_know_nothing_about_a_strange_cell() {
    for grid in grids() {
        let (components, home) = (Components::of(&grid), grid.cell(0).unwrap());
        let mut flow = Flow::of(&grid);
        for cell in strangers(&grid) {
            assert_eq!(components.label(cell), None);
            assert!(!components.connected(cell, home) && !components.connected(cell, cell));
            assert!(!components.reaches(&grid, cell, home));
            assert!(!components.reaches(&grid, home, cell));
            flow.forget_near(&grid, cell);
            assert!(flow.on(&grid).exits(cell).is_empty());
        }
        assert_eq!(components.size(usize::MAX), 0);
    }
}

#[test]
fn a_world_refuses_strange_cells_slots_and_agents() {
    for grid in grids() {
        let (mut world, agent) = world_on(&grid);
        let changes = world.change_count();
        for cell in strangers(&grid) {
            assert_eq!((world.occupant(cell), world.agent_on(cell)), (None, None));
            assert!(!world.is_occupied(cell) && !world.is_foreign(cell));
            assert!(world.add(cell, cell).is_err() && world.add_foreign(cell).is_err());
            assert!(world.send(agent, cell).is_err() && world.place(agent, cell).is_err());
            assert!(world.set_floor(cell, false).is_err());
            let mut moves = Moves::waiting(&world);
            moves.set(agent, cell);
            assert!(world.advance(&moves).is_err());
        }
        let home = grid.cell(0).unwrap();
        for id in other_ids().into_iter().filter(|&id| id != agent) {
            assert_eq!((world.agent(id), Moves::waiting(&world).next(id)), (None, None));
            assert!(world.remove(id).is_err() && world.send(id, home).is_err());
            assert!(world.place(id, home).is_err());
            let join = Change::Join { agent: id, cell: home, goal: home, ours: true };
            assert!(world.apply(join).is_err());
            let mut moves = Moves::waiting(&world);
            moves.set(id, home);
            assert_eq!(world.clone().advance(&moves), Ok(()), "it has set nothing");
        }
        for slot in [1, 2, 900, usize::MAX] {
            assert_eq!(world.in_slot(slot), None);
            assert_eq!(
                (world.ours_in(slot..usize::MAX).count(), world.ours_from(slot).count()),
                (0, 1)
            );
        }
        #[allow(clippy::reversed_empty_ranges, reason = "such a range has no slots")]
        let backwards = world.ours_in(9..1).count();
        assert_eq!((backwards, world.change_count()), (0, changes));
    }
}

#[test]
fn drafts_and_configurations_refuse_strange_cells_and_agents() {
    for grid in grids() {
        let (world, _) = world_on(&grid);
        let (mut draft, mut moves) = (Draft::default(), Moves::waiting(&world));
        let mut now = world.configuration().clone();
        for began in [false, true] {
            if began {
                draft.begin(&world);
            }
            for agent in other_agents().into_iter().filter(|agent| agent.slot() > 0) {
                assert!(!draft.has_moved(&agent));
                draft.step(&world, &mut moves, &agent, agent.cell);
                draft.step(&world, &mut moves, &agent, grid.cell(0).unwrap());
                for direction in Direction::ALL {
                    let _ = draft.is_free(&world, &Moves::default(), &agent, direction);
                }
            }
            for cell in strangers(&grid) {
                assert!(draft.unmoved(&world, cell).is_none() && !draft.is_occupied(&world, cell));
                draft.step(&world, &mut moves, &world.in_slot(0).unwrap(), cell);
            }
        }
        assert!(!draft.has_moved(&world.in_slot(0).unwrap()));
        for cell in strangers(&grid) {
            assert_eq!((now.occupant(cell), now.is_occupied(cell)), (None, false));
            assert!(!now.place(0, cell) && !now.place(usize::MAX, cell));
            assert!(Configuration::of(&grid, [cell]).is_none());
        }
        let last = grid.cells().last().unwrap();
        for agent in [grid.cells().len(), u32::MAX as usize, usize::MAX] {
            assert!(!now.place(agent, last));
            assert_eq!(now.cell(agent), None);
            now.remove(agent);
        }
        assert_eq!(&now, world.configuration());
    }
}

/// Guidance that knows no distances.
struct Lost;

impl Guidance for Lost {
    fn is_movable(&self, _: usize) -> bool {
        true
    }
    fn goal(&self, _: usize) -> Cell {
        ReverseSearch::default().goal()
    }
    fn choices(
        &mut self,
        grid: &Grid,
        _: usize,
        here: Cell,
        is_open: impl Fn(Cell) -> bool,
    ) -> Choices {
        Choices::by_value(grid, here, is_open, 0, |_| None)
    }
    fn comes_closer(&mut self, _: &Grid, _: usize, _: Cell, _: Cell) -> bool {
        false
    }
}

#[test]
fn a_step_passes_strange_agents_over() {
    for grid in grids() {
        let now = Configuration::of(&grid, [grid.cell(0).unwrap()]).unwrap();
        let (mut step, mut priorities) = (Step::default(), Priorities::new(0));
        assert!(!step.decide(&grid, &now, 0, grid.cell(0).unwrap()), "it has not begun");
        step.begin(&grid, &now);
        for cell in strangers(&grid) {
            assert!(!step.decide(&grid, &now, 0, cell) && !step.decide(&grid, &now, 7, cell));
        }
        assert!(step.run(&grid, &now, &[5, 0, u32::MAX], &mut Lost));
        assert_eq!((step.next(&now, 7), step.wish(7), step.wish(usize::MAX)), (None, None, None));
        priorities.forget(usize::MAX);
        priorities.defer(usize::MAX, 3);
        assert_eq!(priorities.ties(usize::MAX), 0);
    }
}

/// Nothing moves, and nothing is ever reached.
struct Still;

impl Traffic for Still {
    fn h(&mut self, _: &Grid, _: Place, _: &mut Budget<'_>) -> Verdict<Cost> {
        Verdict::Found(Cost::ZERO)
    }
    fn is_free(&self, _: &Grid, _: TimedStep) -> bool {
        true
    }
    fn waiting(&self, _: Place) -> Cost {
        Cost::CARDINAL
    }
    fn is_end(&self, _: Place, _: u64) -> bool {
        false
    }
    fn settled(&self) -> u64 {
        3
    }
}

#[test]
fn searches_find_nothing_from_and_to_a_strange_cell() {
    for grid in grids() {
        let home = grid.cell(0).unwrap();
        let mut unlimited = Budget::unlimited();
        for cell in strangers(&grid) {
            assert_eq!(shortest_path(&grid, cell, home), None);
            assert_eq!(shortest_path(&grid, home, cell), None);
            let (mut search, mut path) = (Search::default(), Vec::new());
            for most in [0, 5, 100_000] {
                let problem = StraightLine::to(home, &grid);
                let verdict = search.run(&problem, cell, &mut Budget::expansions(most));
                assert_eq!(verdict, Verdict::Nothing);
            }
            search.begin(&StraightLine::to(home, &grid), cell);
            search.path(&mut path);
            assert!(path.is_empty());

            let mut reverse = ReverseSearch::default();
            for began in [false, true] {
                if began {
                    reverse.begin(&grid, cell, cell);
                }
                assert_eq!(reverse.distance(&grid, home, &mut unlimited), Verdict::Nothing);
                assert_eq!(reverse.distance(&grid, cell, &mut unlimited), Verdict::Nothing);
                assert_eq!(reverse.known(Place::of(&grid, cell)), None);
                let _ = reverse.is_untouched_near(&grid, cell);
            }
            reverse.exhaust(&grid);

            let mut space_time = SpaceTime::default();
            space_time.begin(&grid, cell, 0);
            let _ = space_time.resume(&grid, &mut Still, &mut Budget::expansions(50));
            let table = (&Reservations::default(), 0);
            let verdict = Intervals::default().lead_to_the_end(
                &grid,
                &Still,
                table,
                (cell, 0),
                &mut unlimited,
            );
            assert_eq!(verdict, Verdict::Nothing);
        }
    }
}

#[test]
fn landmarks_and_learned_values_know_nothing_about_a_strange_cell() {
    for grid in grids() {
        let home = grid.cell(0).unwrap();
        let mut landmarks = Landmarks::default();
        for began in [false, true] {
            if began {
                landmarks.begin(&grid, 2);
            }
            for cell in strangers(&grid) {
                let wanted = [cell, home].into_iter();
                landmarks.grow(&grid, 2, &wanted, &mut Budget::unlimited());
                landmarks.open(&grid, cell);
                let asked = landmarks.ask(cell, home);
                assert_eq!(landmarks.bound(&asked, cell), Cost::ZERO);
                assert_eq!(landmarks.bound(&landmarks.ask(home, home), cell), Cost::ZERO);
                let _ = (landmarks.separate(cell, home), landmarks.separate(home, cell));
                assert_eq!(Learned::default().get(Place::of(&grid, cell)), None);
            }
        }
    }
}

#[test]
fn reservations_of_a_strange_cell_do_no_harm() {
    for grid in grids() {
        let home = grid.cell(0).unwrap();
        let mut table = Reservations::default();
        let bytes = table.memory();
        for cell in strangers(&grid) {
            table.release(3, cell, 5);
            table.let_go(3, cell);
            assert_eq!((table.owner(cell, 5), table.is_free_from(3, cell, 5)), (None, true));
            assert_eq!(table.gaps(3, cell, 5).count(), 1);
            for (from, to) in [(cell, home), (home, cell)] {
                for direction in [None, Some(Direction::NorthWest)] {
                    let step = TimedStep { from, to, direction, arrival: 5 };
                    assert_eq!(table.conflict(&grid, 3, step), None);
                }
            }
        }
        assert_eq!(table.memory(), bytes, "asking takes no memory");
    }
}

#[test]
fn plans_and_instances_over_strange_cells_are_refused() {
    for grid in grids() {
        let home = grid.cell(0).unwrap();
        for cell in strangers(&grid) {
            let mut plan = Plan::new(grid.clone(), vec![TimedPath::of(vec![home, cell, cell])]);
            assert!(!plan.is_walkable() && plan.path_mut(9).is_none());
            assert!(plan.to_trace().is_err());
            let _ = (plan.sum_of_costs(), plan.distance(), plan.first_conflict());
            let instance = Instance::new(grid.clone(), vec![(home, cell)], Reach::Optional);
            assert!(matches!(instance, Err(InstanceError::Wall { .. })));
        }
    }
}

#[test]
fn planners_have_no_wish_for_a_strange_agent() {
    for entry in Registry::builtin().entries() {
        let mut planner = planner(entry.name()).unwrap();
        for ticks in 0..3 {
            for agent in other_agents().into_iter().filter(|agent| agent.slot() > 0) {
                assert_eq!(planner.wish(&agent), None, "{} after {ticks} ticks", entry.name());
            }
            let (world, _) = world_on(&Grid::open(5, 4).unwrap());
            planner.plan(&world, &mut Moves::waiting(&world));
        }
    }
}

#[test]
fn crowds_and_groups_refuse_strange_agents_and_places() {
    let mut crowd = Crowd::new(Grid::open(5, 4).unwrap());
    let member = crowd.add((0, 0)).unwrap();
    for at in [(5, 0), (0, 4), (u32::MAX, u32::MAX)] {
        assert!(crowd.add(at).is_err() && crowd.add_foreign(at).is_err());
        assert!(crowd.send(member, at).is_err() && crowd.place(member, at).is_err());
        assert!(crowd.set_floor(at, false).is_err() && crowd.send_group(&[member], at).is_err());
    }
    for id in other_ids().into_iter().filter(|&id| id != member) {
        assert!(crowd.remove(id).is_err() && crowd.send(id, (1, 1)).is_err());
        assert!(crowd.place(id, (1, 1)).is_err());
        assert_eq!(crowd.send_group(&[id], (1, 1)).unwrap().left_out, [id]);
        assert_eq!((crowd.position(id), crowd.goal(id)), (None, None));
        assert_eq!(crowd.status(id), Status::Gone);
    }
    let world = crowd.world();
    for cell in strangers(world.grid()) {
        let components = Components::of(world.grid());
        assert!(group::gather(world, &components, &[member], cell).is_err());
    }
    // Components of another grid: there may be no goals, and there is no panic.
    for grid in grids() {
        let place = world.grid().cell(7).unwrap();
        assert!(group::gather(world, &Components::of(&grid), &[member], place).is_ok());
    }
}
