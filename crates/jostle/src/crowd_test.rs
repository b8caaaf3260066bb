use super::*;

fn crowd(drawing: &str) -> Crowd {
    Crowd::new(Grid::from_ascii(drawing).unwrap())
}

#[test]
fn an_agent_says_why_it_is_not_moving() {
    let mut crowd = crowd("....#.\n#.###.\n......");
    let scout = crowd.add((0, 0)).unwrap();
    assert_eq!(crowd.status(scout), Status::Arrived, "it has not been sent yet");
    let guard = crowd.add_foreign((1, 0)).unwrap();
    assert_eq!(crowd.status(guard), Status::Foreign);

    crowd.send(scout, (3, 0)).unwrap();
    assert_eq!(crowd.status(scout), Status::Searching);
    crowd.tick().unwrap();
    assert_eq!(crowd.status(scout), Status::Waiting { behind: guard }, "it boxes the scout in");

    crowd.send(scout, (1, 0)).unwrap();
    crowd.tick().unwrap();
    assert_eq!(crowd.status(scout), Status::Waiting { behind: guard }, "it holds the goal");

    crowd.place(guard, (5, 2)).unwrap();
    crowd.send(scout, (5, 0)).unwrap();
    crowd.tick().unwrap();
    assert_eq!(crowd.status(scout), Status::Moving);

    crowd.set_floor((1, 1), false).unwrap();
    assert_eq!(crowd.status(scout), Status::NoPath);
    crowd.set_floor((1, 1), true).unwrap();
    assert_eq!(crowd.status(scout), Status::Moving);

    crowd.remove(scout).unwrap();
    assert_eq!(crowd.status(scout), Status::Gone);
    assert_eq!(crowd.position(scout), None);
}

#[test]
fn a_goal_in_a_wall_is_a_state_and_not_an_error() {
    let mut crowd = crowd("..#");
    let scout = crowd.add((0, 0)).unwrap();
    crowd.send(scout, (2, 0)).unwrap();
    for _ in 0..10 {
        crowd.tick().unwrap();
    }
    assert_eq!(crowd.status(scout), Status::NoPath);
}

#[test]
fn an_agent_in_a_new_wall_walks_out() {
    let mut crowd = crowd("....");
    let scout = crowd.add((1, 0)).unwrap();
    crowd.set_floor((1, 0), false).unwrap();
    crowd.send(scout, (3, 0)).unwrap();
    assert_ne!(crowd.status(scout), Status::NoPath);
    for _ in 0..2 {
        crowd.tick().unwrap();
    }
    assert_eq!(crowd.status(scout), Status::Arrived);
}

#[test]
fn wrong_positions_are_refused_with_a_sentence() {
    let mut crowd = crowd("..#");
    let scout = crowd.add((0, 0)).unwrap();
    let error = |result: Result<AgentId, ChangeError>| result.unwrap_err().to_string();
    assert_eq!(error(crowd.add((0, 0))), "agent 0 stands on (0, 0) already");
    assert_eq!(error(crowd.add((2, 0))), "(2, 0) is a wall");
    assert_eq!(error(crowd.add((3, 0))), "(3, 0) is outside the map of 3x1");
    crowd.remove(scout).unwrap();
    assert_eq!(crowd.send(scout, (1, 0)).unwrap_err().to_string(), "agent 0 is not in the world");
}

#[test]
fn a_group_gathers_around_one_place() {
    let mut crowd = crowd("............\n............\n.....##.....\n............");
    let squad = [(0, 0), (0, 1), (1, 0), (1, 1), (0, 3)].map(|at| crowd.add(at).unwrap());
    let guard = crowd.add_foreign((9, 1)).unwrap();
    let gathering = crowd.send_group(&squad, (9, 1)).unwrap();
    assert_eq!(gathering.left_out, []);
    for _ in 0..30 {
        crowd.tick().unwrap();
    }
    assert_eq!(crowd.position(guard), Some((9, 1)));
    for (agent, goal) in gathering.goals {
        assert_eq!(crowd.status(agent), Status::Arrived);
        assert_eq!(crowd.goal(agent), Some(crowd.world().grid().position(goal)));
    }
}

#[test]
fn an_impossible_order_to_a_group_changes_nothing() {
    let mut crowd = crowd("....");
    let squad = [0, 1, 2].map(|x| crowd.add((x, 0)).unwrap());
    let error = |result: Result<Gathering, ChangeError>| result.unwrap_err().to_string();
    assert_eq!(error(crowd.send_group(&squad, (4, 0))), "(4, 0) is outside the map of 4x1");
    assert!(squad.iter().all(|&agent| crowd.status(agent) == Status::Arrived));
}

#[test]
fn a_group_with_a_dead_member_still_goes() {
    let mut crowd = crowd("......");
    let squad = [0, 1, 2].map(|x| crowd.add((x, 0)).unwrap());
    crowd.remove(squad[0]).unwrap();
    let gathering = crowd.send_group(&squad, (5, 0)).unwrap();
    assert_eq!(gathering.left_out, [squad[0]]);
    for _ in 0..8 {
        crowd.tick().unwrap();
    }
    assert_eq!([1, 2].map(|member| crowd.position(squad[member])), [Some((4, 0)), Some((5, 0))]);
    // All of them are dead, and that is no error either.
    squad[1..].iter().for_each(|&member| crowd.remove(member).unwrap());
    assert_eq!(crowd.send_group(&squad, (0, 0)).unwrap().left_out, squad);
}

