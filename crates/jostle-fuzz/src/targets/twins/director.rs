//! What the game does to a crowd.

use std::collections::HashSet;

use crate::dice::Dice;
use crate::scene::{Change, Newcomer, Point};

/// The side of a sector of the default planner.
const SECTOR: u32 = 32;

/// Draws what the game does, and remembers enough of it for the crowd to stay one that looks ahead:
/// agents of ours, each with a goal of its own on the floor.
pub struct Director<'a> {
    pub dice: &'a mut Dice,
    rows: Vec<String>,
    floor: Vec<Point>,
    /// The goals of all agents, by their numbers.
    goals: Vec<Point>,
    /// Those that are somebody's goal now.
    taken: HashSet<Point>,
    /// What is not as it was at first.
    edited: Vec<Point>,
    script: Vec<(u32, Change)>,
}

impl<'a> Director<'a> {
    pub fn new(dice: &'a mut Dice, rows: Vec<String>) -> Self {
        let points = |(y, row): (usize, &String)| {
            let floor = row.bytes().enumerate().filter(|(_, letter)| *letter == b'.');
            floor.map(|(x, _)| (x as u32, y as u32)).collect::<Vec<_>>()
        };
        let floor = rows.iter().enumerate().flat_map(points).collect();
        let (goals, taken, edited, script) = (Vec::new(), HashSet::new(), Vec::new(), Vec::new());
        Self { dice, rows, floor, goals, taken, edited, script }
    }

    /// How many cells are floor.
    pub fn floor(&self) -> u32 {
        self.floor.len() as u32
    }

    /// Agents on cells of their own, as far as there are so many.
    pub fn opening(&mut self, agents: u32) -> Vec<Newcomer> {
        let mut starts = self.floor.clone();
        self.shuffle(&mut starts);
        starts.truncate(agents as usize);
        starts.into_iter().map(|at| self.newcomer(at, true)).collect()
    }

    /// The map at the beginning, and all that happens.
    pub fn end(self) -> (Vec<String>, Vec<(u32, Change)>) {
        (self.rows, self.script)
    }

    /// The game does something, or several things at once.
    pub fn interfere(&mut self, tick: u32) {
        for _ in 0..self.dice.between(1, 3) {
            match self.dice.between(0, 11) {
                0..=2 => self.send_some(tick),
                3 => self.send_group(tick),
                4..=7 => self.edit_borders(tick),
                8 => self.undo(tick),
                9 => self.join_and_leave(tick),
                10 => self.place(tick),
                _ => self.open_or_close_anywhere(tick),
            }
        }
    }

    /// A few or all agents get new goals, or exchange theirs.
    fn send_some(&mut self, tick: u32) {
        let some = self.some();
        let mut goals: Vec<Point> = some.iter().map(|&agent| self.goals[agent as usize]).collect();
        if self.dice.percent(50) {
            self.shuffle(&mut goals);
        } else {
            for goal in &mut goals {
                self.taken.remove(goal);
                *goal = self.free_goal();
            }
        }
        for (agent, to) in some.into_iter().zip(goals) {
            self.send(tick, agent, to);
        }
    }

    /// A few or all agents are sent to one place: mostly around it, sometimes all of them to one
    /// cell.
    fn send_group(&mut self, tick: u32) {
        let some = self.some();
        let (x, y) = *self.dice.pick(&self.floor);
        let is_one_cell = self.dice.percent(25);
        for &agent in &some {
            self.taken.remove(&self.goals[agent as usize]);
        }
        let mut around = self.floor.clone();
        around.retain(|at| !self.taken.contains(at));
        around.sort_by_key(|at| at.0.abs_diff(x).max(at.1.abs_diff(y)));
        for (at, &agent) in some.iter().enumerate() {
            let to = if is_one_cell { (x, y) } else { around.get(at).copied().unwrap_or((x, y)) };
            self.send(tick, agent, to);
        }
    }

