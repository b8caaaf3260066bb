//! Random command lines, from the real options and values, and nonsense.

use jostle::instance::Kind;
use jostle::planners::Registry;

use crate::dice::Dice;
use crate::scene::draw;

const MAPS: [&str; 16] = [
    "a.map",
    "a.map",
    "b.map",
    "b.map",
    "x/a.map",
    "link.map",
    "cave:12x10",
    "rooms:20x9:seed=4",
    "scatter:7",
    "maze:1x1",
    "bad.map",
    "nope.map",
    "out",
    "cave:0x5",
    "cave:12x10:seed=99999999999999999999",
    "a.paths",
];
/// Where outputs go: to new files, to folders, and where they must not go.
const OUTPUTS: [&str; 15] = [
    "out/one",
    "out/one.html",
    "out/one.csv",
    "out/one.svg",
    "out/one.png",
    "out/one.jsonl",
    "out",
    "new",
    "new/deep/er",
    "a.map",
    "link.map",
    "a.scen",
    "a.script",
    "a.paths",
    "spec.toml",
];
const FILES: [&str; 12] = [
    "a.scen",
    "bad.scen",
    "a.script",
    "bad.script",
    "a.paths",
    "bad.paths",
    "spec.toml",
    "bad.toml",
    "results",
    "results/records.jsonl",
    "torn.jsonl",
    "nope",
];
const NUMBERS: [&str; 12] = [
    "1",
    "2",
    "3",
    "1-3",
    "1-4/2,1",
    "0",
    "-1",
    "x",
    "1-",
    "4294967296",
    "99999999999999999999",
    "5-1",
];
const LIMITS: [&str; 9] =
    ["5steps", "9ticks", "0.01s", "20ms", "50expansions", "3steps,1s", "0steps", "-1s", "NaNs"];
const NONSENSE: [&str; 16] = [
    "--help",
    "-h",
    "--version",
    "--",
    "-",
    "",
    "--nope",
    "--agents",
    "--limit=",
    "\u{1b}[31mred",
    "\r",
    "\u{202e}",
    "=1+1",
    "<b>",
    "4294967296",
    "run",
];
/// What has used up all memory, or has hung.
const BOMBS: [&[&str]; 7] = [
    &["--planner", "bmaa:threads=4294967295"],
    &["--planner", "whca:window=4294967295"],
    &["--planner", "ca:nodes=4294967295"],
    &["--scen", "bomb.scen"],
    &["scatter:20000x20000"],
    &["--agents", "1-4294967295"],
    &["--seeds", "0-999999,0-999999,0-999999,0-999999"],
];

/// The words after `jostle`.
pub fn draw(dice: &mut Dice) -> Vec<String> {
    let mut line = Line { dice, words: Vec::new() };
    match line.dice.between(0, 15) {
        0..=6 => line.run(),
        7 | 8 => line.maps(),
        9 | 10 => line.generate(),
        11 if line.dice.percent(50) => line.check(),
        11 => line.replay(),
        12 => line.report(),
        13 => line.export(),
        14 => line.sweep(),
        15 if line.dice.percent(60) => line.bomb(),
        _ => line.planners(),
    }
    for _ in 0..[0, 0, 0, 0, 0, 0, 1, 2][line.dice.below(8)] {
        let (at, word) = (line.dice.below(line.words.len() + 1), *line.dice.pick(&NONSENSE));
        line.words.insert(at, word.to_owned());
    }
    if line.dice.percent(2) {
        let long = "x".repeat(10_000);
        line.words.push(long);
    }
    line.words
}

struct Line<'a> {
    dice: &'a mut Dice,
    words: Vec<String>,
}

