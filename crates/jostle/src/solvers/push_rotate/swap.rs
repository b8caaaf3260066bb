//! Two neighbouring agents change places, and everybody else is where they were before.
//!
//! The two are brought to a junction, with others pushed out of their way; two more neighbours of the junction are made free; the two go
//! round each other; and all that was done to get there is played backwards with their roles exchanged.

use super::board::{Board, NONE};

/// Two agents at a junction: one on it, the other one beside it.
#[derive(Clone, Copy)]
struct Pair {
    /// On the junction.
    leader: u32,
    follower: u32,
}

impl Board {
    /// Exchanges two agents on neighbouring vertices, at one of the `most` nearest junctions. Whether that was possible; nothing has
    /// changed if not.
    pub fn swap(&mut self, one: u32, other: u32, most: usize) -> bool {
        // Nearly always the first junction will do.
        let few = most.min(4);
        let is_junction = |board: &Self, vertex| board.graph.degree(vertex) > 2;
        let junctions = self.nearest(self.position(one), few, is_junction);
        if junctions.iter().any(|&junction| self.swap_at(one, other, junction)) {
            return true;
        }
        if junctions.len() < few || few == most {
            return false;
        }
        let junctions = self.nearest(self.position(one), most, is_junction);
        junctions[few..].iter().any(|&junction| self.swap_at(one, other, junction))
    }

    /// The same in a graph where that can take the turn of a full ring: an agent that has come to a ring as the last one has no
    /// room to turn there; after a turn, another one is in its place.
    pub fn swap_with_turns(&mut self, one: u32, other: u32) -> bool {
        if self.swap(one, other, usize::MAX) {
            return true;
        }
        let begin = self.record.len();
        let doors = self.nearest(self.position(one), usize::MAX, |_, _| true);
        for door in doors {
            for index in 0..self.graph.degree(door) {
                let next = self.graph.near(door)[index];
                let Some(ring) = self.ring_through(door, next) else { continue };
                for (leader, follower) in [(one, other), (other, one)] {
                    if self.swap_by_turning(leader, follower, &ring) {
                        return true;
                    }
                    self.undo(begin);
                }
            }
        }
        false
    }

    /// Brings one or both agents to a ring, turns it if it is full, and exchanges them then.
    fn swap_by_turning(&mut self, leader: u32, follower: u32, ring: &[u32]) -> bool {
        let begin = self.record.len();
        let [door, next, ..] = *ring else { return false };
        let (ahead, behind) = (self.position(leader), self.position(follower));
        let is_there = ring.contains(&ahead) || ring.contains(&behind);
        if !is_there {
            let is_door = |_: &Self, vertex| vertex == door;
            if !self.find(ahead, is_door, |_, vertex| vertex == behind) {
                return false;
            }
            let mut path = self.path.clone();
            path.push(next);
            if !self.advance(leader, follower, &path[1..]) {
                return false;
            }
        }
        if ring.iter().any(|&vertex| self.is_free(vertex)) {
            return false;
        }
        for _ in 1..ring.len() {
            self.turn(ring);
            let end = self.record.len();
            let are_near =
                self.graph.near(self.position(leader)).contains(&self.position(follower));
            if are_near && self.swap(leader, follower, usize::MAX) {
                self.play_back(begin..end, leader, follower);
                return true;
            }
        }
        false
    }

    /// A shortest ring that begins with these two vertices, if agents can turn on it.
    fn ring_through(&mut self, from: u32, next: u32) -> Option<Vec<u32>> {
        let is_back =
            |board: &Self, vertex: u32| vertex != next && board.graph.near(vertex).contains(&from);
        if !self.find(next, is_back, |_, vertex| vertex == from) {
            return None;
        }
        let ring: Vec<u32> = std::iter::once(from).chain(self.path.iter().copied()).collect();
        self.graph.can_turn(&ring).then_some(ring)
    }

    fn swap_at(&mut self, one: u32, other: u32, junction: u32) -> bool {
        let begin = self.record.len();
        if let Some(pair) = self.bring(one, other, junction)
            && let Some((pair, rooms)) = self.make_room(pair)
        {
            let end = self.record.len();
            self.exchange(pair, rooms);
            self.play_back(begin..end, one, other);
            return true;
        }
        self.undo(begin);
        false
    }

