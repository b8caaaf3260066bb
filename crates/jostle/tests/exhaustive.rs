//! Every instance of a few agents on a few cells: the default planner brings everybody home exactly where there is a plan, within four
//! times the best makespan and 20 ticks.
//!
//! Instances that differ only by the names of agents, or because the floor is mirrored or turned, are run once. The planner may treat them
//! differently, because it breaks ties by directions and by the order of agents: this says that no *kind* of knot is too hard for it.
//!
//! The larger ones take about six minutes on two cores, and are left out by default. All of them:
//! `cargo test --release -p jostle --test exhaustive -- --include-ignored --nocapture`

use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{available_parallelism, scope};

use jostle::planners::planner;
use jostle::simulate::tick;
use jostle::{Cell, Grid, Moves, Neighbours, Rules, World};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How many ticks are passed on instances that cannot be solved.
const IN_VAIN: u64 = 60;
/// How many failures are printed.
const MOST_SHOWN: usize = 8;

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

    /// A name for the floor and the cells of a goal that is the same for all that differ from them by being mirrored or turned.
    fn name(&self, goal: &Places) -> Vec<(i32, i32, bool)> {
        let place = |cell: &Cell| {
            let (x, y) = self.grid.position(*cell);
            (x as i32, y as i32)
        };
        let image = |which: u32| {
            let mirror = |value: i32, bit: u32| if which >> bit & 1 == 1 { -value } else { value };
            let places = self.cells.iter().map(place).zip(0..);
            let mut image: Vec<(i32, i32, bool)> = places
                .map(|((x, y), cell)| {
                    let (x, y) = if which >> 2 & 1 == 1 { (y, x) } else { (x, y) };
                    (mirror(x, 0), mirror(y, 1), goal.contains(&cell))
                })
                .collect();
            let west = image.iter().map(|cell| cell.0).min().unwrap();
            let north = image.iter().map(|cell| cell.1).min().unwrap();
            for (x, y, _) in &mut image {
                (*x, *y) = (*x - west, *y - north);
            }
            image.sort_unstable();
            image
        };
        (0..8).map(image).min().unwrap()
    }
}

/// What has become of some instances.
#[derive(Default)]
struct Tally {
    instances: usize,
    solvable: usize,
    failures: Vec<String>,
}

/// Floors in a rectangle, and as many agents on each.
#[derive(Clone, Copy)]
struct Kind {
    size: (u32, u32),
    agents: usize,
    neighbours: Neighbours,
    /// One of so many goals, and of these one of so many starts, are run.
    one_of: u32,
}

impl Kind {
    /// All floors, with the goals that are to be run on each.
    fn goals(self) -> Vec<(Floor, Vec<Places>)> {
        let mut known = HashSet::new();
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        let floors = (1..1_u32 << (self.size.0 * self.size.1))
            .filter_map(|bits| Floor::new(self.size, bits, self.neighbours));
        let mut found = Vec::new();
        for floor in floors {
            let mut goals = floor.places(self.agents);
            // It is enough to look at goals in the order of their cells.
            goals.retain(|goal| {
                goal.is_sorted()
                    && known.insert(floor.name(goal))
                    && dice.random_ratio(1, self.one_of)
            });
            if !goals.is_empty() {
                found.push((floor, goals));
            }
        }
        found
    }

    /// Runs the planner from all starts to a goal, or from some of them.
    fn run(self, floor: &Floor, goal: &Places, tally: &mut Tally) {
        let makespans = floor.makespans(goal);
        let mut dice = ChaCha8Rng::seed_from_u64(2);
        for start in floor.places(self.agents) {
            if !dice.random_ratio(1, self.one_of) {
                continue;
            }
            let best = makespans[floor.code(&start)];
            let ticks = floor.ticks(&start, goal, best.map_or(IN_VAIN, |best| 4 * best + 20));
            tally.instances += 1;
            tally.solvable += usize::from(best.is_some());
            if ticks.is_some() != best.is_some() {
                let (drawing, neighbours) = (floor.grid.to_ascii(), self.neighbours);
                let failure = format!("{start:?} -> {goal:?}, best {best:?}, {neighbours:?}");
                tally.failures.push(format!("{failure}\n{drawing}"));
            }
        }
    }

    /// Runs everything, on all cores.
    fn exhaust(self) {
        let floors = self.goals();
        let tasks: Vec<(&Floor, &Places)> = (floors.iter())
            .flat_map(|(floor, goals)| goals.iter().map(move |goal| (floor, goal)))
            .collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut tally = Tally::default();
            while let Some((floor, goal)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                self.run(floor, goal, &mut tally);
            }
            tally
        };
        let tallies: Vec<Tally> = scope(|scope| {
            let cores = available_parallelism().map_or(1, usize::from);
            let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let sum = |part: fn(&Tally) -> usize| tallies.iter().map(part).sum::<usize>();
        let (instances, solvable) = (sum(|tally| tally.instances), sum(|tally| tally.solvable));
        let failures: Vec<&String> = tallies.iter().flat_map(|tally| &tally.failures).collect();
        let Self { size: (width, height), agents, neighbours, .. } = self;
        println!(
            "{agents} agents, {width}x{height}, {neighbours:?}: {} floors, {instances} instances, {solvable} of them can be solved, {} failures",
            floors.len(),
            failures.len()
        );
        assert!(solvable > 0);
        for failure in failures.iter().take(MOST_SHOWN) {
            println!("{failure}");
        }
        assert!(failures.is_empty(), "{} failures", failures.len());
    }
}

/// Rectangles and numbers of agents.
fn exhaust_all(neighbours: Neighbours, one_of: u32, rectangles: &[((u32, u32), usize)]) {
    for &(size, agents) in rectangles {
        Kind { size, agents, neighbours, one_of }.exhaust();
    }
}

#[test]
fn everybody_arrives_in_all_instances_on_up_to_eight_cells() {
    for neighbours in [Neighbours::Four, Neighbours::Eight] {
        exhaust_all(neighbours, 1, &[((3, 2), 2), ((3, 2), 3), ((3, 2), 4), ((4, 2), 2)]);
    }
    // A corridor has no diagonals.
    exhaust_all(Neighbours::Four, 1, &[((8, 1), 2), ((8, 1), 3)]);
}

#[test]
#[ignore = "takes long"]
fn everybody_arrives_in_all_instances_on_up_to_twelve_cells() {
    for neighbours in [Neighbours::Four, Neighbours::Eight] {
        exhaust_all(neighbours, 1, &[((4, 2), 3), ((4, 2), 4), ((4, 3), 2)]);
        exhaust_all(neighbours, 1, &[((3, 3), 2), ((3, 3), 3), ((3, 3), 4)]);
    }
    exhaust_all(Neighbours::Four, 1, &[((12, 1), 2), ((12, 1), 3)]);
}

#[test]
#[ignore = "takes long"]
fn everybody_arrives_in_a_sample_of_the_instances_of_more_agents_on_up_to_twelve_cells() {
    for neighbours in [Neighbours::Four, Neighbours::Eight] {
        exhaust_all(neighbours, 6, &[((4, 3), 3)]);
        exhaust_all(neighbours, 24, &[((4, 3), 4)]);
    }
}
