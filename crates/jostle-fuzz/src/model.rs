//! An independent model of the world: what may change between two ticks, and which joint moves are legal.
//!
//! It is written from the rules alone and uses nothing of the engine, so that a mistake in the engine is not
//! repeated here. Cells are numbered row by row from the top left. Agents are numbered in the order in which they
//! joined; a number is never given again.
//!
//! The arrays are flat because a soak asks the model a thousand million times.

use crate::scene::{Corners, Point, Rules};

/// Stands for no agent, and for no cell.
pub const NONE: u32 = u32::MAX;

/// What the model knows about one agent.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The cell on which it stands, or [`NONE`] when it has left.
    pub at: u32,
    /// The cell to which it wants to go.
    pub goal: u32,
    /// Whether planners move it.
    pub ours: bool,
}

impl Piece {
    /// Whether the agent has not left.
    pub const fn is_present(&self) -> bool {
        self.at != NONE
    }
}

/// A step to a neighbour.
enum Step {
    Straight,
    /// Between these two cells.
    Diagonal(u32, u32),
}

/// The floor and every agent on it.
#[derive(Clone, Debug)]
pub struct Model {
    width: u32,
    height: u32,
    rules: Rules,
    floor: Vec<bool>,
    pieces: Vec<Piece>,
    /// The agent on each cell.
    standing: Vec<u32>,
    /// For each cell, the agent that ends there in the joint move that is being checked. Empty between checks.
    ending: Vec<u32>,
}

impl Model {
    /// A floor without agents; `rows` have a `.` where there is floor.
    pub fn new(width: u32, height: u32, rules: Rules, is_floor: impl Fn(Point) -> bool) -> Self {
        let cells = (width * height) as usize;
        let floor = (0..width * height).map(|cell| is_floor((cell % width, cell / width)));
        Self {
            width,
            height,
            rules,
            floor: floor.collect(),
            pieces: Vec::new(),
            standing: vec![NONE; cells],
            ending: vec![NONE; cells],
        }
    }

    /// Every agent that ever joined, by number.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Which cells are floor.
    pub fn floor(&self) -> &[bool] {
        &self.floor
    }

    /// The agent on a cell.
    pub fn standing_on(&self, cell: u32) -> Option<u32> {
        self.standing.get(cell as usize).copied().filter(|&agent| agent != NONE)
    }

    /// The cell of a position, if it is on the map.
    pub fn cell(&self, (x, y): Point) -> Option<u32> {
        (x < self.width && y < self.height).then(|| y * self.width + x)
    }

    /// The position of a cell.
    pub const fn point(&self, cell: u32) -> Point {
        (cell % self.width, cell / self.width)
    }

    /// How many agents that planners move are present, and how many of them stand on their goals.
    pub fn ours_and_arrived(&self) -> (usize, usize) {
        let ours = || self.pieces.iter().filter(|piece| piece.is_present() && piece.ours);
        (ours().count(), ours().filter(|piece| piece.at == piece.goal).count())
    }

    /// How many agents are present.
    pub fn present(&self) -> usize {
        self.pieces.iter().filter(|piece| piece.is_present()).count()
    }

    /// An agent joins on a free floor cell. Returns its number, or `None` if that must be refused.
    pub fn join(&mut self, at: Point, goal: Point, ours: bool) -> Option<u32> {
        let (at, goal) = (self.cell(at)?, self.cell(goal)?);
        if !self.is_free(at) {
            return None;
        }
        let agent = self.pieces.len() as u32;
        self.pieces.push(Piece { at, goal, ours });
        self.standing[at as usize] = agent;
        Some(agent)
    }

    /// An agent leaves. Returns whether it was there.
    pub fn leave(&mut self, agent: Option<u32>) -> bool {
        let Some(agent) = self.expect(agent) else { return false };
        let at = std::mem::replace(&mut self.pieces[agent].at, NONE);
        self.standing[at as usize] = NONE;
        true
    }

    /// An agent gets a goal, which may be a wall. Returns whether that is possible.
    pub fn send(&mut self, agent: Option<u32>, goal: Point) -> bool {
        let (Some(agent), Some(goal)) = (self.expect(agent), self.cell(goal)) else { return false };
        self.pieces[agent].goal = goal;
        true
    }

    /// An agent is put on a free floor cell, or stays where it is. Returns whether that is possible.
    pub fn place(&mut self, agent: Option<u32>, at: Point) -> bool {
        let (Some(agent), Some(at)) = (self.expect(agent), self.cell(at)) else { return false };
        let before = self.pieces[agent].at;
        if before == at {
            return true;
        }
        if !self.is_free(at) {
            return false;
        }
        self.standing[before as usize] = NONE;
        self.standing[at as usize] = agent as u32;
        self.pieces[agent].at = at;
        true
    }

