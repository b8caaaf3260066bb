//! The cheapest plan by a search over the cells and stages of all agents at once, to test against.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::grid::{Cell, Crossing, Grid};
use crate::meetings::{AtTarget, MeetingInstance, MeetingTask, Stage};

/// The two agents of a task at a tick. An agent that has left is nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Pair {
    initiator: Option<Cell>,
    executor: Option<Cell>,
    stage: Stage,
}

/// One move of one agent: from, to.
type Step = (Cell, Cell);

/// The cheapest plan, `None` if there is none, or an error if it takes too long to find out.
pub fn joint_optimum(
    instance: &MeetingInstance,
    at_target: AtTarget,
    most_states: usize,
) -> Result<Option<u64>, ()> {
    let (grid, tasks) = (instance.grid(), instance.tasks());
    let alone: Vec<HashMap<Pair, u64>> =
        tasks.iter().map(|task| costs_alone(grid, task, at_target)).collect();
    let estimate = |state: &[Pair]| -> Option<u64> {
        state.iter().zip(&alone).map(|(pair, alone)| alone.get(pair)).sum()
    };
    let first: Vec<Pair> = tasks.iter().map(begin).collect();
    let Some(least) = estimate(&first) else { return Ok(None) };
    let mut best = HashMap::from([(first.clone(), 0)]);
    let mut states = vec![first];
    let mut open = BinaryHeap::from([Reverse((least, 0_u64, 0_usize))]);
    while let Some(Reverse((_, cost, number))) = open.pop() {
        let state = states[number].clone();
        if best[&state] < cost {
            continue;
        }
        if state.iter().all(|pair| pair.stage == Stage::Done) {
            return Ok(Some(cost));
        }
        if states.len() > most_states {
            return Err(());
        }
        let cost = cost + cost_of_a_tick(&state);
        for next in successors(grid, tasks, at_target, &state) {
            let Some(rest) = estimate(&next) else { continue };
            if best.get(&next).is_none_or(|&known| cost < known) {
                best.insert(next.clone(), cost);
                states.push(next);
                open.push(Reverse((cost + rest, cost, states.len() - 1)));
            }
        }
    }
    Ok(None)
}

fn begin(task: &MeetingTask) -> Pair {
    let stage = if task.initiator == task.start { Stage::Meet } else { Stage::Visit };
    Pair { initiator: Some(task.initiator), executor: Some(task.executor), stage }
}

/// What a task costs from every situation of its pair if no other agents are there.
fn costs_alone(grid: &Grid, task: &MeetingTask, at_target: AtTarget) -> HashMap<Pair, u64> {
    let mut graph: HashMap<Pair, Vec<Pair>> = HashMap::new();
    let mut queue = vec![begin(task)];
    while let Some(pair) = queue.pop() {
        graph.entry(pair).or_insert_with(|| {
            let next = successors(grid, &[*task], at_target, &[pair]);
            let next: Vec<Pair> = next.into_iter().map(|state| state[0]).collect();
            queue.extend(&next);
            next
        });
    }
    let is_done = |pair: &&Pair| pair.stage == Stage::Done;
    let mut costs: HashMap<Pair, u64> =
        graph.keys().filter(is_done).map(|pair| (*pair, 0)).collect();
    loop {
        let mut has_changed = false;
        for (pair, next) in graph.iter().filter(|(pair, _)| pair.stage != Stage::Done) {
            let rest = next.iter().filter_map(|next| costs.get(next)).min();
            let Some(cost) = rest.map(|rest| rest + cost_of_a_tick(&[*pair])) else { continue };
            has_changed |= costs.insert(*pair, cost) != Some(cost);
        }
        if !has_changed {
            return costs;
        }
    }
}

/// Every agent whose part is not done pays one.
fn cost_of_a_tick(state: &[Pair]) -> u64 {
    let agents = |pair: &Pair| match pair.stage {
        Stage::Visit | Stage::Meet => 2,
        Stage::Deliver => 1,
        Stage::Done => 0,
    };
    state.iter().map(agents).sum()
}

