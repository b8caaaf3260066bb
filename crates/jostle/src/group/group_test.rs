use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::Level;
use crate::search::shortest_path;

fn cell(world: &World, (x, y): (u32, u32)) -> Cell {
    world.grid().at(x, y).unwrap()
}

/// A world with one agent of ours, at its goal, on each of the positions.
fn world_with(drawing: &str, positions: &[(u32, u32)]) -> (World, Vec<AgentId>) {
    let mut world = World::new(Grid::from_ascii(drawing).unwrap());
    let members = positions.iter().map(|&at| add(&mut world, at, at)).collect();
    (world, members)
}

fn add(world: &mut World, at: (u32, u32), goal: (u32, u32)) -> AgentId {
    world.add(cell(world, at), cell(world, goal)).unwrap()
}

fn gathered(world: &World, members: &[AgentId], place: (u32, u32)) -> Gathering {
    gather(world, &Components::of(world.grid()), members, cell(world, place)).unwrap()
}

/// The goals that were given, row by row.
fn goals(world: &World, gathering: &Gathering) -> Vec<(u32, u32)> {
    let mut cells: Vec<Cell> = gathering.goals.iter().map(|&(_, goal)| goal).collect();
    cells.sort_unstable();
    cells.into_iter().map(|cell| world.grid().position(cell)).collect()
}

#[test]
fn members_get_the_cells_nearest_on_foot() {
    // What is near in a straight line is far on foot: the wall has one gap, in the east.
    let (world, members) =
        world_with(".......\n.......\n######.\n.......", &[(0, 0), (1, 0), (2, 0), (3, 0)]);
    let gathering = gathered(&world, &members, (1, 3));
    assert_eq!(goals(&world, &gathering), [(0, 3), (1, 3), (2, 3), (3, 3)]);
    assert_eq!(gathering.left_out, []);
}

#[test]
fn a_wall_stands_for_the_nearest_floor() {
    let (world, members) = world_with("......\n.....#\n...###", &[(0, 0), (0, 1)]);
    let gathering = gathered(&world, &members, (4, 2));
    assert_eq!(goals(&world, &gathering), [(4, 0), (4, 1)]);
}

#[test]
fn cells_that_others_hold_or_want_are_left_to_them() {
    let (mut world, members) = world_with(".......\n.......", &[(0, 0), (0, 1)]);
    world.add_foreign(cell(&world, (5, 0))).unwrap();
    add(&mut world, (6, 0), (6, 0)); // at its goal
    add(&mut world, (2, 0), (5, 1)); // still walking
    let gathering = gathered(&world, &members, (6, 1));
    // (4, 0) is nearer than what is left in the west; (2, 0) will be free.
    assert_eq!(goals(&world, &gathering), [(4, 1), (6, 1)]);
}

#[test]
fn cells_of_members_are_free_for_members() {
    let (world, members) = world_with("...\n...\n...", &[(0, 0), (1, 0), (1, 1), (2, 1), (1, 2)]);
    let gathering = gathered(&world, &members, (1, 1));
    assert_eq!(goals(&world, &gathering), [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)]);
    assert_eq!(gathering.goals[2].1, cell(&world, (1, 1)), "a member that is there already stays");
}

#[test]
fn a_member_without_room_is_left_out_and_keeps_its_goal() {
    let (mut world, members) = world_with("....", &[(0, 0), (1, 0), (2, 0)]);
    add(&mut world, (3, 0), (0, 0)); // it wants the cell in the west, and will leave its own
    world.set_floor(cell(&world, (3, 0)), false).unwrap();
    let gathering = gathered(&world, &members, (2, 0));
    assert_eq!(gathering.left_out, [members[0]], "it is farthest from the place");
    assert_eq!(goals(&world, &gathering), [(1, 0), (2, 0)]);
    world.send(members[0], cell(&world, (1, 0))).unwrap();
    gathering.send(&mut world).unwrap();
    assert_eq!(world.agent(members[0]).unwrap().goal, cell(&world, (1, 0)));
}

