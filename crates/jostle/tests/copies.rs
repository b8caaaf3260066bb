//! A copy of a crowd goes on exactly as the original does: games keep copies to go back to.

use jostle::instance::Kind;
use jostle::planners::{Registry, planner};
use jostle::{AgentId, Crowd, Grid, Instance, Level};

/// The planners that keep a solver's search cannot be copied.
const WITHOUT_COPIES: [&str; 3] = ["cbs-replan", "cbs-dstar-lite", "di-cbs"];

/// A crowd on its way through rooms.
fn crowd(name: &str, agents: usize) -> (Crowd, Vec<AgentId>) {
    let grid = Level::Rooms.generate(24, 24, 3).unwrap();
    let instance = Instance::draw(grid.clone(), Kind::Random, agents, 9).unwrap();
    let mut crowd = Crowd::with_planner(grid, planner(name).unwrap());
    let mut ids = Vec::new();
    for agent in instance.world().ours() {
        let [start, goal] = [agent.cell, agent.goal].map(|cell| instance.grid().position(cell));
        let id = crowd.add(start).unwrap();
        crowd.send(id, goal).unwrap();
        ids.push(id);
    }
    (crowd, ids)
}

/// What happens in the ticks after the copy is made: orders, a wall, a foreign agent, agents that join and leave.
fn play(crowd: &mut Crowd, ids: &[AgentId], ticks: u64) -> Vec<u64> {
    let free = |crowd: &Crowd| {
        let grid: &Grid = crowd.world().grid();
        let cell = grid.floor_cells().find(|&cell| !crowd.world().is_occupied(cell));
        grid.position(cell.unwrap())
    };
    let begin = crowd.world().tick();
    let mut seen = Vec::new();
    while crowd.world().tick() < begin + ticks {
        match crowd.world().tick() - begin {
            4 => drop(crowd.send_group(&ids[..5], (12, 12)).unwrap()),
            9 => crowd.set_floor(free(crowd), false).unwrap(),
            14 => crowd.place(ids[0], free(crowd)).unwrap(),
            19 => drop(crowd.add_foreign(free(crowd)).unwrap()),
            24 => crowd.remove(ids[1]).unwrap(),
            29 => drop(crowd.add(free(crowd)).unwrap()),
            _ => {}
        }
        crowd.tick().unwrap();
        seen.push(crowd.fingerprint());
    }
    seen
}

#[test]
fn a_copy_and_its_original_go_on_alike_with_every_planner_that_can_be_copied() {
    for entry in Registry::builtin().entries() {
        for before in [0, 25] {
            let (mut original, ids) = crowd(entry.name(), 24);
            for _ in 0..before {
                original.tick().unwrap();
            }
            let Some(mut copy) = original.try_clone() else { break };
            assert_eq!(copy.fingerprint(), original.fingerprint());
            let expected = play(&mut original, &ids, 40);
            assert_eq!(play(&mut copy, &ids, 40), expected, "{}, tick {before}", entry.name());
            // The copy has not disturbed the original either.
            let (mut third, ids) = crowd(entry.name(), 24);
            for _ in 0..before {
                third.tick().unwrap();
            }
            assert_eq!(play(&mut third, &ids, 40), expected, "{}, tick {before}", entry.name());
        }
    }
}

#[test]
fn planners_that_follow_solvers_say_that_they_cannot_be_copied() {
    let solvers = jostle::solvers::Registry::builtin().entries();
    for entry in Registry::builtin().entries() {
        let (crowd, _) = crowd(entry.name(), 3);
        let follows = solvers.iter().any(|solver| solver.name() == entry.name());
        let is_without = follows || WITHOUT_COPIES.contains(&entry.name());
        assert_eq!(crowd.try_clone().is_none(), is_without, "{}", entry.name());
    }
}

