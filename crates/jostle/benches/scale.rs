//! quick
use jostle::instance::Kind;
use jostle::planners::planner;
use jostle::simulate::tick;
use jostle::{Cell, Cost, Instance, Level, Moves};
use std::time::Instant;

fn main() {
    let w: Vec<String> = std::env::args().skip(1).filter(|w| w != "--bench").collect();
    if w[0] == "paper" {
        return paper(&w[1], w[2].parse().unwrap(), w.get(3).map(String::as_str));
    }
    if w[0] == "levels" {
        return levels(&w[1]);
    }
    let level = Level::from_name(&w[0]).unwrap();
    let side: u32 = w[1].parse().unwrap();
    let agents: usize = w[2].parse().unwrap();
    let name = &w[3];
    let ticks: usize = w[4].parse().unwrap();
    let radius: u32 = w[5].parse().unwrap();
    let t = Instant::now();
    let grid = level.generate(side, side, 1).unwrap();
    println!("level {:?} floor {}", t.elapsed(), grid.floor_cells().count());
    let t = Instant::now();
    let instance = Instance::draw(grid, Kind::Random, agents, 1).unwrap();
    println!("drawn {:?}", t.elapsed());
    let mut world = instance.world();
    if std::env::var_os("SORTED").is_some() {
        let mut tasks = instance.tasks().to_vec();
        let g = instance.grid();
        tasks.sort_by_key(|t| {
            let (x, y) = g.position(t.0);
            (y / 32, x / 32, t.0)
        });
        world = jostle::World::new(g.clone());
        for (a, b) in tasks {
            world.add(a, b).unwrap();
        }
    }
    let mut p = planner(name).unwrap();
    let mut moves = Moves::default();
    let mut times = Vec::new();
    let mut x = 88172645463325252u64;
    let goals: Vec<Cell> = instance.tasks().iter().map(|t| t.1).collect();
    let (mut arrived, mut exp) = (0u64, 0u64);
    let mut moved = 0u64;
    if radius > 0 {
        retask(&mut world, &goals, radius, &mut x, true, &mut arrived);
    }
    for t in 0..ticks {
        retask(&mut world, &goals, radius, &mut x, false, &mut arrived);
        let mass: usize = std::env::var("MASS").map_or(usize::MAX, |m| m.parse().unwrap());
        if t == mass {
            retask(&mut world, &goals, radius, &mut x, true, &mut arrived);
        }
        let before: Vec<Option<Cell>> = world.configuration().cells().collect();
        let begin = used();
        let work = tick(&mut world, p.as_mut(), &mut moves).unwrap();
        times.push(used() - begin);
        exp += work.expansions;
        moved += before.iter().zip(world.configuration().cells()).filter(|(a, b)| **a != *b).count()
            as u64;
        if t < 5
            || t % 50 == 0
            || t >= mass && t < mass + 3
            || t >= mass && t < mass + 100 && t % 5 == 0
        {
            println!(
                "tick {t}: {:.2} ms exp {} arrivals {arrived}",
                times[t] * 1e3,
                work.expansions
            );
        }
    }
    let mut late: Vec<f64> = times[ticks / 2..].to_vec();
    late.sort_by(f64::total_cmp);
    let mean = late.iter().sum::<f64>() / late.len() as f64;
    println!(
        "{name} {agents}: mean {:.1} ns/agent-tick, median {:.2} ms p99 {:.2} max {:.2} all-max {:.2}; MB {:.1}; arrivals {arrived}; moved {:.3}; exp/at {:.2}",
        mean * 1e9 / agents as f64,
        late[late.len() / 2] * 1e3,
        late[late.len() * 99 / 100] * 1e3,
        late[late.len() - 1] * 1e3,
        times.iter().cloned().fold(0.0, f64::max) * 1e3,
        p.memory() as f64 / 1e6,
        moved as f64 / (agents * ticks) as f64,
        exp as f64 / (agents * ticks) as f64
    );
    let _ = Cost::ZERO;
}

fn retask(
    world: &mut jostle::World,
    goals: &[Cell],
    radius: u32,
    x: &mut u64,
    all: bool,
    arrived: &mut u64,
) {
    let done: Vec<_> = world.ours().filter(|a| all || a.has_arrived()).collect();
    for agent in done {
        if !all {
            *arrived += 1;
        }
        let (ax, ay) = world.grid().position(agent.cell);
        for _ in 0..100 {
            *x ^= *x << 13;
            *x ^= *x >> 7;
            *x ^= *x << 17;
            let goal = if radius == 0 {
                goals[(*x % goals.len() as u64) as usize]
            } else {
                let gx = ax as i64 + (*x % (2 * radius as u64 + 1)) as i64 - radius as i64;
                let gy = ay as i64 + ((*x >> 32) % (2 * radius as u64 + 1)) as i64 - radius as i64;
                if gx < 0 || gy < 0 {
                    continue;
                }
                match world.grid().at(gx as u32, gy as u32) {
                    Some(c) if world.grid().is_floor(c) => c,
                    _ => continue,
                }
            };
            world.send(agent.id, goal).unwrap();
            break;
        }
    }
}

