use proptest::prelude::*;

use super::*;
use crate::grid::{Crossing, Rules};

fn world(width: u32, height: u32) -> World {
    World::new(Grid::open(width, height).unwrap())
}

fn world_without_crossing(width: u32, height: u32) -> World {
    let rules = Rules { crossing: Crossing::Forbidden, ..Rules::default() };
    World::new(Grid::open(width, height).unwrap().with_rules(rules))
}

impl World {
    fn id_or_next(&self, slot: usize) -> AgentId {
        if slot < self.slots() { self.id(slot) } else { self.next_id() }
    }
}

fn cell(world: &World, x: u32, y: u32) -> Cell {
    world.grid().at(x, y).unwrap()
}

/// Adds an agent on the first position of each pair, and tries their joint move to the second positions.
fn attempt(mut world: World, steps: &[[(u32, u32); 2]]) -> (World, Result<(), IllegalMove>) {
    let tasks: Vec<[Cell; 2]> = steps.iter().map(|s| s.map(|(x, y)| cell(&world, x, y))).collect();
    let ids: Vec<_> = tasks.iter().map(|&[from, to]| world.add(from, to).unwrap()).collect();
    let mut moves = Moves::waiting(&world);
    for (id, [_, to]) in ids.into_iter().zip(tasks) {
        moves.set(id, to);
    }
    let result = world.advance(&moves);
    (world, result)
}

#[test]
fn following_and_rotations_are_legal() {
    let ring = [[(0, 0), (1, 0)], [(1, 0), (1, 1)], [(1, 1), (0, 1)], [(0, 1), (0, 0)]];
    let (world_after, result) = attempt(world(2, 2), &ring);
    assert_eq!(result, Ok(()));
    assert!(world_after.have_all_arrived());
    assert_eq!(world_after.tick(), 1);
    let chain = [[(0, 0), (1, 0)], [(1, 0), (2, 0)]];
    assert_eq!(attempt(world(3, 1), &chain).1, Ok(()));
}

#[test]
fn illegal_joint_moves_are_refused_and_change_nothing() {
    let far = [[(0, 0), (2, 0)]];
    let swap = [[(0, 0), (1, 0)], [(1, 0), (0, 0)]];
    let meet = [[(0, 0), (1, 0)], [(2, 0), (1, 0)]];
    let into_a_waiting_agent = [[(0, 0), (1, 0)], [(1, 0), (1, 0)]];
    let late = [[(2, 1), (2, 0)], [(0, 0), (1, 0)], [(0, 1), (1, 1)], [(2, 0), (1, 0)]];
    let cases: [&[[(u32, u32); 2]]; 5] = [&far, &swap, &meet, &into_a_waiting_agent, &late];
    for case in cases {
        let (world, result) = attempt(world(3, 2), case);
        assert!(result.is_err(), "{case:?}");
        assert_eq!(world.tick(), 0);
        for (agent, [(x, y), _]) in world.agents().zip(case) {
            assert_eq!(agent.cell, cell(&world, *x, *y));
            assert_eq!(world.occupant(agent.cell), Some(agent.id));
        }
        let occupied = world.grid().cells().filter(|&cell| world.is_occupied(cell)).count();
        assert_eq!(occupied, case.len());
    }
}

#[test]
fn errors_name_the_offenders() {
    let (_, result) = attempt(world(2, 1), &[[(0, 0), (1, 0)], [(1, 0), (0, 0)]]);
    assert_eq!(result.unwrap_err().to_string(), "agent 0 and agent 1 swap cells at tick 0");
}

#[test]
fn crossing_is_legal_unless_forbidden() {
    let cross = [[(0, 0), (1, 1)], [(1, 0), (0, 1)]];
    assert!(attempt(world(2, 2), &cross).1.is_ok());
    let forbidden = attempt(world_without_crossing(2, 2), &cross).1;
    assert!(matches!(forbidden, Err(IllegalMove::Crossing { .. })));
}

#[test]
fn foreign_agents_are_moved_by_the_game_only() {
    let mut world = world(3, 1);
    let [west, middle, east] = [0, 1, 2].map(|x| cell(&world, x, 0));
    let player = world.add_foreign(west).unwrap();
    let mut moves = Moves::waiting(&world);
    moves.set(player, middle);
    assert!(matches!(world.advance(&moves), Err(IllegalMove::NotOurs { .. })));
    world.place(player, east).unwrap();
    assert_eq!(world.occupant(east), Some(player));
    assert_eq!(world.occupant(west), None);
    assert!(world.have_all_arrived(), "foreign agents do not count");
}

