use proptest::prelude::*;

use super::super::islands::Islands;
use super::super::labels::{POCKET, WALL};
use super::super::testing::{Drawn, cut_out, edit_at_random, grains_inside, random_map, rules};
use super::*;
use crate::grid::Components;

/// The whole graph of a map.
fn built(grid: &Grid, split: u8) -> Graph {
    let mut graph = Graph::new(grid, split, usize::MAX);
    finish(grid, &mut graph);
    graph
}

/// Finds and measures all that is missing.
fn finish(grid: &Grid, graph: &mut Graph) {
    let mut wave = Wave::default();
    let layout = *graph.layout();
    for sector in (0..layout.count()).map(|index| layout.sector(index)) {
        assert!(graph.find_exits(grid, sector, &mut Budget::unlimited()));
        for node in graph.nodes().span(layout.index(sector)).nodes() {
            assert!(graph.measure(grid, &mut wave, node, &mut Budget::unlimited()));
        }
    }
}

fn sectors(graph: &Graph) -> impl Iterator<Item = SectorId> + use<> {
    let layout = *graph.layout();
    (0..layout.count()).map(move |index| layout.sector(index))
}

/// The distances from an exit to those of its sector, in grains.
fn row(graph: &Graph, sector: SectorId, from: usize) -> &[u16] {
    graph.nodes().row(graph.nodes().span(graph.layout().index(sector)).first + from as NodeId)
}

