use jostle::{Moves, World};

use super::*;

fn encode(trace: &Trace) -> String {
    let mut json = Vec::new();
    write(trace, &[], &mut Floors::default(), &mut json).unwrap();
    String::from_utf8(json).unwrap()
}

fn pack_moves(moves: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut packer = Packer::new(&mut bytes);
    for &step in moves {
        packer.push(step).unwrap();
    }
    packer.finish().unwrap();
    bytes
}

/// Unpacks moves in the simplest manner, to test against.
fn unpack_moves(packed: &[u8], count: usize) -> Vec<u8> {
    let mut bytes = packed.iter().copied();
    let mut moves = Vec::new();
    while let Some(code) = bytes.next() {
        if code < FIRST_RUN {
            moves.extend([code / MOVES, code % MOVES]);
            continue;
        }
        let (step, length) = ((code - FIRST_RUN) / 19, usize::from((code - FIRST_RUN) % 19));
        let mut run = length + SHORTEST_RUN;
        if length == 18 {
            let mut shift = 0;
            loop {
                let byte = bytes.next().unwrap();
                run += usize::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    break;
                }
            }
        }
        moves.extend(std::iter::repeat_n(step, run));
    }
    // An odd move at the end is paired with a padding move.
    assert!(moves.len() == count || moves.len() == count + 1);
    moves.truncate(count);
    moves
}

fn numbers(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect()
}

/// Plays an encoded run: the cells and the goals of all slots at every tick.
fn play(json: &str) -> Vec<(Vec<i64>, Vec<i64>)> {
    let run: Value = serde_json::from_str(json).unwrap();
    let count = |field: &str| run[field].as_u64().unwrap() as usize;
    let (width, slots, ticks) = (count("width") as i64, count("slots"), count("ticks"));
    let packed = BASE64_STANDARD.decode(run["moves"].as_str().unwrap()).unwrap();
    let moves = unpack_moves(&packed, slots * ticks);
    let (mut cells, mut goals) = (vec![-1; slots], vec![-1; slots]);
    for (slot, agent) in numbers(&run["agents"]).chunks(3).enumerate() {
        (cells[slot], goals[slot]) = (agent[0], agent[1]);
    }
    let mut changes = run["changes"].as_array().unwrap().iter().peekable();
    let mut moments = vec![(cells.clone(), goals.clone())];
    for tick in 0..ticks {
        if let Some(entry) = changes.next_if(|entry| entry[0] == json!(tick + 1)) {
            for change in &entry.as_array().unwrap()[1..] {
                match numbers(change)[..] {
                    [JOIN, slot, cell, goal, _] => {
                        (cells[slot as usize], goals[slot as usize]) = (cell, goal);
                    }
                    [LEAVE, slot] => (cells[slot as usize], goals[slot as usize]) = (-1, -1),
                    [SEND, slot, goal] => goals[slot as usize] = goal,
                    [PLACE, slot, cell] => cells[slot as usize] = cell,
                    [SET_FLOOR, _, _] => {}
                    _ => panic!("{change} is not a change"),
                }
            }
        }
        for slot in 0..slots {
            if let Some(direction) = moves[slot * ticks + tick].checked_sub(1) {
                let (dx, dy) = Direction::ALL[usize::from(direction)].delta();
                cells[slot] += i64::from(dy) * width + i64::from(dx);
            }
        }
        moments.push((cells.clone(), goals.clone()));
    }
    assert!(changes.next().is_none(), "changes out of order");
    moments
}

/// Pseudo-random numbers below `sides`, the same in every run.
fn dice(seed: u32) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |sides| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % sides
    }
}

#[test]
fn packed_moves_read_back_whatever_the_lengths_of_the_runs() {
    for run in [0, 1, 2, 3, 4, 20, 21, 22, 148, 149, 150, 20_000] {
        for before in [&[][..], &[1], &[1, 2], &[7, 7, 3]] {
            let moves = [before, &vec![8; run], &[0, 5]].concat();
            assert_eq!(unpack_moves(&pack_moves(&moves), moves.len()), moves, "a run of {run}");
        }
    }
}

#[test]
fn moves_are_packed_as_the_page_expects() {
    // The same bytes are read by the script in `page.test.mjs`.
    let moves = [&[1, 2][..], &[0; 25], &[3; 3], &[8]].concat();
    assert_eq!(pack_moves(&moves), [11, 99, 4, 138, 72]);
}

#[test]
fn the_worst_moves_cost_half_a_byte_each() {
    let mut roll = dice(1);
    let moves: Vec<u8> = (0..100_000).map(|_| roll(9) as u8).collect();
    let packed = pack_moves(&moves);
    assert_eq!(unpack_moves(&packed, moves.len()), moves);
    assert!(packed.len() <= 50_000, "{} bytes", packed.len());
}

