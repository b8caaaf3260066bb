//! Subproblems of drawn floors. Letters are agents, and those that can change places have the same letter.

use super::*;

/// Compares the subproblems of a drawing with its letters: same letters, one subproblem; a capital letter is alone.
fn assert_classes(drawing: &str) {
    let rows = drawing.lines().zip(0..);
    let cells: Vec<(u32, u32, char)> = rows
        .flat_map(|(line, y)| line.chars().zip(0..).map(move |(letter, x)| (x, y, letter)))
        .filter(|cell| cell.2 != '#')
        .collect();
    let places = cells.iter().map(|&(x, y, _)| (x, y)).collect();
    let graph = Graph::new(places, false, |vertex, near| {
        let (x, y, _) = cells[vertex as usize];
        let is_near = |cell: &(u32, u32, char)| cell.0.abs_diff(x) + cell.1.abs_diff(y) == 1;
        near.extend((0..).zip(&cells).filter(|(_, cell)| is_near(cell)).map(|(number, _)| number));
    });
    let taken: Vec<bool> = cells.iter().map(|cell| cell.2 != '.').collect();
    let classes = Classes::of(&graph, &taken);
    let agents: Vec<u32> = graph.vertices().filter(|&vertex| taken[vertex as usize]).collect();
    for &one in &agents {
        for &other in &agents {
            let letter = cells[one as usize].2;
            let is_expected =
                one == other || letter == cells[other as usize].2 && letter.is_ascii_lowercase();
            let is_found = classes.of_agent_on(one) == classes.of_agent_on(other);
            assert_eq!(
                is_found, is_expected,
                "{:?} and {:?} in\n{drawing}",
                cells[one as usize], cells[other as usize]
            );
        }
    }
}

#[test]
fn nobody_passes_in_a_corridor() {
    assert_classes("A.BC..D");
}

#[test]
fn a_junction_needs_two_free_cells_that_are_not_both_beyond_one_branch() {
    assert_classes("#.#\na.a\n#a#");
    assert_classes("aBa\n#.#\n#.#");
    assert_classes("A.B\n#C#");
    // The agent in the south can enter the junction, but then it has no room to let anybody past.
    assert_classes("a.a\n#.#\n#A#");
}

#[test]
fn junctions_are_one_subproblem_if_the_corridor_between_them_is_short() {
    assert_classes("a#.#a\n.....\na###a");
    assert_classes("a###b\n.ABC.\na###b");
}

#[test]
fn rings_turn_when_they_are_full() {
    assert_classes("aa\naa");
    assert_classes("aa##\naaA.");
    assert_classes("aa##\naa.A");
}