impl Line<'_> {
    fn say(&mut self, words: &[&str]) {
        self.words.extend(words.iter().map(|word| (*word).to_owned()));
    }

    /// An option with a value this many times in a hundred.
    fn option(&mut self, percent: u32, name: &str, values: &[&str]) {
        if self.dice.percent(percent) {
            let value = *self.dice.pick(values);
            if self.dice.percent(20) {
                self.words.push(format!("{name}={value}"));
            } else {
                self.say(&[name, value]);
            }
        }
    }

    fn switch(&mut self, percent: u32, name: &str) {
        if self.dice.percent(percent) {
            self.say(&[name]);
        }
    }

    fn pick(&mut self, values: &[&str]) {
        let value = *self.dice.pick(values);
        self.say(&[value]);
    }

    fn rules(&mut self) {
        self.option(20, "--neighbours", &["4", "8", "6"]);
        self.option(20, "--corners", &["both", "one", "none", "all"]);
        self.switch(20, "--forbid-crossing");
    }

    fn kind(&mut self, percent: u32) {
        let mut kinds = Kind::ALL.map(Kind::name).to_vec();
        kinds.extend(["single", "silver", "nope"]);
        self.option(percent, "--kind", &kinds);
    }

    fn planner(&mut self, percent: u32) {
        let entries = Registry::builtin().entries();
        let several: Vec<_> = (0..self.dice.between(1, 3))
            .map(|_| {
                let entry = self.dice.pick(entries);
                draw::planner(self.dice, entry, 20).text()
            })
            .collect();
        self.option(percent, "--planner", &[&several.join(","), &several[0], "nope", "bmaa:x=1"]);
    }

    fn run(&mut self) {
        self.say(&["run"]);
        for _ in 0..self.dice.between(1, 2) {
            self.pick(&MAPS);
        }
        // Without these, a run can take seconds.
        self.option(100, "--agents", &NUMBERS);
        self.option(100, "--limit", &LIMITS);
        self.option(20, "--seeds", &NUMBERS);
        self.kind(15);
        self.planner(70);
        self.option(20, "--scen", &["a.scen", "a.scen", "bad.scen", "nope.scen"]);
        self.option(20, "--script", &["a.script", "a.script", "bad.script", "nope"]);
        self.rules();
        self.switch(15, "--allow-unreachable");
        self.option(35, "--paths", &OUTPUTS);
        self.option(25, "--replay", &OUTPUTS);
        self.switch(25, "--json");
        self.switch(10, "--brief");
        self.switch(10, "--markdown");
    }

    fn bomb(&mut self) {
        let bomb = *self.dice.pick(&BOMBS);
        self.say(&["run", "a.map", "--limit", "5steps"]);
        if bomb[0] != "--agents" {
            self.say(&["--agents", "1"]);
        }
        self.say(bomb);
    }

    fn maps(&mut self) {
        self.say(&["maps"]);
        self.pick(&MAPS);
        self.option(40, "--out", &OUTPUTS);
        self.option(40, "--image", &OUTPUTS);
        self.option(30, "--agents", &NUMBERS);
        self.kind(20);
        self.option(15, "--scen", &FILES);
    }

    fn generate(&mut self) {
        self.say(&["gen"]);
        self.pick(&MAPS);
        self.option(100, "--agents", &NUMBERS);
        self.option(30, "--seeds", &NUMBERS);
        self.kind(40);
        self.option(90, "--out", &OUTPUTS);
        self.rules();
    }

    fn check(&mut self) {
        self.say(&["check"]);
        self.path_files();
        self.option(40, "--replay", &OUTPUTS);
        self.rules();
    }

    fn replay(&mut self) {
        self.say(&["replay"]);
        self.path_files();
        self.option(90, "--out", &OUTPUTS);
        self.option(30, "--title", &["</script>", "\u{1b}[2J", ""]);
        self.rules();
    }

    /// A map, and path files that may fit it.
    fn path_files(&mut self) {
        self.pick(&MAPS);
        for _ in 0..self.dice.between(1, 3) {
            self.pick(&["a.paths", "a.paths", "bad.paths", "a.map", "nope", "out"]);
        }
    }

    fn report(&mut self) {
        self.say(&["report"]);
        self.pick(&["results", "results", "results/records.jsonl", "torn.jsonl", "out", "a.map"]);
        self.option(60, "--out", &OUTPUTS);
        self.option(30, "--format", &["text", "markdown", "latex", "nope"]);
        // Figures take most of the time.
        self.switch(85, "--no-figures");
        self.option(20, "--planner", &["bmaa", "nope"]);
        self.option(20, "--agents", &NUMBERS);
    }

    fn export(&mut self) {
        self.say(&["export"]);
        self.pick(&["results", "results", "results/records.jsonl", "torn.jsonl", "out", "a.map"]);
        self.option(90, "--out", &OUTPUTS);
    }

    fn sweep(&mut self) {
        self.say(&["sweep"]);
        self.pick(&["spec.toml", "spec.toml", "spec.toml", "bad.toml", "a.map", "nope", "out"]);
        self.option(90, "--out", &["out", "out/sweep", "new", "a.map", "spec.toml"]);
        self.option(30, "--threads", &["1", "2", "0", "99999"]);
        self.option(30, "--shard", &["1/1", "1/2", "2/2", "3/2", "0/0", "x"]);
        self.switch(20, "--extend");
    }

    fn planners(&mut self) {
        self.say(&["planners"]);
        self.pick(&["jostle", "bmaa", "nope", "\u{1b}[2J", ""]);
    }
}
