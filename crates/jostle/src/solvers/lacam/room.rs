//! Room in lists that grow with a search.

/// Makes sure that a list can take this many more elements. Returns false if the memory is not there.
///
/// Lists grow by a quarter: doubling would hold twice as much as was allowed.
pub fn make_room<T>(list: &mut Vec<T>, more: usize) -> bool {
    let has_room = list.capacity() - list.len() >= more;
    has_room || list.try_reserve_exact((list.len() / 4).max(more).max(64)).is_ok()
}
