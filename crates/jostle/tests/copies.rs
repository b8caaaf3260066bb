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
