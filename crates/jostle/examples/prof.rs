use jostle::instance::Kind;
use jostle::planners::bmaa::*;
use jostle::planners::*;
use jostle::*;
fn main() {
    let g = formats::read_map(std::path::Path::new(&std::env::args().nth(1).unwrap())).unwrap();
    let n: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let inst = Instance::draw(g, Kind::Random, n, 1).unwrap();
    let mut best = f64::MAX;
    let mut e = 0;
    for _ in 0..std::env::args().nth(4).map_or(3, |s| s.parse().unwrap()) {
        let mut w = inst.world();
        let mut p = BmaaPlanner::new(Bmaa::default());
        let mut m = Moves::default();
        let t = std::time::Instant::now();
        e = 0;
        for _ in 0..std::env::args().nth(3).map_or(512, |s| s.parse().unwrap()) {
            e += simulate::tick(&mut w, &mut p, &mut m).unwrap().expansions;
        }
        best = best.min(t.elapsed().as_secs_f64());
    }
    println!(
        "{:.1} us/tick {:.0} ns/exp",
        best / 512.0 * 1e6,
        best * 1e9 / e as f64
    );
}