#[test]
fn the_floor_takes_one_bit_per_cell() {
    let grid = Grid::from_ascii("..#..\n#...#").unwrap();
    assert_eq!(floor_bits(&grid), [0b1101_1011, 0b01]);
}

#[test]
fn steps_do_not_wrap_around_the_sides_of_the_floor() {
    let grid = Grid::open(4, 4).unwrap();
    let at = |x, y| grid.at(x, y).unwrap();
    assert_eq!(move_between(&grid, Some(at(3, 0)), Some(at(0, 1))), None);
    assert_eq!(move_between(&grid, Some(at(0, 1)), Some(at(3, 0))), None);
    assert_eq!(move_between(&grid, Some(at(1, 1)), Some(at(2, 0))), Some(5));
}

#[test]
fn a_run_with_every_kind_of_change_plays_back_cell_for_cell() {
    let mut roll = dice(7);
    let grid = Grid::open(9, 7).unwrap();
    let any_cell = |roll: &mut dyn FnMut(usize) -> usize| grid.cell(roll(63)).unwrap();
    let mut world = World::new(grid.clone());
    let mut agents = Vec::new();
    for _ in 0..12 {
        let (cell, goal) = (any_cell(&mut roll), any_cell(&mut roll));
        agents.extend(world.add(cell, goal).ok());
    }
    let mut trace = Trace::begin(&world);
    let mut moments = vec![trace.opening().to_vec()];
    for _ in 0..300 {
        let cell = any_cell(&mut roll);
        let agent = agents[roll(agents.len())];
        // The world may refuse any of these; only what it accepts is a change.
        match roll(12) {
            0 => agents.extend(world.add(cell, any_cell(&mut roll)).ok()),
            1 => agents.extend(world.add_foreign(cell).ok()),
            2 => drop(world.remove(agent)),
            3 => drop(world.place(agent, cell)),
            4 => drop(world.send(agent, cell)),
            5 => drop(world.set_floor(cell, !world.grid().is_floor(cell))),
            _ => {}
        }
        let mut moves = Moves::waiting(&world);
        for agent in world.ours() {
            let near: Vec<_> = world.grid().neighbours(agent.cell).collect();
            let Some(&to) = near.get(roll(9)) else {
                continue;
            };
            if !world.is_occupied(to) && world.ours().all(|other| moves.next(other.id) != Some(to))
            {
                moves.set(agent.id, to);
            }
        }
        world.advance(&moves).unwrap();
        trace.record(&world);
        moments.push(world.agents().collect());
    }

    let [few, all] = [700, usize::MAX].map(|at_once| {
        let mut packed = Vec::new();
        write_moves(&trace, at_once, &mut packed).unwrap();
        packed
    });
    assert_eq!(few, all, "the moves may be written in parts");
    let played = play(&encode(&trace));
    assert_eq!(played.len(), moments.len());
    for (tick, ((cells, goals), agents)) in played.iter().zip(&moments).enumerate() {
        for (slot, (&cell, &goal)) in cells.iter().zip(goals).enumerate() {
            let agent = agents.iter().find(|agent| agent.slot() == slot);
            let expected = agent.map_or((NOWHERE, NOWHERE), |a| (number(a.cell), number(a.goal)));
            assert_eq!((cell, goal), expected, "slot {slot} at tick {tick}");
        }
    }
}

#[test]
fn a_foreign_agent_that_walks_costs_no_changes() {
    let mut world = World::new(Grid::open(5, 1).unwrap());
    let at = |x| Grid::open(5, 1).unwrap().at(x, 0).unwrap();
    let foreign = world.add_foreign(at(0)).unwrap();
    let mut trace = Trace::begin(&world);
    for x in [1, 2, 4] {
        world.place(foreign, at(x)).unwrap();
        world.advance(&Moves::waiting(&world)).unwrap();
        trace.record(&world);
    }
    let run: Value = serde_json::from_str(&encode(&trace)).unwrap();
    assert_eq!(run["changes"], json!([[3, [PLACE, 0, 4]]]));
}

#[test]
fn changes_before_the_trace_begins_are_not_repeated() {
    let mut world = World::new(Grid::open(3, 1).unwrap());
    let [a, b, c] = [0, 1, 2].map(|x| world.grid().at(x, 0).unwrap());
    let first = world.add(a, b).unwrap();
    world.remove(first).unwrap();
    let second = world.add(c, b).unwrap();
    assert_eq!(first.slot(), second.slot());
    let mut trace = Trace::begin(&world);
    world.advance(&Moves::waiting(&world)).unwrap();
    trace.record(&world);
    assert_eq!(play(&encode(&trace)), vec![(vec![2], vec![1]); 2]);
}
