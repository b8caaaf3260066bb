use jostle::{instance::Kind, planners::planner, *};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let g = formats::read_map(std::path::Path::new(&a[1])).unwrap();
    let inst = Instance::draw(g, Kind::Random, a[2].parse().unwrap(), 1).unwrap();
    let mut world = inst.world();
    let mut p = planner(&a[3]).unwrap();
    let mut m = Moves::default();
    for _ in 0..a[4].parse::<u32>().unwrap() {
        simulate::tick(&mut world, p.as_mut(), &mut m).unwrap();
    }
    for k in 0..3 {
        println!("-- {k}");
        for ag in world.ours().filter(|a| !a.is_home()).take(12) {
            let pos = world.grid().position(ag.cell);
            let goal = world.grid().position(ag.goal);
            let sp = search::shortest_path(world.grid(), ag.cell, ag.goal)
                .map(|x| (x.0.as_f64(), x.1.get(1).map(|c| world.grid().position(*c))));
            println!(
                "{} at {pos:?} goal {goal:?} wish {:?} occ {:?} shortest {sp:?}",
                ag.id,
                p.wish(ag).map(|c| world.grid().position(c)),
                p.wish(ag).and_then(|c| world.occupant(c))
            );
        }
        simulate::tick(&mut world, p.as_mut(), &mut m).unwrap();
    }
}