#[test]
fn an_agent_can_leave_a_wall_built_under_it_and_none_can_enter() {
    let mut world = world(3, 1);
    let [west, middle, east] = [0, 1, 2].map(|x| cell(&world, x, 0));
    let agent = world.add(middle, east).unwrap();
    world.set_floor(middle, false).unwrap();
    let mut moves = Moves::waiting(&world);
    moves.set(agent, east);
    world.advance(&moves).unwrap();
    moves.set(agent, middle);
    assert!(matches!(world.advance(&moves), Err(IllegalMove::NoSuchStep { .. })));
    assert_eq!(world.add(middle, west), Err(ChangeError::Wall { x: 1, y: 0 }));
}

#[test]
fn the_id_of_an_agent_that_left_identifies_no_agent() {
    let mut world = world(3, 1);
    let [west, middle, east] = [0, 1, 2].map(|x| cell(&world, x, 0));
    let first = world.add(west, east).unwrap();
    world.remove(first).unwrap();
    let second = world.add(middle, east).unwrap();
    assert_eq!(first.slot(), second.slot());
    assert_ne!(first, second);
    assert_eq!(world.agent(first), None);
    assert_eq!(world.remove(first), Err(ChangeError::NoSuchAgent(first)));
    assert_eq!(world.send(first, east), Err(ChangeError::NoSuchAgent(first)));
    assert_eq!(world.agents().count(), 1);
}

#[test]
fn the_id_of_an_agent_that_left_is_not_given_again_after_two_to_the_32_others() {
    let mut world = world(3, 1);
    let [west, middle, east] = [0, 1, 2].map(|x| cell(&world, x, 0));
    let first = world.add(west, west).unwrap();
    let other = world.add(middle, middle).unwrap();
    // As if the slot had been given again and again.
    let late = AgentId::new(0, u32::MAX - 1);
    world.tenants[0].id = late;
    let mut copy = world.clone();
    world.remove(late).unwrap();
    let last = world.add(west, east).unwrap();
    assert_eq!(last, AgentId::new(0, u32::MAX));
    world.remove(last).unwrap();
    assert_eq!(world.next_id(), AgentId::new(2, 0), "slot 0 stays vacant: {first} is not back");
    // Another slot that is vacant comes before a new one.
    world.remove(other).unwrap();
    assert_eq!(world.next_id(), AgentId::new(1, 1));
    let joined = [west, middle, east].map(|cell| world.add(cell, west).unwrap());
    assert_eq!(joined, [AgentId::new(1, 1), AgentId::new(2, 0), AgentId::new(3, 0)]);
    assert_eq!((world.slots(), world.agents().count(), world.in_slot(0)), (4, 3, None));
    for gone in [first, late, last, other] {
        assert_eq!(world.agent(gone), None);
        assert_eq!(world.remove(gone), Err(ChangeError::NoSuchAgent(gone)));
    }
    // The world goes on, and another one with the same changes agrees.
    let changes = world.changes()[2..].to_vec();
    for change in changes {
        copy.apply(change).unwrap();
    }
    assert_eq!((copy.fingerprint(), copy.next_id()), (world.fingerprint(), world.next_id()));
    // Slots beyond the number of cells move like others.
    world.remove(joined[1]).unwrap();
    let mut moves = Moves::waiting(&world);
    moves.set(joined[2], middle);
    world.advance(&moves).unwrap();
    assert_eq!(world.occupant(middle), Some(joined[2]));
    let mut moves = Moves::waiting(&world);
    moves.set(joined[2], east);
    moves.set(joined[0], middle);
    world.advance(&moves).unwrap();
    assert_eq!([middle, east].map(|cell| world.occupant(cell)), [joined[0], joined[2]].map(Some));
}

#[test]
fn changes_are_kept_until_the_tick_has_passed() {
    let mut world = world(2, 1);
    let [west, east] = [0, 1].map(|x| cell(&world, x, 0));
    let agent = world.add(west, west).unwrap();
    world.send(agent, east).unwrap();
    world.set_floor(east, true).unwrap(); // it is floor already: nothing has changed
    let joined = Change::Join { agent, cell: west, goal: west, ours: true };
    assert_eq!(world.changes(), [joined, Change::Send { agent, goal: east }]);
    world.advance(&Moves::waiting(&world)).unwrap();
    assert!(world.changes().is_empty());
}

#[test]
fn a_joint_move_for_other_agents_is_refused() {
    let mut world = world(2, 1);
    let moves = Moves::waiting(&world);
    let west = cell(&world, 0, 0);
    world.add(west, west).unwrap();
    let error = world.advance(&moves).unwrap_err();
    assert_eq!(error, IllegalMove::OtherAgents { found: 0, expected: 1 });
}

