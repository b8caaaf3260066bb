use super::*;
use crate::crowd::Status;
use crate::grid::{Cell, Direction, Grid};
use crate::planners::{Planner, Work, planner};
use crate::world::{Moves, World};

fn crowd(drawing: &str) -> Crowd {
    Crowd::new(Grid::from_ascii(drawing).unwrap())
}

/// An agent that stands at one position and is sent to another.
fn sent(crowd: &mut Crowd, from: (u32, u32), to: (u32, u32)) -> AgentId {
    let agent = crowd.add(from).unwrap();
    crowd.send(agent, to).unwrap();
    agent
}

/// Runs ticks, and returns the planner's expansions in them.
fn pass(crowd: &mut Crowd, ticks: u64) -> u64 {
    (0..ticks).map(|_| crowd.tick().unwrap().expansions).sum()
}

/// Agents that are stuck do not search in vain: at most four expansions for each agent and tick.
fn assert_little_work(crowd: &mut Crowd, agents: u64) {
    let work = pass(crowd, 100);
    assert!(work <= 100 * agents * 4, "{work} expansions in 100 ticks, for {agents} agents");
}

/// The agents that have been stuck for at least this many ticks, and why.
fn stuck(crowd: &Crowd, ticks: u64) -> Vec<(AgentId, Hindrance)> {
    crowd.stuck(ticks).map(|stuck| (stuck.agent, stuck.reason)).collect()
}

#[test]
fn two_agents_that_would_have_to_swap_in_a_closed_corridor_can_never_arrive() {
    for length in [4, 6, 7, 20] {
        let mut crowd = Crowd::new(Grid::open(length, 1).unwrap());
        let one = sent(&mut crowd, (0, 0), (length - 1, 0));
        let other = sent(&mut crowd, (length - 1, 0), (0, 0));
        pass(&mut crowd, 1000);
        let expected = [(one, Hindrance::NoPlan), (other, Hindrance::NoPlan)];
        assert_eq!(stuck(&crowd, 100), expected, "{length} cells");
        assert_little_work(&mut crowd, 2);
    }
}

#[test]
fn those_who_can_arrive_do_so_although_others_cannot() {
    // The two in the corridor to the east would have to swap; the others change places in the room.
    let mut crowd = crowd("...#######\n..........\n...#######");
    let [one, other] =
        [((8, 1), (9, 1)), ((9, 1), (8, 1))].map(|(from, to)| sent(&mut crowd, from, to));
    // There is room behind them as long as the corridor is open, so it is closed.
    crowd.set_floor((5, 1), false).unwrap();
    let third = sent(&mut crowd, (7, 1), (6, 1));
    let west = sent(&mut crowd, (0, 0), (2, 2));
    pass(&mut crowd, 300);
    let expected = [(one, Hindrance::NoPlan), (other, Hindrance::NoPlan)];
    assert_eq!(stuck(&crowd, 100), expected);
    assert_eq!([third, west].map(|agent| crowd.status(agent)), [Status::Arrived; 2]);
    // As soon as the corridor is open again, both go on.
    crowd.set_floor((5, 1), true).unwrap();
    pass(&mut crowd, 300);
    assert_eq!([one, other, third].map(|agent| crowd.status(agent)), [Status::Arrived; 3]);
}

/// A planner whose agents walk four cells to the east, four cells back, and so on.
struct ToAndFro;

impl Planner for ToAndFro {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        let direction = if world.tick() % 8 < 4 { Direction::East } else { Direction::West };
        for agent in world.ours() {
            moves.set(agent.id, world.grid().beside(agent.cell, direction));
        }
        Work::default()
    }

    fn wish(&self, _agent: &Agent) -> Option<Cell> {
        None
    }

    fn memory(&self) -> usize {
        0
    }
}

