//! Games that are being played.

use jostle::planners::{Planner, Spec};
use jostle::script::ScriptPlayer;
use jostle::world::IllegalMove;
use jostle::{Moves, Work, World, simulate};

use crate::Game;

/// What came out of a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tick {
    /// The fingerprint of the world after it.
    pub fingerprint: u64,
    /// What the planner has done in it.
    pub work: Work,
}

/// A game at one of its ticks.
pub struct Run<'a> {
    world: World,
    planner: Box<dyn Planner>,
    player: ScriptPlayer<'a>,
    moves: Moves,
}

impl<'a> Run<'a> {
    /// Before the first tick of a game. The planner is given, because it need not be the one that
    /// the game names.
    pub fn begin(game: &'a Game, planner: Box<dyn Planner>) -> Self {
        let world = World::new(game.grid.clone());
        let player = ScriptPlayer::begin(&game.script, &world);
        Self { world, planner, player, moves: Moves::default() }
    }

    /// Makes the changes that are due, and then a tick.
    ///
    /// # Errors
    /// When the planner proposes an illegal move.
    pub fn tick(&mut self) -> Result<Tick, IllegalMove> {
        self.player.play(&mut self.world);
        let work = simulate::tick(&mut self.world, self.planner.as_mut(), &mut self.moves)?;
        Ok(Tick { fingerprint: self.world.fingerprint(), work })
    }

    /// The world as it is now.
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// A copy of all of it, if the planner can be copied.
    pub fn try_clone(&self) -> Option<Self> {
        Some(Self {
            world: self.world.clone(),
            planner: self.planner.try_clone()?,
            player: self.player.clone(),
            moves: Moves::default(),
        })
    }
}

/// Plays the game of a text to its end, with a planner of the engine.
///
/// # Errors
/// When the text is no game, there is no such planner, or it proposes an illegal move.
pub fn play(text: &str) -> Result<Vec<Tick>, String> {
    let game = Game::parse(text)?;
    let spec = Spec::parse(&game.planner).map_err(|error| error.to_string())?;
    let mut run = Run::begin(&game, spec.build());
    let tick = |number| run.tick().map_err(|error| format!("tick {number}: {error}"));
    (0..game.ticks).map(tick).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "planner jostle\nticks 4\nrules four both allowed\n---\n\
        type octile\nheight 1\nwidth 4\nmap\n....\n---\n0 add 7 (0,0) to (3,0)\n2 send 7 (0,0)\n";

    #[test]
    fn a_game_is_played_with_its_script() {
        let game = Game::parse(TEXT).unwrap();
        let mut run = Run::begin(&game, Spec::parse(&game.planner).unwrap().build());
        let mut ticks = Vec::new();
        let mut columns = Vec::new();
        for _ in 0..4 {
            ticks.push(run.tick().unwrap());
            columns.extend(run.world().agents().map(|agent| agent.cell.index()));
        }
        assert_eq!(columns, [1, 2, 1, 0]);
        assert_eq!(play(TEXT), Ok(ticks));
    }

    #[test]
    fn a_copy_goes_on_with_the_script() {
        let game = Game::parse(TEXT).unwrap();
        let mut run = Run::begin(&game, Spec::parse(&game.planner).unwrap().build());
        run.tick().unwrap();
        let mut copy = run.try_clone().unwrap();
        for _ in 0..3 {
            assert_eq!(copy.tick().unwrap(), run.tick().unwrap());
        }
    }
}