    /// Walls and floor on both sides of a border between two sectors, where their portals are.
    fn edit_borders(&mut self, tick: u32) {
        for _ in 0..self.dice.between(1, 6) {
            let (width, height) = self.size();
            let is_column = self.dice.percent(50);
            let (across, along) = if is_column { (width, height) } else { (height, width) };
            let border = self.dice.between(1, across.div_ceil(SECTOR)) * SECTOR;
            let line = (border - self.dice.between(0, 3)).wrapping_add(1).min(across - 1);
            let begin = self.dice.between(0, along - 1);
            let most = *self.dice.pick(&[1, 1, 2, 12, 40]);
            let is_floor = self.dice.percent(45);
            for at in begin..(begin + self.dice.between(1, most)).min(along) {
                self.set_floor(tick, if is_column { (line, at) } else { (at, line) }, is_floor);
            }
        }
    }

    /// Some of what was edited becomes as it was at first.
    fn undo(&mut self, tick: u32) {
        let share = *self.dice.pick(&[10, 50, 100]);
        for at in std::mem::take(&mut self.edited) {
            let is_floor = self.is_floor(at);
            if self.dice.percent(share) {
                self.script.push((tick, Change::SetFloor { at, is_floor }));
            } else {
                self.edited.push(at);
            }
        }
    }

    fn open_or_close_anywhere(&mut self, tick: u32) {
        for _ in 0..self.dice.between(1, 8) {
            let (width, height) = self.size();
            let at = (self.dice.between(0, width - 1), self.dice.between(0, height - 1));
            let is_floor = self.dice.percent(50);
            self.set_floor(tick, at, is_floor);
        }
    }

    fn join_and_leave(&mut self, tick: u32) {
        for _ in 0..self.dice.between(1, 20) {
            let change = if self.dice.percent(50) {
                let at = *self.dice.pick(&self.floor);
                let ours = self.dice.percent(97);
                Change::Join(self.newcomer(at, ours))
            } else {
                Change::Leave { agent: self.agent() }
            };
            self.script.push((tick, change));
        }
    }

    fn place(&mut self, tick: u32) {
        for _ in 0..self.dice.between(1, 20) {
            let (agent, at) = (self.agent(), *self.dice.pick(&self.floor));
            self.script.push((tick, Change::Place { agent, at }));
        }
    }

    fn newcomer(&mut self, at: Point, ours: bool) -> Newcomer {
        let to = self.free_goal();
        self.taken.insert(to);
        self.goals.push(to);
        Newcomer { agent: self.goals.len() as u32 - 1, at, to, ours }
    }

    fn send(&mut self, tick: u32, agent: u32, to: Point) {
        self.taken.insert(to);
        self.goals[agent as usize] = to;
        self.script.push((tick, Change::Send { agent, to }));
    }

    /// Mostly not on a goal: a crowd with a goal that is a wall does not look ahead.
    fn set_floor(&mut self, tick: u32, at: Point, is_floor: bool) {
        if is_floor || !self.taken.contains(&at) || self.dice.percent(5) {
            self.edited.push(at);
            self.script.push((tick, Change::SetFloor { at, is_floor }));
        }
    }

    /// A cell that is nobody's goal, if one is found soon.
    fn free_goal(&mut self) -> Point {
        let mut goal = *self.dice.pick(&self.floor);
        for _ in 0..100 {
            if !self.taken.contains(&goal) {
                break;
            }
            goal = *self.dice.pick(&self.floor);
        }
        self.taken.insert(goal);
        goal
    }

    /// An agent that has joined, and may have left.
    fn agent(&mut self) -> u32 {
        self.dice.below(self.goals.len()) as u32
    }

    /// A few agents, or all.
    fn some(&mut self) -> Vec<u32> {
        let mut all: Vec<u32> = (0..self.goals.len() as u32).collect();
        self.shuffle(&mut all);
        let share = *self.dice.pick(&[2, 10, 50, 100, 100]);
        all.truncate((all.len() * share).div_ceil(100));
        all
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.dice.below(end + 1));
        }
    }

    fn size(&self) -> (u32, u32) {
        (self.rows.first().map_or(1, String::len) as u32, self.rows.len() as u32)
    }

    /// Whether a position is floor at the beginning.
    fn is_floor(&self, (x, y): Point) -> bool {
        self.rows[y as usize].as_bytes()[x as usize] == b'.'
    }
}
