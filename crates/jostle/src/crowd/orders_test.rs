use crate::grid::Grid;
use crate::instance::{Instance, Kind};
use crate::levels::Level;
use crate::world::AgentId;
use crate::{Crowd, Status};

/// The goals of agents, in order.
fn goals(crowd: &Crowd, agents: &[AgentId]) -> Vec<Option<(u32, u32)>> {
    let mut goals: Vec<_> = agents.iter().map(|&agent| crowd.goal(agent)).collect();
    goals.sort_unstable();
    goals
}

#[test]
fn large_groups_arrive_where_doors_and_aisles_are_narrow() {
    for (level, ticks) in [(Level::Rooms, 600), (Level::Warehouse, 300), (Level::Scatter, 300)] {
        let grid = level.generate(64, 64, 1).unwrap();
        let instance = Instance::draw(grid.clone(), Kind::Random, 300, 1).unwrap();
        let mut crowd = Crowd::new(grid.clone());
        let starts = instance.tasks().iter().map(|&(start, _)| grid.position(start));
        let members: Vec<AgentId> = starts.map(|start| crowd.add(start).unwrap()).collect();
        crowd.send_group(&members, grid.position(instance.tasks()[0].1)).unwrap();
        let before = goals(&crowd, &members);
        for _ in 0..ticks {
            crowd.tick().unwrap();
        }
        assert_eq!(goals(&crowd, &members), before, "{level}: members have each other's goals");
        let away = members.iter().filter(|&&member| crowd.status(member) != Status::Arrived);
        assert_eq!(away.count(), 0, "{level}");
    }
}

#[test]
fn members_that_meet_in_a_corridor_turn_around() {
    let mut crowd = Crowd::new(Grid::open(9, 1).unwrap());
    let members = [crowd.add((2, 0)).unwrap(), crowd.add((6, 0)).unwrap()];
    crowd.send_group(&members, (4, 0)).unwrap();
    let goals = goals(&crowd, &members);
    // Each gets the goal that is behind the other one.
    let (first, second) = (goals[1].unwrap(), goals[0].unwrap());
    let cell = |crowd: &Crowd, at: (u32, u32)| crowd.world().grid().at(at.0, at.1).unwrap();
    let crossed = [(members[0], cell(&crowd, first)), (members[1], cell(&crowd, second))];
    for (member, goal) in crossed {
        crowd.world.send(member, goal).unwrap();
    }
    crowd.orders.give(&crossed);
    for _ in 0..60 {
        crowd.tick().unwrap();
    }
    assert!(members.iter().all(|&member| crowd.status(member) == Status::Arrived));
    assert_eq!(crowd.goal(members[0]), Some(second));
}

#[test]
fn a_member_that_is_sent_by_itself_keeps_its_goal() {
    let mut crowd = Crowd::new(Grid::open(9, 1).unwrap());
    let members = [crowd.add((0, 0)).unwrap(), crowd.add((8, 0)).unwrap()];
    crowd.send_group(&members, (4, 0)).unwrap();
    crowd.send(members[0], (8, 0)).unwrap();
    crowd.remove(members[1]).unwrap();
    let other = crowd.add((7, 0)).unwrap();
    for _ in 0..60 {
        crowd.tick().unwrap();
    }
    assert_eq!(crowd.goal(members[0]), Some((8, 0)));
    assert_eq!(crowd.goal(other), Some((7, 0)), "it was never a member");
}