    /// A cell turns into floor or into a wall, whoever stands on it. Returns whether it is on the map.
    pub fn set_floor(&mut self, at: Point, is_floor: bool) -> bool {
        let Some(cell) = self.cell(at) else { return false };
        self.floor[cell as usize] = is_floor;
        true
    }

    /// Checks a joint move: `next` has the next cell of every agent by number, and anything for those that have
    /// left. The reason why it is illegal is a sentence.
    ///
    /// # Errors
    /// When it is illegal.
    pub fn check(&mut self, next: &[u32]) -> Result<(), String> {
        let mut marked = 0;
        let result = self.check_marking(next, &mut marked);
        for (piece, &to) in self.pieces.iter().zip(next).take(marked) {
            if piece.is_present() {
                self.ending[to as usize] = NONE;
            }
        }
        result
    }

    /// As [`check`](Self::check). Marks in `ending` where the first `marked` agents end.
    fn check_marking(&mut self, next: &[u32], marked: &mut usize) -> Result<(), String> {
        for (agent, piece) in self.pieces.iter().enumerate() {
            if !piece.is_present() {
                *marked += 1;
                continue;
            }
            let (from, to) = (piece.at, next[agent]);
            if to != from {
                self.check_step(agent, from, next)?;
            }
            let other = std::mem::replace(&mut self.ending[to as usize], agent as u32);
            *marked += 1;
            if other != NONE {
                let at = self.point(to);
                return Err(format!("agents {other} and {agent} both end on {at:?}"));
            }
        }
        Ok(())
    }

    /// Checks the step of one agent that does not wait.
    fn check_step(&self, agent: usize, from: u32, next: &[u32]) -> Result<(), String> {
        let to = next[agent];
        if !self.pieces[agent].ours {
            return Err(format!("agent {agent} is foreign and moves"));
        }
        let Some(step) = self.step(from, to) else {
            let (from, width) = (self.point(from), self.width);
            return Err(format!(
                "agent {agent} cannot step from {from:?} to cell {to} ({width} wide)"
            ));
        };
        let is_met = |here: u32, there: u32| {
            self.standing_on(here).is_some_and(|other| next[other as usize] == there)
        };
        if is_met(to, from) {
            return Err(format!("agent {agent} swaps cells with the one on {:?}", self.point(to)));
        }
        if let Step::Diagonal(a, b) = step
            && self.rules.forbids_crossing
            && (is_met(a, b) || is_met(b, a))
        {
            return Err(format!(
                "the diagonal of agent {agent} from {:?} is crossed",
                self.point(from)
            ));
        }
        Ok(())
    }

    /// The step from one cell to another, if it is legal on this floor. An agent may leave a cell that has turned
    /// into a wall.
    fn step(&self, from: u32, to: u32) -> Option<Step> {
        if !self.floor.get(to as usize).copied().unwrap_or(false) {
            return None;
        }
        let ((x, y), (to_x, to_y)) = (self.point(from), self.point(to));
        if x.abs_diff(to_x) > 1 || y.abs_diff(to_y) > 1 {
            return None;
        }
        if x == to_x || y == to_y {
            return Some(Step::Straight);
        }
        let (a, b) = (y * self.width + to_x, to_y * self.width + x);
        let (a_is_floor, b_is_floor) = (self.floor[a as usize], self.floor[b as usize]);
        let may_pass = match self.rules.corners {
            Corners::Both => a_is_floor && b_is_floor,
            Corners::One => a_is_floor || b_is_floor,
            Corners::None => true,
        };
        (self.rules.has_diagonals && may_pass).then_some(Step::Diagonal(a, b))
    }

    /// Makes a joint move that is legal.
    pub fn advance(&mut self, next: &[u32]) {
        for piece in &self.pieces {
            if piece.is_present() {
                self.standing[piece.at as usize] = NONE;
            }
        }
        for (agent, (piece, &to)) in self.pieces.iter_mut().zip(next).enumerate() {
            if piece.is_present() {
                piece.at = to;
                self.standing[to as usize] = agent as u32;
            }
        }
    }

    fn is_free(&self, cell: u32) -> bool {
        self.floor[cell as usize] && self.standing[cell as usize] == NONE
    }

