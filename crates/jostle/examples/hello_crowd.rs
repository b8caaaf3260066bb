//! The first ten minutes: a map, a few agents, a new goal, a wall in the way.
//!
//! `cargo run -p jostle --example hello_crowd`

use jostle::{Crowd, Grid, Status};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(
        "
        ####################
        #........#.........#
        #........#.........#
        #..................#
        #........#.........#
        #........#.........#
        ####################
        ",
    )?;
    let mut crowd = Crowd::new(grid);

    // Five scouts, all sent through the door.
    let mut scouts = Vec::new();
    for y in 1..=5 {
        let scout = crowd.add((2, y))?;
        crowd.send(scout, (17, y))?;
        scouts.push(scout);
    }

    // The player stands in the door for a while, and only the game moves the player.
    let player = crowd.add_foreign((9, 3))?;

    for tick in 0..60 {
        if tick == 20 {
            println!("The player steps out of the door.\n");
            crowd.place(player, (12, 1))?;
        }
        crowd.tick()?;
        if tick % 10 == 9 {
            show(&crowd, tick + 1);
            for &scout in &scouts {
                if let Status::Waiting { behind } = crowd.status(scout) {
                    println!("{scout} waits behind {behind}");
                }
            }
        }
        if scouts.iter().all(|&scout| crowd.status(scout) == Status::Arrived) {
            println!("All agents have arrived after {} ticks.", tick + 1);
            break;
        }
    }
    Ok(())
}

/// Draws the map with all agents: `o` is ours, `P` is the player.
fn show(crowd: &Crowd, tick: u32) {
    let world = crowd.world();
    println!("After {tick} ticks:");
    for y in 0..world.grid().height() {
        let row =
            (0..world.grid().width()).filter_map(|x| world.grid().at(x, y)).map(|cell| match world
                .occupant(cell)
                .and_then(|id| world.agent(id))
            {
                Some(agent) if agent.ours => 'o',
                Some(_) => 'P',
                None if world.grid().is_floor(cell) => '.',
                None => '#',
            });
        println!("  {}", row.collect::<String>());
    }
}
