//! The attack finds faults that are planted, shrinks them, and writes them out so that they can be replayed.

use std::path::Path;
use std::time::Duration;

use jostle::planners::{Entry, Planner, Recipe, Registry, Work};
use jostle::{Cell, Change, Moves, World};
use jostle_fuzz::campaign::{Amount, Attack, Order, Summary};
use jostle_fuzz::finding::Finding;
use jostle_fuzz::scene::{Change as SceneChange, Scene};
use jostle_fuzz::targets::Scripts;

/// What a planted planner does when the time has come.
#[derive(Clone, Copy)]
enum Plant {
    /// Sends an agent across the map.
    Jump,
    Panic,
    /// Expands more nodes than its budget.
    Overwork,
}

/// Lets every agent wait, and counts how often the game has sent one to a new goal. From the third time on, its
/// fault shows.
struct Faulty {
    plant: Plant,
    sends: usize,
}

impl Planner for Faulty {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        let is_send = |change: &&Change| matches!(change, Change::Send { .. });
        self.sends += world.changes().iter().filter(is_send).count();
        if self.sends < 3 {
            return Work::default();
        }
        match self.plant {
            Plant::Jump => {
                let far = |from: Cell| {
                    let ((x, y), grid) = (world.grid().position(from), world.grid());
                    grid.cells().find(|&to| grid.position(to).0.abs_diff(x) > 1).or(grid.at(x, y))
                };
                if let Some((agent, to)) = world.ours().find_map(|a| Some((a.id, far(a.cell)?))) {
                    moves.set(agent, to);
                }
            }
            Plant::Panic => panic!("the third send of {} agents", world.agents().count()),
            Plant::Overwork => return Work { searches: 1, expansions: 11 },
        }
        Work::default()
    }
}

/// Its only parameter is a budget.
struct FaultyRecipe {
    plant: Plant,
    budget: Option<u32>,
}

impl Recipe for FaultyRecipe {
    fn fields(&mut self) -> Vec<jostle::planners::Field<'_>> {
        vec![jostle::planners::Field::budget(&mut self.budget)]
    }

    fn build(&self) -> Box<dyn Planner> {
        Box::new(Faulty { plant: self.plant, sends: 0 })
    }
}

fn target(plant: Plant) -> Scripts {
    let mut registry = Registry::empty();
    let recipe = move || FaultyRecipe { plant, budget: Some(10) };
    registry.add(Entry::new("faulty", "has a planted fault", recipe)).unwrap();
    Scripts::new(registry)
}

fn attack(plant: Plant, out: &Path) -> Summary {
    target(plant).attack(&Order {
        seed: 7,
        amount: Amount { cases: Some(100), ..Amount::default() },
        // With several threads, which of them finds the fault first is chance.
        threads: 1,
        out: out.to_owned(),
        patience: Duration::from_secs(600),
    })
}

/// The only finding, shrunk.
fn found(plant: Plant, kind: &str) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let summary = attack(plant, folder.path());
    let [finding] = summary.findings.as_slice() else { panic!("{:?}", summary.notes) };
    assert!(finding.fault.kind.starts_with(kind), "{}", finding.fault);

    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    let [Ok(file)] = files.as_slice() else { panic!("{files:?}") };
    let read = Finding::read(&file.path()).unwrap();
    assert_eq!(&read, finding);
    let replayed = target(plant).replay(&read.case).unwrap().unwrap_err();
    assert_eq!(replayed.message, finding.fault.message);
    serde_json::from_value(read.case).unwrap()
}

#[test]
fn an_illegal_move_after_the_third_send_is_shrunk_to_three_sends() {
    let scene = found(Plant::Jump, "a planner proposes an illegal move");
    assert_eq!((scene.opening.len(), scene.script.len(), scene.ticks), (1, 3, 1), "{scene:?}");
    let is_send = |change: &SceneChange| matches!(change, SceneChange::Send { .. });
    assert!(scene.script.iter().all(|(_, change)| is_send(change)), "{scene:?}");
    assert!(scene.floor.rows.concat().len() <= 3, "the smallest map with room to jump: {scene:?}");
}

#[test]
fn a_panic_is_a_finding_with_its_message() {
    let scene = found(Plant::Panic, "a panic");
    let cells = scene.floor.rows.concat().len();
    assert_eq!((scene.opening.len(), scene.script.len(), cells), (1, 3, 1), "{scene:?}");
}

#[test]
fn a_budget_that_is_exceeded_is_a_finding() {
    let scene = found(Plant::Overwork, "a budget is exceeded");
    assert_eq!((scene.script.len(), scene.ticks), (3, 1));
}