#[test]
fn a_stale_id_can_neither_move_nor_read_the_agent_that_has_its_slot_now() {
    let mut world = world(3, 1);
    let [west, middle, east] = [0, 1, 2].map(|x| cell(&world, x, 0));
    let first = world.add(west, east).unwrap();
    world.remove(first).unwrap();
    let mut moves = Moves::waiting(&world);
    moves.set(first, middle);
    assert_eq!(moves.next(first), None, "its slot is vacant");
    assert_eq!(world.advance(&moves), Ok(()));
    let second = world.add(west, east).unwrap();
    moves.reset(&world);
    moves.set(first, middle);
    assert_eq!((moves.next(first), moves.next(second)), (None, Some(west)));
    assert_eq!(world.place(first, middle), Err(ChangeError::NoSuchAgent(first)));
    assert_eq!(AgentId::from_bits(second.to_bits()), second);
    assert_ne!(first.to_bits(), second.to_bits());
}

#[test]
fn replaying_the_changes_makes_an_equal_world() {
    let mut world = world(3, 2);
    let at = |x, y| Grid::open(3, 2).unwrap().at(x, y).unwrap();
    let first = world.add(at(0, 0), at(2, 0)).unwrap();
    world.add_foreign(at(1, 1)).unwrap();
    world.remove(first).unwrap();
    let third = world.add(at(2, 1), at(0, 0)).unwrap();
    world.place(third, at(0, 1)).unwrap();
    world.send(third, at(2, 0)).unwrap();
    world.set_floor(at(1, 0), false).unwrap();
    let mut again = World::new(Grid::open(3, 2).unwrap());
    for &change in world.changes() {
        again.apply(change).unwrap();
    }
    assert_eq!(again.agents().collect::<Vec<_>>(), world.agents().collect::<Vec<_>>());
    assert_eq!(again.configuration(), world.configuration());
    assert_eq!(again.grid().to_ascii(), world.grid().to_ascii());
    let taken = Change::Join { agent: third, cell: at(0, 0), goal: at(0, 0), ours: true };
    assert_eq!(again.apply(taken), Err(ChangeError::NameTaken(third)));
}

#[test]
fn an_observer_sees_every_change_once() {
    let mut world = world(3, 1);
    let [west, middle, east] = [0, 1, 2].map(|x| cell(&world, x, 0));
    let agent = world.add(west, west).unwrap();
    let mut seen = world.change_count();
    world.send(agent, east).unwrap();
    world.advance(&Moves::waiting(&world)).unwrap();
    // Changes made before it began to observe are left out.
    assert_eq!(world.previous_changes(seen), [Change::Send { agent, goal: east }]);
    seen += 1;
    world.send(agent, middle).unwrap();
    assert_eq!(world.previous_changes(seen), [], "the tick has not passed yet");
    world.advance(&Moves::waiting(&world)).unwrap();
    assert_eq!(world.previous_changes(seen), [Change::Send { agent, goal: middle }]);
    assert_eq!(world.previous_changes(0), [Change::Send { agent, goal: middle }]);
}

#[test]
fn worlds_share_a_grid_until_one_of_them_edits_it() {
    let grid = Arc::new(Grid::open(4, 4).unwrap());
    let (still, mut edited) = (World::new(grid.clone()), World::new(grid.clone()));
    assert!(std::ptr::eq(still.grid(), edited.grid()));
    let wall = grid.at(1, 1).unwrap();
    edited.set_floor(wall, false).unwrap();
    assert!(still.grid().is_floor(wall) && !edited.grid().is_floor(wall));
}

#[test]
fn messages_name_columns_and_rows() {
    let (_, result) = attempt(world(4, 2), &[[(1, 1), (3, 0)]]);
    let expected = "agent 0 cannot step from (1, 1) to (3, 0) at tick 0";
    assert_eq!(result.unwrap_err().to_string(), expected);
    let mut world = world(4, 2);
    let elsewhere = Grid::open(9, 9).unwrap().at(3, 8).unwrap();
    let error = world.add(elsewhere, elsewhere).unwrap_err();
    assert_eq!(error.to_string(), "(3, 18) is outside the map of 4x2");
    assert_eq!(world.occupant(elsewhere), None);
}