#[test]
fn an_agent_that_walks_to_and_fro_is_stuck() {
    let mut crowd = Crowd::with_planner(Grid::open(20, 3).unwrap(), Box::new(ToAndFro));
    // The first comes nearer to its goal at first, the second only enters new ground.
    let ahead = sent(&mut crowd, (2, 0), (19, 0));
    let beside = sent(&mut crowd, (6, 1), (0, 2));
    pass(&mut crowd, 100);
    let stuck: Vec<Stuck> = crowd.stuck(50).collect();
    assert_eq!(stuck.iter().map(|stuck| stuck.agent).collect::<Vec<_>>(), [ahead, beside]);
    assert_eq!(
        stuck[0].since, 12,
        "nearer until 4, on new ground until 8, back from there until 12"
    );
    assert_eq!(stuck[1].since, 8, "on new ground until 4, back from there until 8");
}

#[test]
fn an_agent_that_comes_home_again_and_again_is_stuck() {
    // It passes its goal four times in sixteen ticks, and never stays.
    let mut crowd = Crowd::with_planner(Grid::open(20, 1).unwrap(), Box::new(ToAndFro));
    let agent = sent(&mut crowd, (2, 0), (4, 0));
    pass(&mut crowd, 97);
    assert_ne!(crowd.position(agent), Some((4, 0)));
    let stuck: Vec<Stuck> = crowd.stuck(80).collect();
    assert_eq!(stuck.iter().map(|stuck| stuck.agent).collect::<Vec<_>>(), [agent]);
    assert!(stuck[0].since <= 12, "new ground until 4, back from there until 12");
}

#[test]
fn an_agent_that_was_at_home_for_long_starts_again_when_it_is_pushed_off() {
    let mut crowd = crowd("...\n...");
    let guard = crowd.add((1, 0)).unwrap();
    pass(&mut crowd, 100);
    crowd.place(guard, (2, 1)).unwrap();
    assert_eq!(stuck(&crowd, 1), []);
    sent(&mut crowd, (0, 0), (2, 0));
    pass(&mut crowd, 5);
    assert_eq!(stuck(&crowd, 6), [], "whatever happens now began less than six ticks ago");
}

#[test]
fn a_goal_behind_walls_is_out_of_reach_until_it_opens() {
    let mut crowd = crowd("......\n...###\n...#..\n...###");
    let scout = sent(&mut crowd, (0, 0), (5, 2));
    pass(&mut crowd, 50);
    assert_eq!(stuck(&crowd, 40), [(scout, Hindrance::NoPath)]);
    assert_little_work(&mut crowd, 1);

    crowd.set_floor((3, 2), true).unwrap();
    pass(&mut crowd, 1);
    assert_eq!(stuck(&crowd, 2), [], "it is walking to its goal");
    pass(&mut crowd, 20);
    assert_eq!(crowd.position(scout), Some((5, 2)));
    pass(&mut crowd, 50);
    assert_eq!(stuck(&crowd, 0), [], "an agent that has arrived is never stuck");
}

#[test]
fn a_goal_that_another_agent_holds_is_taken_until_it_is_left() {
    let mut crowd = crowd("........\n........");
    let scout = sent(&mut crowd, (0, 0), (6, 0));
    let guard = crowd.add_foreign((6, 0)).unwrap();
    pass(&mut crowd, 60);
    assert_eq!(stuck(&crowd, 50), [(scout, Hindrance::GoalTaken { by: guard })]);
    assert_little_work(&mut crowd, 1);
    crowd.place(guard, (0, 1)).unwrap();
    pass(&mut crowd, 5);
    assert_eq!(stuck(&crowd, 0), []);
    assert_eq!(crowd.position(scout), Some((6, 0)));
}

#[test]
fn a_goal_is_taken_by_one_of_ours_that_has_arrived_there() {
    // Agents of this planner do not make room.
    let grid = Grid::open(8, 2).unwrap();
    let mut crowd = Crowd::with_planner(grid, planner("bmaa").unwrap());
    let owner = crowd.add((6, 0)).unwrap();
    let scout = sent(&mut crowd, (0, 0), (6, 0));
    pass(&mut crowd, 60);
    assert_eq!(stuck(&crowd, 50), [(scout, Hindrance::GoalTaken { by: owner })]);
}

