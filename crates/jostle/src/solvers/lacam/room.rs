//! Room in lists that grow with a search.

/// Makes sure that a list can take this many more elements. Returns false if the memory is not there.
///
/// Lists grow by a quarter: doubling would miss a limit on memory by much.
pub fn make_room<T>(list: &mut Vec<T>, more: usize) -> bool {
    has_room(list, more) || list.try_reserve_exact((list.len() / 4).max(more).max(64)).is_ok()
}

/// Whether a list can take this many more elements without growing.
pub const fn has_room<T>(list: &Vec<T>, more: usize) -> bool {
    list.capacity() - list.len() >= more
}