fn used() -> f64 {
    cpu_time::ProcessTime::now().as_duration().as_secs_f64()
}

mod common;
use jostle::{Limits, Simulation};
use std::time::Duration;
struct Cpu;
impl jostle::simulate::Clock for Cpu {
    fn now(&self) -> Duration {
        cpu_time::ProcessTime::now().as_duration()
    }
}

fn one(name: &str, label: &str, instance: &Instance, wants_shortest: bool, limit: u64) {
    let (mut world, mut p) = (instance.world(), planner(name).unwrap());
    let out = Simulation::new(&mut world, p.as_mut())
        .limits(Limits::ticks(limit))
        .clock(&Cpu)
        .run()
        .unwrap();
    let m = out.metrics;
    let times = m.tick_times.listed();
    let n = times.len().max(1);
    let total: Duration = times.iter().sum();
    let first = times.first().copied().unwrap_or_default();
    let slow = times.iter().skip(1).max().copied().unwrap_or_default();
    let agents = instance.tasks().len();
    if let Ok(t) = std::env::var("TRACE") {
        let slots: Vec<usize> = t.split(',').map(|s| s.parse().unwrap()).collect();
        let mut moves = Moves::default();
        for _ in 0..24 {
            let line: Vec<String> = slots
                .iter()
                .map(|&s| {
                    let a = world.in_slot(s).unwrap();
                    format!(
                        "{:?}->{:?} wish {:?}",
                        world.grid().position(a.cell),
                        world.grid().position(a.goal),
                        p.wish(&a).map(|c| world.grid().position(c))
                    )
                })
                .collect();
            println!("{}", line.join(" | "));
            tick(&mut world, p.as_mut(), &mut moves).unwrap();
        }
    }
    if std::env::var_os("WHO").is_some() {
        let mut shown = 0;
        for a in world.ours().filter(|a| !a.has_arrived()) {
            shown += 1;
            if shown > 6 {
                break;
            }
            let g = world.grid();
            let (x, y) = g.position(a.cell);
            println!(
                "agent {} at {:?} goal {:?} wish {:?}",
                a.id.slot(),
                (x, y),
                g.position(a.goal),
                p.wish(&a).map(|c| g.position(c))
            );
            for yy in y.saturating_sub(6)..y + 7 {
                let row: String = (x.saturating_sub(12)..x + 13)
                    .map(|xx| match g.at(xx, yy) {
                        None => ' ',
                        Some(c) if c == a.cell => '@',
                        Some(c) if c == a.goal && world.is_occupied(c) => 'G',
                        Some(c) if c == a.goal => 'g',
                        Some(c) if !g.is_floor(c) => '#',
                        Some(c) => match world.agent_on(c) {
                            Some(o) if o.has_arrived() => 'h',
                            Some(_) => 'w',
                            None => '.',
                        },
                    })
                    .collect();
                println!("  {row}");
            }
        }
    }
    let ratio = if wants_shortest {
        let short: f64 = instance
            .tasks()
            .iter()
            .filter_map(|&(s, g)| jostle::search::shortest_path(instance.grid(), s, g))
            .map(|(c, _)| c.as_f64())
            .sum();
        let walked: f64 = m.journeys.iter().map(|j| j.distance.length()).sum();
        walked / short
    } else {
        0.0
    };
    println!(
        "{label:20} {agents:6} done {:6.2}% ticks {:5} us/at {:.3} first {:.2} slow {:.2} ratio {:.4} MB {:.1} exp/at {:.2}",
        m.completion_rate() * 100.0,
        m.ticks,
        total.as_secs_f64() * 1e6 / (n * agents) as f64,
        first.as_secs_f64() * 1e3,
        slow.as_secs_f64() * 1e3,
        ratio,
        p.memory() as f64 / 1e6,
        m.work.expansions as f64 / (n * agents) as f64
    );
}
fn paper(name: &str, agents: usize, only: Option<&str>) {
    for map in common::PAPER_MAPS {
        if only.is_some_and(|only| only != map) {
            continue;
        }
        one(name, map, &common::crowd(map, agents), agents <= 400, 4096);
    }
}
fn levels(name: &str) {
    for level in Level::ALL {
        let only = std::env::var("ONLY").ok();
        if only.is_some_and(|o| o != level.to_string()) {
            continue;
        }
        for (side, agents) in [(64, 200), (128, 1000), (256, 2000)] {
            let grid = level.generate(side, side, 1).unwrap();
            let Ok(instance) = Instance::draw(grid, Kind::Random, agents, 1) else { continue };
            one(name, &format!("{level}"), &instance, false, 2000);
        }
    }
}
