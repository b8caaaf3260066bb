//! A part of the floor that is one ring: agents keep their order, and the whole crowd can go round.

use super::board::{Board, NONE};
use super::graph::Graph;

/// The vertices of a ring in their order.
fn round(graph: &Graph) -> Vec<u32> {
    let mut ring = vec![0];
    let mut next = graph.near(0).first().copied();
    while let (Some(now), Some(&before)) = (next.filter(|&now| now != 0), ring.last()) {
        ring.push(now);
        next = graph.near(now).iter().copied().find(|&near| near != before);
    }
    ring
}

/// Brings all agents on a ring to their goals. Whether that is possible.
pub fn solve(board: &mut Board, goals: &[u32]) -> bool {
    board.fill(goals);
    let mut ring = round(&board.graph);
    let mut owner = vec![NONE; ring.len()];
    goals.iter().zip(0..).for_each(|(&goal, agent)| owner[goal as usize] = agent);
    // From now on the agents stand on the goals, in the order of the ring.
    let mut stops: Vec<u32> = ring.iter().copied().filter(|&at| !board.is_free(at)).collect();
    let count = stops.len();
    let is_on = |stops: &[u32], turns: usize| {
        (0..count)
            .all(|from| board.at(stops[from]) == owner[stops[(from + turns) % count] as usize])
    };
    let Some(mut turns) = (0..count).find(|&turns| is_on(&stops, turns)) else { return count == 0 };
    if turns > count / 2 {
        ring.reverse();
        stops.reverse();
        turns = count - turns;
    }
    for _ in 0..turns {
        if count == ring.len() {
            board.turn(&ring);
        } else {
            go_round(board, &ring, &stops);
        }
    }
    true
}

/// Every agent goes to the next stop. The one before a free vertex makes the first step, and the last ones.
fn go_round(board: &mut Board, ring: &[u32], stops: &[u32]) {
    let mut index = vec![0; ring.len()];
    ring.iter().enumerate().for_each(|(at, &vertex)| index[vertex as usize] = at);
    let after = |vertex: u32| ring[(index[vertex as usize] + 1) % ring.len()];
    let Some(first) = stops.iter().position(|&stop| board.is_free(after(stop))) else { return };
    let leader = board.at(stops[first]);
    board.step(leader, after(stops[first]));
    for back in 1..=stops.len() {
        let from = (first + stops.len() - back) % stops.len();
        let to = stops[(from + 1) % stops.len()];
        let agent = if back == stops.len() { leader } else { board.at(stops[from]) };
        while board.position(agent) != to {
            board.step(agent, after(board.position(agent)));
        }
    }
}
