use proptest::prelude::*;

use super::super::grains::NO_PATH;
use super::super::testing::{Drawn, edit_at_random, random_map, rules};
use super::super::{Scout, SectorOptions, Sectors};
use super::*;
use crate::grid::{Grid, Rules};
use crate::search::Verdict;

/// The distances of all portals of a region from a hub, by slot, by sweeps over all legs until none is shorter.
fn plain_distances(graph: &Graph, table: &HubTable, hub: Slot) -> Vec<u32> {
    let (nodes, layout) = (graph.nodes(), graph.layout());
    let mut legs = Vec::new();
    for sector in table.region.bounds.all() {
        let span = nodes.span(layout.index(sector));
        for from in span.nodes() {
            for (to, &grains) in span.nodes().zip(nodes.row(from)) {
                let slots = table.slot(graph, from).zip(table.slot(graph, to));
                if let Some((a, b)) = slots.filter(|_| grains != NO_PATH && from != to) {
                    let steps = nodes.middle(from).step + nodes.middle(to).step;
                    legs.push((a as usize, b as usize, 2 * u32::from(grains) + u32::from(steps)));
                }
            }
        }
    }
    let slots = legs.iter().map(|&(a, ..)| a + 1).max().unwrap_or(0).max(hub as usize + 1);
    let mut distances = vec![FAR; slots];
    distances[hub as usize] = 0;
    loop {
        let before = distances.clone();
        for &(a, b, leg) in &legs {
            distances[b] = distances[b].min(distances[a] + leg);
        }
        if before == distances {
            return distances;
        }
    }
}

/// Compares every distance that a lookup may read with a plain search: all of them are those of the map as it is, and
/// nothing is near a hub that is no longer there.
fn check_tables(sectors: &Sectors) {
    let (graph, hubs) = (&sectors.graph, &sectors.hubs);
    let ready = (0..hubs.cuts.count()).filter_map(|region| hubs.table(region));
    for table in ready.filter(|_| hubs.is_current(graph)) {
        let sectors = table.region.bounds.all().map(|sector| graph.layout().index(sector));
        let nodes = sectors.flat_map(|index| graph.nodes().span(index).nodes());
        let slots: Vec<Slot> = nodes.filter_map(|node| table.slot(graph, node)).collect();
        for (column, &hub) in table.hubs().iter().enumerate() {
            let right = (hub != NO_SLOT).then(|| plain_distances(graph, table, hub));
            for &slot in &slots {
                let right = right.as_ref().and_then(|right| right.get(slot as usize));
                let distance = table.distance(slot, column);
                assert_eq!(distance, *right.unwrap_or(&FAR), "{:?} {column} {hub}", table.region);
            }
        }
    }
}

#[test]
fn no_route_is_looked_up_over_a_hub_that_was_walled_up() {
    // Two doors lead from the first sector to the second.
    let mut grid =
        Grid::new(96, 32, Rules::default(), |x, y| x != 31 || y == 2 || y == 15).unwrap();
    let mut sectors = Sectors::new(&grid, SectorOptions::default());
    assert!(sectors.build(&grid, &mut Budget::unlimited()));
    // The second door goes, and then the way from the first one becomes longer than it was over the second.
    let door = vec![grid.at(31, 15).unwrap()];
    let wall: Vec<_> = (0..31).map(|y| grid.at(48, y).unwrap()).collect();
    for edited in [door, wall] {
        for &cell in &edited {
            grid.set_floor(cell, false);
        }
        sectors.edit(&grid, &edited);
        assert!(sectors.build(&grid, &mut Budget::unlimited()));
    }
    let (start, goal) = (grid.at(4, 15).unwrap(), grid.at(90, 15).unwrap());
    let looked_up = Scout::default().find(&sectors, &grid, start, goal);
    assert!(matches!(looked_up, Verdict::Found(_)), "{looked_up:?}");
    check_tables(&sectors);
}

#[test]
fn a_copy_of_a_table_has_room_for_as_many_portals() {
    let mut grid = Grid::open(256, 256).unwrap();
    let mut sectors = Sectors::new(&grid, SectorOptions::default());
    assert!(sectors.build(&grid, &mut Budget::unlimited()));
    let regions = (0..sectors.hubs.cuts.count()).map(|at| sectors.hubs.cuts.region(at));
    let regions: Vec<_> = regions.collect();
    let place_all = |table: &mut HubTable, graph: &Graph| {
        table.region.bounds.all().all(|sector| table.place(graph, sector))
    };
    let tables = regions.iter().map(|&region| HubTable::new(&sectors.graph, region));
    let mut tables: Vec<_> = tables.collect();
    assert!(tables.iter_mut().all(|table| place_all(table, &sectors.graph)));
    let mut copies = tables.clone();
    // A wall between two sectors makes two portals of one.
    let edited = [grid.at(31, 5).unwrap()];
    grid.set_floor(edited[0], false);
    sectors.edit(&grid, &edited);
    assert!(sectors.build(&grid, &mut Budget::unlimited()));
    let have_room = |tables: &mut [HubTable]| -> Vec<bool> {
        tables.iter_mut().map(|table| place_all(table, &sectors.graph)).collect()
    };
    let (had_room, copies_had_room) = (have_room(&mut tables), have_room(&mut copies));
    assert_eq!(had_room, copies_had_room);
    assert!(had_room[0], "there is room in the table of the whole map");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn tables_are_those_of_the_map_as_it_is_after_every_edit(
        Drawn(grid) in random_map(), rules in rules(), seed in 0u64..1000,
        // How much of the repairs is done between edits.
        repairs in prop::sample::select(vec![3000, 20_000, u64::MAX]),
    ) {
        let mut grid = grid.with_rules(rules);
        let mut sectors = Sectors::new(&grid, SectorOptions::default());
        prop_assert!(sectors.build(&grid, &mut Budget::unlimited()));
        for round in 0..8 {
            let edited = edit_at_random(&mut grid, seed + round, [1, 6, 60][round as usize % 3]);
            sectors.edit(&grid, &edited);
            let _ = sectors.build(&grid, &mut Budget::expansions(repairs));
            check_tables(&sectors);
        }
        prop_assert!(sectors.build(&grid, &mut Budget::unlimited()));
        check_tables(&sectors);
    }
}
