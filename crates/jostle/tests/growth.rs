//! However long a game sends everybody elsewhere in every tick, the default planner holds no more
//! than its documentation says, and in the end no more than after some time.

#[path = "../benches/knots/floors.rs"]
#[allow(dead_code)]
mod floors;
mod games;

use games::{Act, Game, floor_of};
use jostle::Moves;
use jostle::planners::{Jostle, Recipe};
use jostle::search::SectorOptions;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The most that the default planner holds for a crowd of at most 100,000 agents that is not dense:
/// see the documentation of its module.
fn most_bytes(options: Jostle, cells: usize, agents: usize) -> usize {
    let SectorOptions { approaches, hubs, .. } = SectorOptions::default();
    let sectors = cells.div_ceil(32 * 32);
    let fields = (options.fields as usize).min(32 * sectors + 256 + agents);
    let tables = (hubs * cells.div_ceil(1 << 23)).min(200 * cells);
    4700 * fields + approaches.min(128 * cells) + tables + 24 * cells + 2000 * agents + (1 << 20)
}

/// A game of so many ticks, in each of which the game does all of this.
struct Long {
    acts: &'static [Act],
    map: &'static str,
    side: u32,
    agents: usize,
    ticks: u64,
    /// The most fields.
    fields: u32,
}

impl Long {
    /// Plays it. Returns the most that the planner held in the first fifth, and in all of it.
    fn play(&self) -> (usize, usize) {
        let Self { acts, map, side, agents, ticks, fields } = *self;
        let options = Jostle { fields, ..Jostle::default() };
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        let grid = floor_of(map, side, &mut dice);
        let most = most_bytes(options, grid.cells().len(), agents);
        let mut game = Game::begin(grid, agents, 0, &mut dice);
        let (mut planner, mut moves) = (options.build(), Moves::default());
        let (mut early, mut all) = (0, 0);
        for now in 0..ticks {
            for &act in acts {
                game.act(act, &mut dice);
            }
            moves.reset(&game.world);
            planner.plan(&game.world, &mut moves);
            game.world.advance(&moves).expect("legal moves");
            let held = planner.memory();
            assert!(held <= most, "{acts:?}: {held} bytes in tick {now}, and at most {most}");
            early = if now < ticks / 5 { held.max(early) } else { early };
            all = held.max(all);
            if (now + 1).is_multiple_of(ticks / 5) {
                println!("{acts:?}, {agents} agents, tick {}: {held} bytes", now + 1);
            }
        }
        println!(
            "{acts:?} {map} {side}x{side}, {agents} agents: {early} bytes in the first {} ticks, \
             {all} in {ticks}, at most {most}",
            ticks / 5
        );
        (early, all)
    }

    fn assert_stops_growing(&self) {
        let (early, all) = self.play();
        assert!(
            all as f64 <= 1.1 * early as f64,
            "{:?}: {early} bytes in the first fifth and {all} in all of it",
            self.acts
        );
    }
}

const GAMES: [&[Act]; 3] = [&[Act::Chase], &[Act::Scatter], &[Act::Scatter, Act::Edits(20)]];

#[test]
fn the_planner_holds_no_more_than_it_says_although_everybody_is_sent_elsewhere_in_every_tick() {
    for acts in GAMES {
        for fields in [200, 40_000] {
            Long { acts, map: "cave", side: 256, agents: 200, ticks: 1000, fields }.play();
        }
    }
}

/// On so large a map, tables know only the routes to near goals. With few fields, all of them are soon in use.
#[test]
#[ignore = "it takes ten minutes"]
fn memory_does_not_grow_in_ten_thousand_ticks_on_a_map_too_large_for_tables() {
    for acts in GAMES {
        for agents in [200, 1000] {
            let long = Long { acts, map: "cave", side: 3072, agents, ticks: 10_000, fields: 2000 };
            long.assert_stops_growing();
        }
    }
}