/// What the world must say to a joint move: every pair of agents whose steps cross, and then its agents one by one.
fn verdict(world: &World, moves: &Moves) -> Result<(), IllegalMove> {
    let (grid, tick) = (world.grid(), world.tick());
    let next = |agent: &Agent| moves.next(agent.id).unwrap();
    let moving = || world.agents().filter(|agent| next(agent) != agent.cell);
    for agent in moving() {
        let step = grid.step_between(agent.cell, next(&agent));
        let steps = step.and_then(|step| grid.crossed_steps(agent.cell, step));
        for (here, there) in steps.into_iter().flatten() {
            let crosses = |other: &Agent| other.cell == here && next(other) == there;
            if let Some(other) = moving().find(crosses) {
                return Err(IllegalMove::Crossing { agent: agent.id, other: other.id, tick });
            }
        }
    }
    for agent in moving() {
        let (id, from, to) = (agent.id, agent.cell, next(&agent));
        if !agent.ours {
            return Err(IllegalMove::NotOurs { agent: id, to: grid.position(to), tick });
        }
        if !grid.neighbours(from).any(|near| near == to) {
            let (from, to) = (grid.position(from), grid.position(to));
            return Err(IllegalMove::NoSuchStep { agent: id, from, to, tick });
        }
        let is_before = |other: &Agent| next(other) == other.cell || other.slot() < agent.slot();
        let mut others = world.agents().filter(|other| other.id != id && next(other) == to);
        if let Some(other) = others.find(is_before) {
            let (other, at) = (other.id, grid.position(to));
            return Err(IllegalMove::Collision { agent: id, other, at, tick });
        }
        let swaps = |other: &Agent| other.cell == to && next(other) == from;
        if let Some(other) = moving().find(swaps) {
            return Err(IllegalMove::Swap { agent: id, other: other.id, tick });
        }
    }
    Ok(())
}

proptest! {
    /// However agents come, go and are sent, the world knows whether all of ours have arrived.
    #[test]
    fn the_count_of_those_who_have_not_arrived_is_right(
        changes in prop::collection::vec((0u8..5, 0usize..8, 0usize..9, any::<bool>()), 1..60),
    ) {
        let mut world = world(3, 3);
        for (what, slot, cell, ours) in changes {
            let (agent, cell) = (world.id_or_next(slot), Cell::from_index(cell));
            let _ = world.apply(match what {
                0 => Change::Join { agent: world.next_id(), cell, goal: Cell::from_index(4), ours },
                1 => Change::Leave { agent },
                2 => Change::Send { agent, goal: cell },
                3 => Change::Place { agent, cell },
                _ => Change::SetFloor { cell, is_floor: ours },
            });
            let arrived = world.ours().all(|agent| agent.has_arrived());
            prop_assert_eq!(world.have_all_arrived(), arrived);
            for agent in world.agents() {
                prop_assert_eq!(world.is_ours(agent.slot()), agent.ours);
            }
        }
    }

    /// After any proposal, no two agents share a cell, and the occupants match the agents' cells.
    #[test]
    fn no_proposal_breaks_the_world(
        starts in prop::collection::hash_set(0usize..25, 1..15),
        proposals in prop::collection::vec(prop::collection::vec(0usize..25, 15), 1..20),
        walls in prop::collection::vec(0usize..25, 0..6),
        forbid in any::<bool>(),
    ) {
        let mut world = if forbid { world_without_crossing(5, 5) } else { world(5, 5) };
        for start in starts {
            let goal = Cell::from_index(if start % 3 == 0 { start } else { 24 - start });
            let start = Cell::from_index(start);
            if start.index() % 7 == 6 {
                world.add_foreign(start).unwrap();
            } else {
                world.add(start, goal).unwrap();
            }
        }
        for wall in walls {
            world.set_floor(Cell::from_index(wall), false).unwrap();
        }
        for proposal in proposals {
            let before = world.configuration().clone();
            let mut moves = Moves::waiting(&world);
            for (agent, to) in world.agents().zip(proposal) {
                // Mostly neighbours, so that some proposals are legal.
                let near: Vec<Cell> = world.grid().neighbours(agent.cell).chain([agent.cell]).collect();
                let to = if to == 0 { Cell::from_index(to) } else { near[to % near.len()] };
                moves.set(agent.id, if agent.ours || to.index() == 0 { to } else { agent.cell });
            }
            let expected = verdict(&world, &moves);
            let result = world.advance(&moves);
            prop_assert_eq!(result, expected);
            prop_assert!(result.is_ok() || *world.configuration() == before);
            if result.is_ok() {
                let has_moved = |slot: &usize| world.configuration().cell(*slot) != before.cell(*slot);
                let moved = (0..world.slots()).filter(has_moved).map(|slot| slot as u32);
                prop_assert_eq!(world.moved(), moved.collect::<Vec<_>>());
            }
            let arrived = world.ours().all(|agent| agent.has_arrived());
            prop_assert_eq!(world.have_all_arrived(), arrived);
            for agent in world.agents() {
                prop_assert_eq!(world.occupant(agent.cell), Some(agent.id));
            }
            let occupied = world.grid().cells().filter(|&cell| world.is_occupied(cell)).count();
            prop_assert_eq!(occupied, world.agents().count());
        }
    }
}
