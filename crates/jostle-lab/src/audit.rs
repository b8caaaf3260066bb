//! Checks and measures a run tick by tick, so that no trace has to be kept.

use std::ops::ControlFlow;

use jostle::check::{Checker, Violation};
use jostle::metrics::{Turns, Walks};
use jostle::simulate::Witness;
use jostle::trace::Fingerprint;
use jostle::{Work, World};

/// The independent checker and Silver's measures, at every tick.
pub struct Audit {
    checker: Checker,
    walks: Walks,
    fingerprint: Fingerprint,
    /// The number of changes that the world had seen after the last tick.
    changes_seen: u64,
    violation: Option<Violation>,
}

/// What an audit found in a legal run.
pub struct Findings {
    /// Silver's measures of each agent, by slot.
    pub turns: Vec<Turns>,
    /// The same for two runs only if every agent stood on the same cells at every tick.
    pub fingerprint: u64,
    /// How many goals the checker saw agents reach.
    pub reached: u64,
}

impl Audit {
    /// Begins with the present state of the world.
    pub fn begin(world: &World) -> Result<Self, Violation> {
        let mut fingerprint = Fingerprint::default();
        fingerprint.begin(world.agents());
        Ok(Self {
            checker: Checker::begin(world.grid(), world.agents())?,
            walks: Walks::begin(world.agents(), world.grid().width()),
            fingerprint,
            changes_seen: world.change_count(),
            violation: None,
        })
    }

    /// The findings, after the last tick.
    pub fn finish(self) -> Result<Findings, Violation> {
        match self.violation {
            Some(violation) => Err(violation),
            None => Ok(Findings {
                turns: self.walks.turns(),
                fingerprint: self.fingerprint.value(),
                reached: self.checker.finish().reached as u64,
            }),
        }
    }
}

impl Witness for Audit {
    fn see(&mut self, world: &World, _work: Work) -> ControlFlow<()> {
        let now = world.configuration();
        let changes = world.previous_changes(self.changes_seen);
        self.changes_seen += changes.len() as u64;
        self.walks.tick(|slot| now.cell(slot));
        self.fingerprint.add(now.cells());
        match self.checker.tick(changes, now.cells()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(violation) => {
                self.violation = Some(violation);
                ControlFlow::Break(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle::check::check_trace;
    use jostle::planners::planner;
    use jostle::{Instance, Level, Limits, Simulation, instance::Kind};

    fn world() -> World {
        let grid = Level::Rooms.generate(40, 30, 2).unwrap();
        Instance::draw(grid, Kind::SwapSides, 60, 3).unwrap().world()
    }

    #[test]
    fn an_audited_run_has_the_same_findings_as_its_trace() {
        let mut world = world();
        let mut audit = Audit::begin(&world).unwrap();
        let outcome = Simulation::new(&mut world, planner("bmaa-c").unwrap().as_mut())
            .limits(Limits::ticks(200))
            .witnessed(&mut audit)
            .traced()
            .run()
            .unwrap();
        let trace = outcome.trace.unwrap();
        assert_eq!(audit.checker.finish(), check_trace(&trace).unwrap());
        let findings = audit.finish().unwrap();
        assert_eq!(findings.fingerprint, trace.fingerprint());
        assert_eq!(findings.turns, Turns::of(&trace));
        assert!(findings.turns.iter().any(|turns| turns.cycles > 0));
    }

    #[test]
    fn an_illegal_run_is_stopped_and_reported() {
        // The audit begins with agents elsewhere, so that they seem to jump.
        let mut audit = Audit::begin(&world()).unwrap();
        let grid = Level::Rooms.generate(40, 30, 2).unwrap();
        let mut world = Instance::draw(grid, Kind::Random, 60, 4).unwrap().world();
        let outcome = Simulation::new(&mut world, planner("bmaa").unwrap().as_mut())
            .witnessed(&mut audit)
            .run()
            .unwrap();
        assert_eq!(outcome.ending, jostle::simulate::Ending::Stopped);
        assert_eq!(outcome.metrics.ticks, 1);
        assert!(matches!(audit.finish(), Err(Violation::NoSuchStep { tick: 1, .. })));
    }
}