fn assert_same(a: &Graph, b: &Graph) {
    for sector in sectors(a) {
        assert_eq!(a.labels(sector), b.labels(sector));
        assert_eq!(a.exits(sector), b.exits(sector));
        for from in 0..a.exits(sector).unwrap().len() {
            assert_eq!(row(a, sector, from), row(b, sector, from), "exit {from} of {sector:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn labels_are_the_components_of_the_sector_that_touch_its_edge(
        Drawn(grid) in random_map(), rules in rules(),
    ) {
        let grid = grid.with_rules(rules);
        let graph = built(&grid, 8);
        for sector in sectors(&graph) {
            let area = graph.layout().area(sector);
            let (alone, _) = cut_out(&grid, area);
            let components = Components::of(&alone);
            let labels = graph.labels(sector).unwrap();
            prop_assert!(labels.count() <= 62);
            let place = |cell| {
                let (x, y) = alone.position(cell);
                graph.layout().at(area.x + x as i32, area.y + y as i32)
            };
            let is_edge = |cell| {
                let (x, y) = alone.position(cell);
                x == 0 || y == 0 || x + 1 == alone.width() || y + 1 == alone.height()
            };
            // One label for each component, and one component for each label.
            let mut of_component = vec![None; components.count()];
            let mut of_label = vec![None; usize::from(u8::MAX) + 1];
            for cell in alone.cells() {
                let label = labels.at(place(cell));
                let Some(component) = components.label(cell) else {
                    prop_assert_eq!(label, WALL);
                    continue;
                };
                prop_assert_eq!(*of_component[component].get_or_insert(label), label);
                if label == POCKET {
                    prop_assert!(!is_edge(cell));
                } else {
                    prop_assert_eq!(*of_label[usize::from(label)].get_or_insert(component), component);
                }
            }
        }
    }

    #[test]
    fn every_exit_has_a_twin_just_across_the_border(
        Drawn(grid) in random_map(), rules in rules(), split in prop::sample::select(vec![8u8, 16]),
    ) {
        let grid = grid.with_rules(rules);
        let graph = built(&grid, split);
        for sector in sectors(&graph) {
            let exits = graph.exits(sector).unwrap();
            for &exit in exits {
                let beyond = graph.layout().beside(sector, exit.code.side()).unwrap();
                let (_, twin) = graph.exit(beyond, exit.code.twin()).unwrap();
                let (here, there) = (graph.middle(sector, exit), graph.middle(beyond, twin));
                prop_assert_eq!(grid.step_between(here.cell, there.cell), Some(exit.step));
                prop_assert_eq!(twin.step, exit.step.opposite());
                prop_assert_eq!((exit.component, exit.beyond), (twin.beyond, twin.component));
                prop_assert_eq!(twin.code.twin(), exit.code);
            }
        }
    }

    #[test]
    fn distances_between_exits_are_those_of_the_sector_rounded_up_to_grains(
        Drawn(grid) in random_map(), rules in rules(),
    ) {
        let grid = grid.with_rules(rules);
        let graph = built(&grid, 8);
        for sector in sectors(&graph).step_by(3) {
            let area = graph.layout().area(sector);
            let exits = graph.exits(sector).unwrap();
            for (from, &exit) in exits.iter().enumerate() {
                for (&other, &distance) in exits.iter().zip(row(&graph, sector, from)) {
                    let (here, there) = (graph.middle(sector, exit), graph.middle(sector, other));
                    let grains = grains_inside(&grid, area, here, there);
                    prop_assert_eq!((distance != NO_PATH).then_some(u64::from(distance)), grains);
                }
            }
        }
    }

    #[test]
    fn islands_are_the_components_of_the_map_also_after_edits(
        Drawn(grid) in random_map(), rules in rules(), seed in 0u64..1000,
    ) {
        let mut grid = grid.with_rules(rules);
        let mut graph = Graph::new(&grid, 16, 0);
        let mut islands = Islands::default();
        for round in 0..6 {
            let mut calls = 0;
            while !islands.refresh(&grid, &mut graph, &mut Budget::expansions(1500)) {
                calls += 1;
                prop_assert!(calls < 10_000, "every call must make progress");
            }
            let components = Components::of(&grid);
            let floor: Vec<_> = grid.floor_cells().map(|cell| Place::of(&grid, cell)).collect();
            let node = |place: Place| {
                let sector = SectorId::of(place);
                let label = graph.labels(sector).unwrap().at(place);
                (label != POCKET).then(|| (graph.layout().index(sector), label))
            };
            for (a, b) in floor.iter().step_by(37).zip(floor.iter().rev().step_by(23)) {
                let (Some(from), Some(to)) = (node(*a), node(*b)) else { continue };
                prop_assert_eq!(islands.are_joined(from, to), components.connected(a.cell, b.cell));
            }
            let edited = edit_at_random(&mut grid, seed + round, if round % 2 == 0 { 1 } else { 200 });
            let edited: Vec<_> =
                edited.into_iter().map(|cell| SectorId::of(Place::of(&grid, cell))).collect();
            graph.edit(&grid, &edited, |sector| islands.doubt(sector, usize::MAX / 2));
        }
    }

    #[test]
    fn a_graph_that_was_edited_equals_one_made_anew(
        Drawn(grid) in random_map(), rules in rules(), seed in 0u64..1000,
    ) {
        let mut grid = grid.with_rules(rules);
        let mut graph = built(&grid, 8);
        for round in 0..4 {
            let edited = edit_at_random(&mut grid, seed + round, [1, 3, 40, 700][round as usize]);
            let edited: Vec<_> =
                edited.into_iter().map(|cell| SectorId::of(Place::of(&grid, cell))).collect();
            graph.edit(&grid, &edited, |_| ());
            finish(&grid, &mut graph);
            assert_same(&graph, &built(&grid, 8));
        }
    }
}

#[test]
fn an_edit_leaves_all_but_its_sector_and_those_beside_it_alone() {
    let mut grid = Grid::open(160, 160).unwrap();
    let mut graph = built(&grid, 8);
    let cell = grid.at(70, 80).unwrap();
    grid.set_floor(cell, false);
    let edited = SectorId::of(Place::of(&grid, cell));
    graph.edit(&grid, &[edited], |_| ());
    let in_doubt = sectors(&graph).filter(|&sector| graph.exits(sector).is_none()).count();
    assert_eq!(in_doubt, 5);
    finish(&grid, &mut graph);
    let changed: Vec<_> = sectors(&graph).filter(|&sector| graph.changed(sector) > 1).collect();
    assert_eq!(changed, [edited], "a wall away from the border changes no portal");
}

#[test]
fn a_long_border_is_split_into_equal_portals_and_small_gaps_are_bridged() {
    let mut grid = Grid::open(64, 20).unwrap();
    for y in [3, 4, 5, 13, 14, 15, 16] {
        grid.set_floor(grid.at(31, y).unwrap(), false);
    }
    let graph = built(&grid, 8);
    let exits = graph.exits(SectorId { column: 0, row: 0 }).unwrap();
    let middles: Vec<_> = exits
        .iter()
        .map(|&exit| graph.middle(SectorId::default(), exit))
        .map(|place| (place.x, place.y))
        .collect();
    // Rows 0 to 12 are one run, because a gap of three is bridged: two portals. A gap of four is not.
    assert_eq!(middles, [(31, 2), (31, 9), (31, 18)]);
}

#[test]
fn what_edits_have_changed_is_noted_once_however_often_they_come() {
    let mut grid = Grid::open(96, 96).unwrap();
    let mut graph = Graph::new(&grid, 6, 0);
    let sectors: Vec<SectorId> =
        (0..graph.layout().count()).map(|at| graph.layout().sector(at)).collect();
    for round in 0..200 {
        for &sector in &sectors {
            assert!(graph.find_exits(&grid, sector, &mut Budget::unlimited()));
        }
        // A cell of each border comes and goes, and nobody asks what has changed.
        for (x, y) in [(31, 5), (63, 40), (10, 31), (50, 63), (70, 31), (31, 80)] {
            grid.set_floor(grid.at(x, y).unwrap(), round % 2 == 1);
        }
        graph.edit(&grid, &sectors, |_| ());
    }
    assert!(graph.take_altered().len() <= 2 * sectors.len());
    assert!(graph.unmeasured.len() <= 2 * sectors.len());
}