    /// The number of an agent that is present.
    fn expect(&self, agent: Option<u32>) -> Option<usize> {
        let agent = agent? as usize;
        self.pieces.get(agent)?.is_present().then_some(agent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(rows: &[&str], rules: Rules) -> Model {
        let is_floor = |(x, y): Point| rows[y as usize].as_bytes()[x as usize] == b'.';
        Model::new(rows[0].len() as u32, rows.len() as u32, rules, is_floor)
    }

    /// Whether agents on the first cells may move to the second ones.
    fn is_legal(rows: &[&str], rules: Rules, steps: &[[Point; 2]]) -> bool {
        let mut model = model(rows, rules);
        let next: Vec<u32> = steps.iter().map(|step| model.cell(step[1]).unwrap()).collect();
        for [from, _] in steps {
            model.join(*from, *from, true).unwrap();
        }
        let is_legal = model.check(&next).is_ok();
        assert!(model.ending.iter().all(|&agent| agent == NONE), "a check leaves nothing behind");
        assert_eq!(model.check(&next).is_ok(), is_legal);
        is_legal
    }

    #[test]
    fn following_and_rotations_are_legal_collisions_and_swaps_are_not() {
        let (open, rules) = (["...", "..."], Rules::default());
        assert!(is_legal(&open, rules, &[[(0, 0), (1, 0)], [(1, 0), (2, 0)]]));
        let rotation = [[(0, 0), (1, 0)], [(1, 0), (1, 1)], [(1, 1), (0, 1)], [(0, 1), (0, 0)]];
        assert!(is_legal(&open, rules, &rotation));
        assert!(!is_legal(&open, rules, &[[(0, 0), (1, 0)], [(1, 0), (0, 0)]]));
        assert!(!is_legal(&open, rules, &[[(0, 0), (1, 0)], [(2, 0), (1, 0)]]));
        assert!(!is_legal(&open, rules, &[[(0, 0), (1, 0)], [(1, 0), (1, 0)]]));
        assert!(!is_legal(&open, rules, &[[(0, 0), (2, 0)]]));
        assert!(!is_legal(&open, rules, &[[(2, 0), (0, 1)]]), "rows do not wrap around");
    }

    #[test]
    fn corners_and_crossings_follow_the_rules() {
        let diagonal = [[(0, 0), (1, 1)]];
        for (rows, both, one, none) in [
            (["..", ".."], true, true, true),
            ([".#", ".."], false, true, true),
            ([".#", "#."], false, false, true),
            (["..", ".#"], false, false, false),
        ] {
            for (corners, expected) in
                [(Corners::Both, both), (Corners::One, one), (Corners::None, none)]
            {
                let rules = Rules { corners, ..Rules::default() };
                assert_eq!(is_legal(&rows, rules, &diagonal), expected, "{rows:?} {corners:?}");
                let four = Rules { has_diagonals: false, ..rules };
                assert!(!is_legal(&rows, four, &diagonal));
            }
        }
        let crossing = [[(0, 0), (1, 1)], [(1, 0), (0, 1)]];
        assert!(is_legal(&["..", ".."], Rules::default(), &crossing));
        let forbidden = Rules { forbids_crossing: true, ..Rules::default() };
        assert!(!is_legal(&["..", ".."], forbidden, &crossing));
        assert!(!is_legal(&["..", ".."], forbidden, &[[(0, 0), (1, 1)], [(0, 1), (1, 0)]]));
    }

    #[test]
    fn an_agent_may_leave_a_new_wall_but_not_enter_it() {
        let mut model = model(&["..."], Rules::default());
        let agent = model.join((1, 0), (0, 0), true);
        assert!(model.set_floor((1, 0), false));
        assert!(model.place(agent, (1, 0)), "it is there already");
        assert!(model.check(&[0]).is_ok());
        model.advance(&[0]);
        assert!(model.check(&[1]).is_err());
        assert!(!model.place(agent, (1, 0)) && model.join((1, 0), (0, 0), true).is_none());
    }

    #[test]
    fn changes_that_are_impossible_are_refused() {
        let mut model = model(&["..#"], Rules::default());
        let agent = model.join((0, 0), (2, 0), true);
        assert!(agent.is_some());
        assert!(model.join((0, 0), (1, 0), true).is_none(), "occupied");
        assert!(model.join((2, 0), (1, 0), false).is_none(), "a wall");
        assert!(model.join((1, 0), (3, 0), true).is_none(), "a goal outside of the map");
        assert!(!model.send(agent, (0, 1)) && !model.place(agent, (9, 9)));
        assert!(!model.set_floor((0, 1), true));
        assert!(model.leave(agent) && !model.leave(agent));
        assert!(!model.send(agent, (0, 0)) && !model.send(None, (0, 0)));
        assert_eq!((model.present(), model.join((0, 0), (0, 0), true)), (0, Some(1)));
    }
}
