//! Arbitrary joint moves: the world accepts exactly those that the model calls legal, is unchanged after a refusal,
//! and the engine's checker agrees.

use std::sync::LazyLock;

use jostle::check::Checker;
use jostle::{Cell, Grid, Moves};
use serde::{Deserialize, Serialize};

use crate::dice::Dice;
use crate::fault::{Fault, ensure};
use crate::scene::draw::Artist;
use crate::scene::{Change, Floor, Newcomer, draw};
use crate::stage::{Audience, Stage};
use crate::target::{Effort, Target};

/// Arbitrary joint moves into the world.
#[derive(Debug)]
pub struct JointMoves;

/// Agents on a floor, and joint moves for them.
#[derive(Debug, Serialize, Deserialize)]
pub struct Exercise {
    floor: Floor,
    opening: Vec<Newcomer>,
    rounds: Vec<Round>,
}

/// A joint move, and what the game does around it.
#[derive(Debug, Serialize, Deserialize)]
struct Round {
    /// What happens before the joint move is made.
    before: Vec<Change>,
    steps: Vec<(u32, Whither)>,
    /// What happens between making it and offering it to the world.
    after: Vec<Change>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Whither {
    /// A number from 0 to 8: a neighbour, row by row, or the cell itself.
    Beside(u32),
    /// The cell with this index, perhaps of a larger map.
    Cell(u32),
}

/// Where cells come from that are not on the map of a case.
static LARGE: LazyLock<Option<Grid>> = LazyLock::new(|| Grid::open(64, 64).ok());

impl Target for JointMoves {
    type Case = Exercise;

    fn name(&self) -> &'static str {
        "moves"
    }

    fn about(&self) -> &'static str {
        "arbitrary joint moves: the world accepts exactly those that the model calls legal"
    }

    fn usual_cases(&self) -> u64 {
        80_000
    }

    fn draw(&self, _: u64, dice: &mut Dice) -> Exercise {
        let most_side = if dice.percent(80) { 5 } else { 20 };
        let rows = draw::map(dice, most_side);
        let rules = draw::rules(dice);
        let mut artist = Artist::new(dice, rows);
        let crowd = artist.crowd_size(14);
        let opening = (0..crowd).map(|_| artist.newcomer()).collect();
        let rounds = (0..artist.dice.between(1, 30)).map(|_| Round::draw(&mut artist)).collect();
        Exercise { floor: Floor { rows: artist.into_rows(), rules }, opening, rounds }
    }

    fn run(&self, case: &Exercise, effort: &mut Effort) -> Result<(), Fault> {
        let Some(mut stage) = Stage::new(&case.floor) else { return Ok(()) };
        for newcomer in &case.opening {
            stage.apply(&Change::Join(*newcomer))?;
        }
        let mut moves = Moves::default();
        for round in &case.rounds {
            round.run(&mut stage, &mut moves)?;
            effort.ticks += 1;
            effort.agent_ticks += stage.model.present() as u64;
        }
        Ok(())
    }
}

impl Round {
    fn draw(artist: &mut Artist<'_>) -> Self {
        let change_some = |artist: &mut Artist<'_>, percent| {
            let count = if artist.dice.percent(percent) { artist.dice.between(1, 3) } else { 0 };
            (0..count).map(|_| artist.change()).collect()
        };
        let before = change_some(artist, 30);
        let steps = (0..artist.dice.between(0, 8)).map(|_| {
            let to = if artist.dice.percent(96) {
                Whither::Beside(artist.dice.between(0, 8))
            } else {
                Whither::Cell(artist.dice.between(0, 64 * 64 - 1))
            };
            (artist.agent(), to)
        });
        Self { before, steps: steps.collect(), after: change_some(artist, 5) }
    }

    fn run(&self, stage: &mut Stage, moves: &mut Moves) -> Result<(), Fault> {
        for change in &self.before {
            stage.apply(change)?;
        }
        moves.reset(&stage.world);
        for (agent, to) in &self.steps {
            let agent = stage.id(*agent).and_then(|id| stage.world.agent(id));
            if let Some((agent, to)) =
                agent.and_then(|agent| Some((agent, to.from(agent.cell, stage)?)))
            {
                moves.set(agent.id, to);
            }
        }
        let mut audience = Audience::Present;
        for change in &self.after {
            let concerns_presence = matches!(change, Change::Join(_) | Change::Leave { .. });
            if stage.apply(change)? && concerns_presence {
                audience = Audience::Former;
            }
        }
        let checked = check(stage, moves);
        let changes = stage.world.changes().len();
        let verdict = stage.advance(moves, audience)?;
        if audience == Audience::Present
            && let Some(checked) = checked
        {
            ensure(checked.is_ok() == verdict.is_ok(), "the checker and the model differ", || {
                format!("the model says {verdict:?}, the checker {checked:?}")
            })?;
        }
        let is_unchanged = verdict.is_ok() || stage.world.changes().len() == changes;
        ensure(is_unchanged, "a refused move changes the log", || format!("{changes} before"))?;
        stage.compare_cells()
    }
}

impl Whither {
    fn from(self, cell: Cell, stage: &Stage) -> Option<Cell> {
        match self {
            Self::Beside(number) => {
                let (x, y) = stage.world.grid().position(cell);
                let (x, y) = (x + number % 3, y + number / 3 % 3);
                stage.world.grid().at(x.checked_sub(1)?, y.checked_sub(1)?)
            }
            Self::Cell(index) => LARGE.as_ref().and_then(|large| large.cell(index as usize)),
        }
    }
}

/// What the engine's checker says about a joint move; `None` if an agent stands on a new wall, because the checker
/// cannot begin like that.
fn check(stage: &Stage, moves: &Moves) -> Option<Result<(), String>> {
    let world = &stage.world;
    let mut checker = Checker::begin(world.grid(), world.agents()).ok()?;
    let next = (0..world.slots()).map(|slot| moves.next(world.in_slot(slot)?.id));
    Some(checker.tick(&[], next).map_err(|violation| violation.to_string()))
}
