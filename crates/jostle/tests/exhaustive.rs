//! Every instance of a few agents on a few cells: the default planner brings everybody home exactly where there is a plan, within four
//! times the best makespan and 20 ticks.
//!
//! The larger ones take long and are left out by default. All of them:
//! `cargo test --release -p jostle --test exhaustive -- --include-ignored --nocapture`

use std::collections::VecDeque;

use jostle::planners::planner;
use jostle::simulate::tick;
use jostle::{Cell, Grid, Moves, Neighbours, Rules, World};

/// How many ticks are passed on instances that cannot be solved.
const IN_VAIN: u64 = 60;

/// Where all agents stand, by the numbers of their cells.
type Places = Vec<usize>;

/// A floor whose cells are numbered.
struct Floor {
    grid: Grid,
    cells: Vec<Cell>,
    /// By cell, the cells that can be reached in a tick, with the cell itself.
    reach: Vec<Vec<usize>>,
}

impl Floor {
    /// The cells of a small rectangle whose bits are set, if they are connected and there are no empty rows or columns at the north and the west: a
    /// floor that lies elsewhere is the same.
    fn new((width, height): (u32, u32), bits: u32, neighbours: Neighbours) -> Option<Self> {
        let rules = Rules { neighbours, ..Rules::default() };
        let is_floor = |x: u32, y: u32| bits >> (y * width + x) & 1 == 1;
        if !(0..width).any(|x| is_floor(x, 0)) || !(0..height).any(|y| is_floor(0, y)) {
            return None;
        }
        let grid = Grid::new(width, height, rules, is_floor).unwrap();
        let cells: Vec<Cell> = grid.floor_cells().collect();
        let number = |cell| cells.iter().position(|&other| other == cell).unwrap();
        let reach: Vec<Vec<usize>> = (cells.iter())
            .map(|&cell| grid.neighbours(cell).chain([cell]).map(number).collect())
            .collect();
        let mut seen = vec![0];
        let mut at = 0;
        while at < seen.len() {
            let new = reach[seen[at]].iter().filter(|near| !seen.contains(near)).copied();
            let new: Vec<usize> = new.collect();
            seen.extend(new);
            at += 1;
        }
        (seen.len() == cells.len()).then_some(Self { grid, cells, reach })
    }

    /// All ways in which so many agents can stand.
    fn places(&self, agents: usize) -> Vec<Places> {
        let mut all = vec![vec![]];
        for _ in 0..agents {
            let longer = all.iter().flat_map(|places: &Places| {
                let free = (0..self.cells.len()).filter(|cell| !places.contains(cell));
                free.map(|cell| [&places[..], &[cell]].concat())
            });
            all = longer.collect();
        }
        all
    }

    /// Where all agents can stand after a tick.
    fn next(&self, now: &Places) -> Vec<Places> {
        let mut all = vec![vec![]];
        for (agent, &from) in now.iter().enumerate() {
            let longer = all.iter().flat_map(|places: &Places| {
                let is_legal = |&to: &usize| {
                    !places.contains(&to)
                        && (0..agent).all(|other| (now[other], places[other]) != (to, from))
                };
                let reach = self.reach[from].iter().copied().filter(is_legal);
                reach.map(|to| [&places[..], &[to]].concat())
            });
            all = longer.collect();
        }
        all
    }

    fn code(&self, places: &Places) -> usize {
        places.iter().fold(0, |code, &cell| code * self.cells.len() + cell)
    }

    /// By code, the makespan of the best plan to a goal. Moves can be taken back, so it is the same from there.
    fn makespans(&self, goal: &Places) -> Vec<Option<u64>> {
        let mut known = vec![None; self.cells.len().pow(goal.len() as u32)];
        known[self.code(goal)] = Some(0);
        let mut queue = VecDeque::from([goal.clone()]);
        while let Some(places) = queue.pop_front() {
            let ticks = known[self.code(&places)];
            for next in self.next(&places) {
                let known = &mut known[self.code(&next)];
                if known.is_none() {
                    *known = ticks.map(|ticks| ticks + 1);
                    queue.push_back(next);
                }
            }
        }
        known
    }

    /// The tick in which the default planner has brought everybody home, if it does.
    fn ticks(&self, start: &Places, goal: &Places, most: u64) -> Option<u64> {
        let mut world = World::new(self.grid.clone());
        for (&start, &goal) in start.iter().zip(goal) {
            world.add(self.cells[start], self.cells[goal]).unwrap();
        }
        let mut planner = planner("jostle").unwrap();
        let mut moves = Moves::default();
        (0..=most).find(|_| {
            let is_home = world.ours().all(|agent| agent.has_arrived());
            if !is_home {
                tick(&mut world, planner.as_mut(), &mut moves).unwrap();
            }
            is_home
        })
    }
}

/// Runs all instances on all floors in a rectangle.
fn exhaust(size: (u32, u32), agents: usize, neighbours: Neighbours) {
    let (mut floors, mut instances, mut solvable) = (0, 0, 0);
    for bits in 1..1_u32 << (size.0 * size.1) {
        let Some(floor) = Floor::new(size, bits, neighbours) else { continue };
        let all = floor.places(agents);
        floors += usize::from(!all.is_empty());
        for goal in &all {
            // Agents have no names: it is enough to look at goals in the order of their cells.
            if !goal.is_sorted() {
                continue;
            }
            let makespans = floor.makespans(goal);
            for start in &all {
                let best = makespans[floor.code(start)];
                let ticks = floor.ticks(start, goal, best.map_or(IN_VAIN, |best| 4 * best + 20));
                let drawing = floor.grid.to_ascii();
                assert_eq!(
                    ticks.is_some(),
                    best.is_some(),
                    "{start:?} -> {goal:?}, best {best:?}, {neighbours:?}\n{drawing}"
                );
                instances += 1;
                solvable += usize::from(best.is_some());
            }
        }
    }
    let (width, height) = size;
    println!(
        "{agents} agents, {width}x{height}, {neighbours:?}: {floors} floors, {instances} instances, {solvable} of them can be solved"
    );
    assert!(solvable > 0);
}

/// Rectangles and numbers of agents, with 4 and 8 neighbours.
fn exhaust_all(rectangles: &[((u32, u32), usize)]) {
    for neighbours in [Neighbours::Four, Neighbours::Eight] {
        for &(size, agents) in rectangles {
            exhaust(size, agents, neighbours);
        }
    }
}

#[test]
fn everybody_arrives_in_all_instances_on_up_to_eight_cells() {
    exhaust_all(&[((3, 2), 2), ((3, 2), 3), ((3, 2), 4), ((4, 2), 2), ((8, 1), 2), ((8, 1), 3)]);
}

#[test]
#[ignore = "takes long"]
fn everybody_arrives_in_all_instances_on_up_to_twelve_cells() {
    exhaust_all(&[((4, 2), 3), ((4, 2), 4), ((3, 3), 2), ((3, 3), 3), ((12, 1), 2), ((12, 1), 3)]);
    exhaust_all(&[((4, 3), 2), ((3, 3), 4)]);
}