#[test]
fn foreign_agents_in_the_only_door_hold_all_others_up() {
    let mut crowd = crowd(".......\n.......\n##.####\n.......");
    let squad = [0, 2, 5].map(|x| sent(&mut crowd, (x, 0), (x, 3)));
    let player = crowd.add_foreign((2, 2)).unwrap();
    pass(&mut crowd, 1000);
    assert_eq!(stuck(&crowd, 50), squad.map(|agent| (agent, Hindrance::ForeignInTheWay)));
    assert_little_work(&mut crowd, 3);
    crowd.place(player, (6, 3)).unwrap();
    pass(&mut crowd, 30);
    assert_eq!(stuck(&crowd, 0), []);
}

#[test]
fn a_foreign_agent_that_can_be_passed_on_the_diagonal_is_not_in_the_way() {
    let mut crowd = crowd("...\n...");
    sent(&mut crowd, (0, 0), (2, 0));
    crowd.add_foreign((1, 0)).unwrap();
    crowd.add_foreign((0, 1)).unwrap();
    pass(&mut crowd, 1);
    assert_ne!(crowd.stuck(0).map(|stuck| stuck.reason).next(), Some(Hindrance::ForeignInTheWay));
}

#[test]
fn an_agent_on_a_long_detour_is_not_stuck() {
    // The goal is two cells away, and the path to it is 40 cells long.
    let mut crowd = crowd("....................\n###################.\n....................");
    let scout = sent(&mut crowd, (0, 0), (0, 2));
    for _ in 0..40 {
        assert_eq!(stuck(&crowd, 3), []);
        pass(&mut crowd, 1);
    }
    assert_eq!(crowd.position(scout), Some((0, 2)));
}

#[test]
fn another_goal_another_place_and_another_agent_start_the_count_again() {
    let mut crowd = crowd("...#...");
    let scout = sent(&mut crowd, (0, 0), (5, 0));
    pass(&mut crowd, 30);
    let since = |crowd: &Crowd| crowd.stuck(0).map(|stuck| stuck.since).collect::<Vec<_>>();
    let first = since(&crowd);
    assert!(first[0] < 5, "{first:?}");

    crowd.send(scout, (5, 0)).unwrap();
    pass(&mut crowd, 10);
    assert_eq!(since(&crowd), first, "the same goal again");

    crowd.send(scout, (6, 0)).unwrap();
    assert!(since(&crowd).is_empty(), "nothing is known yet");
    pass(&mut crowd, 10);
    assert!(since(&crowd)[0] >= 40);

    crowd.place(scout, (1, 0)).unwrap();
    pass(&mut crowd, 10);
    assert!(since(&crowd)[0] >= 50);

    crowd.remove(scout).unwrap();
    assert!(since(&crowd).is_empty(), "an agent that has left is not stuck");
    let next = sent(&mut crowd, (0, 0), (6, 0));
    assert_eq!(next.slot(), scout.slot());
    pass(&mut crowd, 10);
    assert!(since(&crowd)[0] >= 60);
}

#[test]
fn the_agent_that_another_waited_for_is_forgotten_when_it_leaves() {
    let mut crowd = Crowd::new(Grid::open(6, 1).unwrap());
    let one = sent(&mut crowd, (0, 0), (5, 0));
    let other = sent(&mut crowd, (5, 0), (0, 0));
    pass(&mut crowd, 60);
    crowd.remove(other).unwrap();
    assert_eq!(stuck(&crowd, 20), [(one, Hindrance::Wandering)]);
    pass(&mut crowd, 10);
    assert_eq!(stuck(&crowd, 0), []);
}