#[test]
fn a_group_is_sent_on_the_map_as_it_is_now() {
    let mut crowd = crowd("...#...");
    let scout = crowd.add((0, 0)).unwrap();
    crowd.send_group(&[scout], (6, 0)).unwrap();
    assert_eq!(crowd.goal(scout), Some((2, 0)), "as close as it can get");
    crowd.set_floor((3, 0), true).unwrap();
    crowd.send_group(&[scout], (6, 0)).unwrap();
    assert_eq!(crowd.goal(scout), Some((6, 0)));
}

fn is_send_and_sync<T: Send + Sync>() {}

#[test]
fn a_crowd_is_a_resource_that_threads_can_share() {
    is_send_and_sync::<Crowd>();
}

#[test]
fn a_loop_that_sets_the_floor_as_it_is_does_not_label_the_map_again() {
    let mut crowd = crowd("...\n...");
    let scout = crowd.add((0, 0)).unwrap();
    crowd.send(scout, (2, 1)).unwrap();
    assert_eq!(crowd.status(scout), Status::Searching);
    assert!(crowd.components.get().is_some(), "the status needs to know what is in reach");
    crowd.set_floor((1, 0), true).unwrap();
    assert!(crowd.components.get().is_some(), "nothing has changed");
    crowd.set_floor((1, 0), false).unwrap();
    assert!(crowd.components.get().is_none());
}

#[test]
fn a_crowd_can_forbid_crossing() {
    use crate::grid::{Crossing, Rules};
    for crossing in [Crossing::Allowed, Crossing::Forbidden] {
        let rules = Rules { crossing, ..Rules::default() };
        let mut crowd = Crowd::new(Grid::open(2, 2).unwrap().with_rules(rules));
        let [one, other] = [crowd.add((0, 0)).unwrap(), crowd.add((1, 0)).unwrap()];
        crowd.send(one, (1, 1)).unwrap();
        crowd.send(other, (0, 1)).unwrap();
        crowd.tick().unwrap();
        let is_diagonal = |moved: &Moved| moved.from.0 != moved.to.0 && moved.from.1 != moved.to.1;
        let crossed = crowd.moved().filter(is_diagonal).count();
        assert_eq!(crossed == 2, crossing == Crossing::Allowed);
    }
}

#[test]
fn the_moves_and_positions_of_all_agents_are_read_in_bulk() {
    let mut crowd = crowd("....\n....");
    let [one, other] = [crowd.add((0, 0)).unwrap(), crowd.add((0, 1)).unwrap()];
    let player = crowd.add_foreign((3, 1)).unwrap();
    crowd.send(one, (3, 0)).unwrap();
    crowd.tick().unwrap();
    let moved: Vec<_> = crowd.moved().map(|moved| (moved.agent, moved.from, moved.to)).collect();
    assert_eq!(moved, [(one, (0, 0), (1, 0))]);
    let positions: Vec<_> = crowd.positions().collect();
    assert_eq!(positions, [(one, (1, 0)), (other, (0, 1)), (player, (3, 1))]);
}

#[test]
fn an_agent_that_was_placed_elsewhere_has_not_taken_a_step() {
    let mut crowd = crowd("......\n......");
    let [walker, rester] = [crowd.add((0, 0)).unwrap(), crowd.add((0, 1)).unwrap()];
    crowd.send(walker, (5, 0)).unwrap();
    crowd.tick().unwrap();
    assert_eq!(crowd.moved().count(), 1);
    crowd.place(walker, (3, 0)).unwrap();
    crowd.place(rester, (3, 1)).unwrap();
    assert_eq!(crowd.moved().next(), None, "nobody walked there");
    crowd.tick().unwrap();
    let moved: Vec<_> = crowd.moved().map(|moved| (moved.from, moved.to)).collect();
    assert!(moved.contains(&((3, 0), (4, 0))), "{moved:?}");
}

#[test]
fn fingerprints_tell_everything_that_a_game_can_change_apart() {
    let mut seen = std::collections::HashSet::new();
    let mut crowd = crowd("......\n......");
    let mut note = |crowd: &Crowd| assert!(seen.insert(crowd.fingerprint()), "seen before");
    note(&crowd);
    let scout = crowd.add((0, 0)).unwrap();
    note(&crowd);
    let player = crowd.add_foreign((0, 1)).unwrap();
    note(&crowd);
    crowd.send(scout, (5, 0)).unwrap();
    note(&crowd);
    crowd.place(player, (1, 1)).unwrap();
    note(&crowd);
    crowd.set_floor((5, 1), false).unwrap();
    note(&crowd);
    crowd.tick().unwrap();
    note(&crowd);
    crowd.remove(player).unwrap();
    note(&crowd);
    let back = crowd.add((1, 1)).unwrap();
    assert_eq!(back.slot(), player.slot());
    note(&crowd);
    // What leads back to the same state leads back to the same number.
    let before = crowd.fingerprint();
    crowd.set_floor((5, 1), true).unwrap();
    crowd.set_floor((5, 1), false).unwrap();
    assert_eq!(crowd.fingerprint(), before);
}

#[test]
fn a_unit_on_which_a_building_is_built_walks_out_and_does_not_say_that_it_has_arrived() {
    let mut crowd = Crowd::new(Grid::open(7, 5).unwrap());
    let unit = crowd.add((3, 2)).unwrap();
    crowd.tick().unwrap();
    assert_eq!(crowd.status(unit), Status::Arrived);
    crowd.set_floor((3, 2), false).unwrap();
    assert_ne!(crowd.status(unit), Status::Arrived);
    crowd.tick().unwrap();
    assert_ne!(crowd.position(unit), Some((3, 2)));
    crowd.tick().unwrap();
    assert_eq!(crowd.status(unit), Status::NoPath, "its goal is a wall");
}