#[test]
fn members_that_cannot_get_there_come_as_close_as_they_can() {
    let (world, members) =
        world_with("...#...\n...#...\n...#...", &[(0, 0), (0, 1), (0, 2), (6, 0), (6, 1)]);
    let gathering = gathered(&world, &members, (5, 1));
    assert_eq!(goals(&world, &gathering), [(2, 0), (5, 0), (2, 1), (5, 1), (2, 2)]);
}

#[test]
fn a_member_in_a_new_wall_walks_out() {
    let (mut world, members) = world_with("....", &[(0, 0)]);
    world.set_floor(cell(&world, (0, 0)), false).unwrap();
    assert_eq!(goals(&world, &gathered(&world, &members, (3, 0))), [(3, 0)]);
    world.set_floor(cell(&world, (1, 0)), false).unwrap();
    assert_eq!(gathered(&world, &members, (3, 0)).left_out, members);
}

#[test]
fn an_empty_group_gets_no_goals() {
    let (world, _) = world_with("...", &[]);
    assert_eq!(gathered(&world, &[], (1, 0)), Gathering::default());
}

#[test]
fn on_a_map_without_floor_all_members_are_left_out() {
    let (mut world, members) = world_with(".", &[(0, 0)]);
    world.set_floor(cell(&world, (0, 0)), false).unwrap();
    assert_eq!(gathered(&world, &members, (0, 0)).left_out, members);
}

#[test]
fn a_member_that_is_named_twice_counts_once() {
    let (world, members) = world_with(".....", &[(0, 0), (1, 0)]);
    let twice = [members[1], members[0], members[1], members[0]];
    let gathering = gathered(&world, &twice, (4, 0));
    let once: Vec<AgentId> = gathering.goals.iter().map(|&(member, _)| member).collect();
    assert_eq!(once, [members[1], members[0]]);
}

#[test]
fn foreign_members_are_left_out() {
    let (mut world, mut members) = world_with(".....", &[(0, 0)]);
    members.push(world.add_foreign(cell(&world, (1, 0))).unwrap());
    let gathering = gathered(&world, &members, (1, 0));
    assert_eq!(gathering.left_out, [members[1]]);
    assert_eq!(goals(&world, &gathering), [(2, 0)], "the foreign one stays where it is");
}

#[test]
fn a_dead_member_is_left_out_even_if_another_one_has_its_slot() {
    let (mut world, mut members) = world_with(".....", &[(0, 0), (1, 0)]);
    let dead = members[0];
    world.remove(dead).unwrap();
    // Its slot goes to a newcomer.
    members.push(add(&mut world, (0, 0), (0, 0)));
    assert_eq!(members[2].slot(), dead.slot());
    let never = AgentId::from_bits(0x100_0000_004d);
    members.extend([never, dead, never]);
    let gathering = gathered(&world, &members, (4, 0));
    assert_eq!(gathering.left_out, [dead, never]);
    assert_eq!(gathering.goals.len(), 2);
    assert_eq!(goals(&world, &gathering), [(3, 0), (4, 0)], "the dead need no goals");
    assert_eq!(gathered(&world, &[dead], (4, 0)).left_out, [dead]);
}

#[test]
fn a_member_that_leaves_before_the_group_is_sent_is_passed_over() {
    let (mut world, members) = world_with(".....", &[(0, 0), (1, 0), (2, 0)]);
    let gathering = gathered(&world, &members, (4, 0));
    world.remove(members[1]).unwrap();
    let newcomer = add(&mut world, (1, 0), (1, 0));
    gathering.send(&mut world).unwrap();
    for &(member, goal) in &gathering.goals {
        let sent = world.agent(member).map(|agent| agent.goal);
        assert_eq!(sent, (member != members[1]).then_some(goal));
    }
    let untouched = world.agent(newcomer).unwrap();
    assert_eq!(untouched.goal, untouched.cell, "it has the slot, and not the order");
}

#[test]
fn a_place_outside_the_map_is_an_error_and_no_member_is_sent() {
    let (world, members) = world_with(".....", &[(0, 0), (1, 0)]);
    let components = Components::of(world.grid());
    let elsewhere = Grid::open(9, 9).unwrap().at(3, 4).unwrap();
    let outside = gather(&world, &components, &members, elsewhere).unwrap_err();
    assert_eq!(outside.to_string(), "(4, 7) is outside the map of 5x1");
    let gathering = gathered(&world, &members, (4, 0));
    let (mut smaller, _) = world_with("..", &[(0, 0), (1, 0)]);
    let outside = gathering.send(&mut smaller).unwrap_err();
    assert!(outside.to_string().ends_with("is outside the map of 2x1"), "{outside}");
    assert!(smaller.have_all_arrived(), "nobody was sent");
}

