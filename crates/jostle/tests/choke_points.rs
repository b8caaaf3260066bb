//! The default planner brings all agents through every choke point.

use jostle::check::check_trace;
use jostle::instance::{ChokePoint, InstanceError};
use jostle::planners::{Jostle, Recipe};
use jostle::{Limits, Simulation};

#[test]
fn all_agents_get_through_every_choke_point() {
    for choke_point in ChokePoint::ALL {
        let mut world = choke_point.instance().unwrap().world();
        let mut planner = Jostle::default().build();
        let limits = Limits::ticks(2000);
        let simulation = Simulation::new(&mut world, planner.as_mut()).limits(limits).traced();
        let legal = check_trace(&simulation.run().unwrap().trace.unwrap()).unwrap();
        assert_eq!(legal.arrived, legal.agents, "{choke_point}");
    }
}

#[test]
fn choke_points_are_as_narrow_and_as_crowded_as_they_say() {
    let floor_in = |choke_point: ChokePoint, column| {
        let instance = choke_point.instance().unwrap();
        let in_column = |&cell: &_| instance.grid().position(cell).0 == column;
        (instance.grid().floor_cells().filter(in_column).count(), instance.tasks().len())
    };
    for width in 1..=3 {
        assert_eq!(floor_in(ChokePoint::Bridge { width: width as u32 }, 45), (width, 200));
    }
    assert_eq!(floor_in(ChokePoint::Door, 40), (1, 200));
    assert_eq!(floor_in(ChokePoint::Throng, 20), (20, 1 + 30 * 20 * 4 / 5));
}

#[test]
fn a_bridge_without_width_is_refused() {
    let error = ChokePoint::Bridge { width: 0 }.instance().unwrap_err();
    assert!(matches!(error, InstanceError::OutOfReach { .. }), "{error}");
}
