//! One connected part of the floor as a graph: vertices numbered from 0, and the neighbours of each in one flat array.

use crate::tally::{self, Kind};

/// A connected, undirected graph whose vertices have places on a grid.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Where the neighbours of each vertex begin; one entry more than there are vertices.
    first: Vec<u32>,
    near: Vec<u32>,
    /// Column and row of each vertex.
    places: Vec<(u32, u32)>,
    forbids_crossing: bool,
}

/// The point where a diagonal edge crosses another one (the sum of its ends' places), and which of the two it is.
pub type Crossing = ((u32, u32), bool);

impl Graph {
    /// A graph with a vertex for each place and these neighbours.
    pub fn new(
        places: Vec<(u32, u32)>,
        forbids_crossing: bool,
        mut neighbours: impl FnMut(u32, &mut Vec<u32>),
    ) -> Self {
        let (mut first, mut near) = (vec![0], Vec::new());
        for vertex in 0..places.len() as u32 {
            neighbours(vertex, &mut near);
            first.push(near.len() as u32);
        }
        Self { first, near, places, forbids_crossing }
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// All vertices.
    pub fn vertices(&self) -> std::ops::Range<u32> {
        0..self.len() as u32
    }

    /// The neighbours of a vertex.
    pub fn near(&self, vertex: u32) -> &[u32] {
        tally::note(Kind::Vertex, 1);
        let vertex = vertex as usize;
        &self.near[self.first[vertex] as usize..self.first[vertex + 1] as usize]
    }

    /// The number of neighbours of a vertex.
    pub fn degree(&self, vertex: u32) -> usize {
        self.near(vertex).len()
    }

    /// Whether the graph is one ring: every vertex has two neighbours.
    pub fn is_ring(&self) -> bool {
        self.len() > 2 && self.vertices().all(|vertex| self.degree(vertex) == 2)
    }

    /// Where an edge crosses another one, if it is diagonal and crossings are forbidden.
    pub fn crossing(&self, from: u32, to: u32) -> Option<Crossing> {
        let ((x, y), (to_x, to_y)) = (self.places[from as usize], self.places[to as usize]);
        let is_diagonal = x != to_x && y != to_y;
        (self.forbids_crossing && is_diagonal)
            .then(|| ((x + to_x, y + to_y), (x < to_x) == (y < to_y)))
    }

    /// Whether agents may go round this closed walk all at once: it has no two diagonals that cross.
    pub fn can_turn(&self, ring: &[u32]) -> bool {
        let next = ring.iter().skip(1).chain(ring.first());
        let mut centres: Vec<_> = ring
            .iter()
            .zip(next)
            .filter_map(|(&from, &to)| self.crossing(from, to).map(|(centre, _)| centre))
            .collect();
        centres.sort_unstable();
        centres.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Nominal bytes: twelve for each vertex, and four for each neighbour of one.
    pub const fn held(&self) -> usize {
        4 * (self.first.len() + self.near.len()) + 8 * self.places.len()
    }

    /// Bytes allocated on the heap.
    pub fn memory(&self) -> usize {
        (self.first.capacity() + self.near.capacity()) * size_of::<u32>()
            + self.places.capacity() * size_of::<(u32, u32)>()
    }
}