#[test]
fn a_crowd_that_looks_ahead_is_copied_in_the_middle_of_it() {
    let run = |crowd: &mut Crowd, ticks: usize| {
        let tick = |_| {
            crowd.tick().unwrap();
            crowd.fingerprint()
        };
        (0..ticks).map(tick).collect::<Vec<u64>>()
    };
    let (mut original, _) = crowd("jostle", 120);
    let mut copies = Vec::new();
    let mut expected = Vec::new();
    for _ in 0..10 {
        copies.push((expected.len(), original.try_clone().unwrap()));
        expected.extend(run(&mut original, 5));
    }
    for (at, mut copy) in copies {
        let rest = &expected[at..];
        assert_eq!(run(&mut copy, rest.len()), rest, "copied in tick {at}");
    }
    let (mut without, _) = crowd("jostle:rehearse=0", 120);
    assert_ne!(run(&mut without, 50), expected, "this crowd does not look ahead");
}

/// A crowd on a level, all of them on their way.
fn crowd_on(grid: Grid, agents: usize, planner: &str) -> Crowd {
    let instance = Instance::draw(grid.clone(), Kind::Random, agents, 1).unwrap();
    let mut crowd = Crowd::with_planner(grid, jostle::planners::planner(planner).unwrap());
    for &(start, goal) in instance.tasks() {
        let [start, goal] = [start, goal].map(|cell| instance.grid().position(cell));
        let agent = crowd.add(start).unwrap();
        crowd.send(agent, goal).unwrap();
    }
    crowd
}

/// Dense crowds of up to 1,024 agents look ahead. What a copy of the planner costs was counted in bytes, which depend on the
/// number of threads.
#[test]
fn threads_do_not_change_what_a_dense_crowd_does() {
    let cases = [(Level::Rooms, 48, 400), (Level::Maze, 41, 280), (Level::Arena, 40, 300)];
    for (level, side, agents) in cases {
        for pool in [120_000, 25_000] {
            let run = |threads: u32| {
                let planner = format!("jostle:threads={threads}:pool={pool}");
                let grid = level.generate(side, side, 1).unwrap();
                let mut crowd = crowd_on(grid, agents, &planner);
                let tick = |_| (crowd.tick().unwrap(), crowd.fingerprint());
                (0..60).map(tick).collect::<Vec<_>>()
            };
            let alone = run(1);
            for threads in [2, 3, 8] {
                assert!(run(threads) == alone, "{level} with {threads} threads, pool {pool}");
            }
        }
    }
}

/// How much room a table of routes has was the capacity of a list, and that of a copy is smaller.
#[test]
fn a_copy_made_between_edits_of_portals_goes_on_as_the_original_does() {
    for (level, seed) in [(Level::Rooms, 1), (Level::Cave, 2), (Level::City, 3)] {
        let grid = level.generate(110, 100, seed).unwrap();
        let mut original = crowd_on(grid, 150, "jostle");
        // Doors at the borders of sectors come and go.
        let edit = |crowd: &mut Crowd, now: u32| {
            for number in 0..6 {
                let along = (now * 37 + number * 17 + seed as u32) % 96;
                let across = [31, 32, 63, 64][(now + number) as usize % 4];
                let at = if number % 2 == 0 { (across, along) } else { (along, across) };
                let cell = crowd.world().grid().at(at.0, at.1).unwrap();
                let is_floor = crowd.world().grid().is_floor(cell);
                crowd.set_floor(at, !is_floor).unwrap();
            }
        };
        let play = |crowd: &mut Crowd, ticks: std::ops::Range<u32>| -> Vec<_> {
            let tick = |now| {
                if now % 3 == 0 {
                    edit(crowd, now);
                }
                (crowd.tick().unwrap(), crowd.fingerprint())
            };
            ticks.map(tick).collect()
        };
        for begin in [0, 40, 80] {
            play(&mut original, begin..begin + 40);
            let mut copy = original.try_clone().unwrap();
            let mut second = copy.try_clone().unwrap();
            let mut third = original.try_clone().unwrap();
            let expected = play(&mut third, begin + 40..begin + 70);
            assert!(play(&mut copy, begin + 40..begin + 70) == expected, "{level}, {begin}");
            assert!(play(&mut second, begin + 40..begin + 70) == expected, "{level}, {begin}");
        }
    }
}