#[test]
fn a_column_keeps_its_order() {
    let (world, members) = world_with("..........", &[(0, 0), (1, 0), (2, 0)]);
    let gathering = gathered(&world, &members, (8, 0));
    let goals: Vec<_> = gathering.goals.iter().map(|&(_, g)| world.grid().position(g)).collect();
    assert_eq!(goals, [(7, 0), (8, 0), (9, 0)], "the first one goes farthest");
}

/// The least sum over all pairings of rows with columns (the Hungarian method).
fn least_sum(costs: &[Vec<i64>]) -> i64 {
    let n = costs.len();
    let (mut u, mut v) = (vec![0; n + 1], vec![0; n + 1]);
    let mut row_of = vec![0; n + 1];
    for row in 1..=n {
        let mut previous = vec![0; n + 1];
        let (mut least, mut used) = (vec![i64::MAX; n + 1], vec![false; n + 1]);
        row_of[0] = row;
        let mut column = 0;
        while row_of[column] != 0 {
            used[column] = true;
            let here = row_of[column];
            let (mut next, mut delta) = (0, i64::MAX);
            for other in (1..=n).filter(|&other| !used[other]) {
                let cost = costs[here - 1][other - 1] - u[here] - v[other];
                if cost < least[other] {
                    (least[other], previous[other]) = (cost, column);
                }
                if least[other] < delta {
                    (delta, next) = (least[other], other);
                }
            }
            for other in 0..=n {
                if used[other] {
                    u[row_of[other]] += delta;
                    v[other] -= delta;
                } else {
                    least[other] = least[other].saturating_sub(delta);
                }
            }
            column = next;
        }
        while column != 0 {
            row_of[column] = row_of[previous[column]];
            column = previous[column];
        }
    }
    -v[0]
}

#[test]
fn the_least_sum_is_that_of_the_best_permutation() {
    let costs = [vec![4, 1, 3], vec![2, 0, 5], vec![3, 2, 2]];
    let best = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        .map(|order| (0..3).map(|row| costs[row][order[row]]).sum::<i64>());
    assert_eq!(Some(least_sum(&costs)), best.into_iter().min());
}

/// The length of all paths together, and the least possible with another pairing, in units of cost.
fn lengths_and_least(world: &World, gathering: &Gathering) -> (i64, i64) {
    let grid = world.grid();
    let length = |from, to| shortest_path(grid, from, to).unwrap().0.units();
    let costs: Vec<Vec<i64>> = gathering
        .goals
        .iter()
        .map(|&(member, _)| {
            let from = world.agent(member).unwrap().cell;
            gathering.goals.iter().map(|&(_, goal)| length(from, goal)).collect()
        })
        .collect();
    let sum = costs.iter().enumerate().map(|(at, row)| row[at]).sum();
    (sum, least_sum(&costs))
}

/// A world with agents on some of these cells, drawn at random.
fn drawn(grid: &Grid, mut cells: Vec<Cell>, count: usize, rng: &mut ChaCha8Rng) -> World {
    let mut world = World::new(grid.clone());
    cells.shuffle(rng);
    for &cell in cells.iter().take(count) {
        world.add(cell, cell).unwrap();
    }
    world
}