/// All situations one tick later.
fn successors(
    grid: &Grid,
    tasks: &[MeetingTask],
    at_target: AtTarget,
    state: &[Pair],
) -> Vec<Vec<Pair>> {
    let mut partial: Vec<(Vec<Pair>, Vec<Step>)> = vec![(Vec::new(), Vec::new())];
    for (pair, task) in state.iter().zip(tasks) {
        let own = pair_moves(grid, pair);
        let mut longer = Vec::new();
        for (pairs, steps) in &partial {
            for &[initiator, executor] in &own {
                let is_free = |step: Option<Step>| {
                    step.is_none_or(|step| steps.iter().all(|&other| is_apart(grid, step, other)))
                };
                if !is_free(initiator) || !is_free(executor) {
                    continue;
                }
                for next in after(grid, task, at_target, pair.stage, [initiator, executor]) {
                    let mut pairs = pairs.clone();
                    pairs.push(next);
                    let steps = steps.iter().copied().chain(initiator).chain(executor).collect();
                    longer.push((pairs, steps));
                }
            }
        }
        partial = longer;
    }
    partial.into_iter().map(|(pairs, _)| pairs).collect()
}

/// What the two agents of a pair could do, with those steps that are in conflict with each other.
fn pair_moves(grid: &Grid, pair: &Pair) -> Vec<[Option<Step>; 2]> {
    let steps = |cell: Option<Cell>, moves: bool| -> Vec<Option<Step>> {
        match cell {
            None => vec![None],
            Some(cell) if moves => {
                grid.neighbours(cell).chain([cell]).map(|to| Some((cell, to))).collect()
            }
            Some(cell) => vec![Some((cell, cell))],
        }
    };
    let initiators = steps(pair.initiator, pair.stage <= Stage::Meet);
    let executors = steps(pair.executor, pair.stage <= Stage::Deliver);
    let both = |&one: &Option<Step>| executors.iter().map(move |&other| [one, other]);
    initiators.iter().flat_map(both).collect()
}

/// The situations to which the steps of a pair can lead: none if they are in conflict with each other and that is no meeting.
fn after(
    grid: &Grid,
    task: &MeetingTask,
    at_target: AtTarget,
    before: Stage,
    steps: [Option<Step>; 2],
) -> Vec<Pair> {
    let [mut initiator, mut executor] = steps.map(|step| step.map(|(_, to)| to));
    let mut stage = before;
    if stage == Stage::Visit && initiator == Some(task.start) {
        stage = Stage::Meet;
    }
    if let [Some(one), Some(other)] = steps
        && !is_apart(grid, one, other)
    {
        // Two agents that are on one cell meet, if it is their time. They do not swap cells.
        if one.1 != other.1 || stage != Stage::Meet {
            return Vec::new();
        }
        stage = Stage::Deliver;
        if at_target == AtTarget::Leave {
            initiator = None;
        }
    }
    let mut all = Vec::new();
    if stage == Stage::Deliver && executor == Some(task.goal) {
        // One that stays may also have to step aside once more.
        if at_target == AtTarget::Stay {
            all.push(Pair { initiator, executor, stage });
        } else {
            executor = None;
        }
        stage = Stage::Done;
    }
    // An executor that is done on the cell of its meeting shares it for good with an initiator that stays.
    if stage != Stage::Done || executor.is_none() || initiator != executor {
        all.push(Pair { initiator, executor, stage });
    }
    all
}

/// Whether two steps are in no conflict: they end on different cells, do not swap them, and do not cross where that is forbidden.
fn is_apart(grid: &Grid, one: Step, other: Step) -> bool {
    let corners = |(from, to): Step| (grid.position(from), grid.position(to));
    let is_diagonal = |step: Step| {
        let ((x, y), (to_x, to_y)) = corners(step);
        x != to_x && y != to_y
    };
    let middle = |step: Step| {
        let ((x, y), (to_x, to_y)) = corners(step);
        (x + to_x, y + to_y)
    };
    let is_swap = one.0 != one.1 && one == (other.1, other.0);
    let is_crossing = grid.rules().crossing == Crossing::Forbidden
        && is_diagonal(one)
        && is_diagonal(other)
        && middle(one) == middle(other);
    one.1 != other.1 && !is_swap && !is_crossing
}