    /// Brings two neighbouring agents to a junction.
    fn bring(&mut self, one: u32, other: u32, junction: u32) -> Option<Pair> {
        let (from, beside) = (self.position(one), self.position(other));
        if from == junction {
            return Some(Pair { leader: one, follower: other });
        }
        if beside == junction {
            return Some(Pair { leader: other, follower: one });
        }
        if !self.find(from, |_, vertex| vertex == junction, |_, _| false) {
            return None;
        }
        let (leader, follower, skipped) =
            if self.path[1] == beside { (other, one, 2) } else { (one, other, 1) };
        let path = self.path.clone();
        self.advance(leader, follower, &path[skipped..]).then_some(Pair { leader, follower })
    }

    /// Two agents go along a path one behind the other, and push others out of their way.
    fn advance(&mut self, leader: u32, follower: u32, path: &[u32]) -> bool {
        path.iter().all(|&next| {
            let (ahead, behind) = (self.position(leader), self.position(follower));
            let is_clear = next != behind && self.clear(next, &[ahead, behind], false);
            if is_clear {
                self.step(leader, next);
                self.step(follower, ahead);
            }
            is_clear
        })
    }

    /// Makes two neighbours of the junction free.
    fn make_room(&mut self, pair: Pair) -> Option<(Pair, [u32; 2])> {
        let begin = self.record.len();
        if let Some(rooms) = self.make_room_around(pair) {
            return Some((pair, rooms));
        }
        self.undo(begin);
        // The pair passes the junction and comes back to it from the other side.
        let Pair { leader, follower } = pair;
        let (junction, beside) = (self.position(leader), self.position(follower));
        for index in 0..self.graph.degree(junction) {
            let room = self.graph.near(junction)[index];
            if room == beside || !self.clear(room, &[junction, beside], false) {
                continue;
            }
            for index in 0..self.graph.degree(room) {
                let behind = self.graph.near(room)[index];
                let is_taken = behind == junction || behind == beside;
                if is_taken || !self.clear(behind, &[junction, beside, room], false) {
                    continue;
                }
                self.step(leader, room);
                self.step(follower, junction);
                let pair = Pair { leader: follower, follower: leader };
                if let Some(rooms) = self.make_room_around(pair) {
                    return Some((pair, rooms));
                }
                self.undo(begin);
                if !self.clear(room, &[junction, beside], false) {
                    break;
                }
            }
            self.undo(begin);
        }
        None
    }

    fn make_room_around(&mut self, pair: Pair) -> Option<[u32; 2]> {
        let (junction, beside) = (self.position(pair.leader), self.position(pair.follower));
        let mut rooms = [NONE; 2];
        let mut found = 0;
        let is_free = |board: &Self, vertex| board.is_free(vertex);
        for is_wanted_free in [true, false] {
            for index in 0..self.graph.degree(junction) {
                let near = self.graph.near(junction)[index];
                if near == beside || rooms.contains(&near) || is_free(self, near) != is_wanted_free
                {
                    continue;
                }
                if self.clear(near, &[junction, beside, rooms[0]], false) {
                    rooms[found] = near;
                    found += 1;
                }
                if found == 2 {
                    return Some(rooms);
                }
            }
        }
        if found == 0 {
            return None;
        }
        self.empty_through_junction(pair, rooms[0])
    }

    /// One neighbour of the junction is free. The pair goes back one vertex, another neighbour's agent passes the junction to the free
    /// one, and when the pair is back, it is pushed on from there.
    fn empty_through_junction(&mut self, pair: Pair, room: u32) -> Option<[u32; 2]> {
        let Pair { leader, follower } = pair;
        let (junction, beside) = (self.position(leader), self.position(follower));
        let begin = self.record.len();
        for index in 0..self.graph.degree(junction) {
            let other = self.graph.near(junction)[index];
            if other == beside || other == room || self.is_free(other) {
                continue;
            }
            for index in 0..self.graph.degree(beside) {
                let back = self.graph.near(beside)[index];
                if back == junction || back == room || back == other {
                    continue;
                }
                let avoided = [junction, beside, room, other];
                if self.clear(back, &avoided, false) {
                    self.step(follower, back);
                    self.step(leader, beside);
                    let passing = self.at(other);
                    self.step(passing, junction);
                    self.step(passing, room);
                    self.step(leader, junction);
                    self.step(follower, beside);
                    if self.clear(room, &[junction, beside, other], false) {
                        return Some([room, other]);
                    }
                }
                self.undo(begin);
            }
        }
        None
    }

    /// The pair goes round each other with the help of two free neighbours of the junction.
    fn exchange(&mut self, Pair { leader, follower }: Pair, [one, other]: [u32; 2]) {
        let (junction, beside) = (self.position(leader), self.position(follower));
        self.step(leader, one);
        self.step(follower, junction);
        self.step(follower, other);
        self.step(leader, junction);
        self.step(leader, beside);
        self.step(follower, junction);
    }
}