#[test]
fn paths_are_hardly_longer_than_those_of_the_best_pairing() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let open = Grid::open(64, 64).unwrap();
    let maps = [open].into_iter().chain(
        [Level::Cave, Level::Rooms, Level::Maze].map(|level| level.generate(64, 64, 1).unwrap()),
    );
    let (mut near, mut far) = ((0, 0), (0, 0));
    for grid in maps {
        let floor: Vec<Cell> = grid.floor_cells().collect();
        let anywhere =
            |rng: &mut ChaCha8Rng| floor[rng.random_range(0..floor.len() as u32) as usize];
        let around = |centre: Cell, count| {
            nearest_free(
                &mut Search::default(),
                &grid,
                &vec![false; grid.cells().len()],
                centre,
                count,
            )
        };
        for _ in 0..5 {
            let place = anywhere(&mut rng);
            let begin = anywhere(&mut rng);
            for (sums, cells) in [(&mut near, around(place, 120)), (&mut far, around(begin, 40))] {
                let world = drawn(&grid, cells, 40, &mut rng);
                let members: Vec<_> = world.ours().map(|agent| agent.id).collect();
                let components = Components::of(&grid);
                let gathering = gather(&world, &components, &members, place).unwrap();
                let (sum, least) = lengths_and_least(&world, &gathering);
                *sums = (sums.0 + sum, sums.1 + least);
            }
        }
    }
    let over = |(sum, least): (i64, i64)| sum as f64 / least as f64;
    assert!(over(near) < 1.06, "members around the place: {}", over(near));
    assert!(over(far) < 1.01, "members elsewhere: {}", over(far));
}

/// A floor with walls, with members and others on it, and a place.
fn scene() -> impl Strategy<Value = (World, Vec<AgentId>, Cell)> {
    let draws = prop::collection::vec((0u8..100, 0u8..100, any::<usize>()), 12 * 12);
    (draws, 0u8..50, any::<usize>()).prop_map(|(draws, walls, place)| {
        let is_floor = |x: u32, y: u32| draws[(y * 12 + x) as usize].0 >= walls;
        let grid = Grid::new(12, 12, crate::Rules::default(), is_floor).unwrap();
        let mut world = World::new(grid);
        let mut members = Vec::new();
        for (index, &(_, role, goal)) in draws.iter().enumerate() {
            let (cell, goal) = (Cell::from_index(index), Cell::from_index(goal % draws.len()));
            match role {
                0..30 => members.extend(world.add(cell, goal)),
                30..35 => drop(world.add(cell, goal)),
                35..38 => drop(world.add_foreign(cell)),
                _ => {}
            }
        }
        (world, members, Cell::from_index(place % draws.len()))
    })
}

proptest! {
    #[test]
    fn goals_are_distinct_free_in_reach_and_the_nearest((world, members, place) in scene()) {
        let components = Components::of(world.grid());
        let gathering = gather(&world, &components, &members, place).unwrap();
        let grid = world.grid();
        let is_member = |id: &AgentId| members.contains(id);
        let is_free = |cell: Cell| {
            grid.is_floor(cell)
                && !world.is_foreign(cell)
                && !world.ours().any(|agent| agent.goal == cell && !is_member(&agent.id))
        };
        let given: HashSet<Cell> = gathering.goals.iter().map(|&(_, goal)| goal).collect();
        prop_assert_eq!(given.len(), gathering.goals.len());
        prop_assert_eq!(gathering.goals.len() + gathering.left_out.len(), members.len());
        for &(member, goal) in &gathering.goals {
            prop_assert!(is_free(goal));
            prop_assert!(components.reaches(grid, world.agent(member).unwrap().cell, goal));
        }
        for &member in &gathering.left_out {
            let from = world.agent(member).unwrap().cell;
            let mut left = grid.floor_cells().filter(|&cell| is_free(cell) && !given.contains(&cell));
            prop_assert!(!left.any(|cell| components.connected(from, cell)));
        }
        // No free cell of the place's component is nearer than one that was given.
        if grid.is_floor(place) {
            let far = |cell: Cell| shortest_path(grid, place, cell).map(|(cost, _)| cost);
            let farthest = given.iter().filter_map(|&cell| far(cell)).max();
            let spare = grid.floor_cells().filter(|cell| is_free(*cell) && !given.contains(cell));
            let nearest_spare = spare.filter_map(far).min();
            prop_assert!(farthest <= nearest_spare.or(farthest), "{farthest:?} {nearest_spare:?}");
        }
        let mut backwards = members;
        backwards.reverse();
        let mut again = gather(&world, &components, &backwards, place).unwrap();
        again.goals.reverse();
        prop_assert_eq!(again.goals, gathering.goals, "the order of names does not matter");
    }
}
