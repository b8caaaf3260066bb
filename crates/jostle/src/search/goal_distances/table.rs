//! The distances that a search has found, in as few bytes as they need.

/// One more than the distance of each numbered cell; 0 where nothing is known. Zeros take no memory of the system until they are
/// touched, if the table is large.
#[derive(Clone, Debug)]
pub(super) enum Table {
    Short(Vec<u16>),
    Long(Vec<u32>),
    Wide(Vec<u64>),
}

/// An entry of a table.
pub(super) trait Entry: Copy + Default + Ord + Into<u64> {
    /// The largest.
    const MOST: u64;

    /// The entry with this value, which is at most the largest.
    fn of(value: u64) -> Self;
}

macro_rules! entry {
    ($number:ty) => {
        impl Entry for $number {
            const MOST: u64 = <$number>::MAX as u64;

            fn of(value: u64) -> Self {
                value as Self
            }
        }
    };
}

entry!(u16);
entry!(u32);
entry!(u64);

impl Table {
    #[inline]
    pub fn get(&self, number: u32) -> u64 {
        match self {
            Self::Short(entries) => u64::from(entries[number as usize]),
            Self::Long(entries) => u64::from(entries[number as usize]),
            Self::Wide(entries) => entries[number as usize],
        }
    }

    pub fn set(&mut self, number: u32, value: u64) {
        self.make_room_for(value);
        match self {
            Self::Short(entries) => entries[number as usize] = value as u16,
            Self::Long(entries) => entries[number as usize] = value as u32,
            Self::Wide(entries) => entries[number as usize] = value,
        }
    }

    /// Uses wider entries if this value does not fit into those of today.
    #[inline]
    pub fn make_room_for(&mut self, value: u64) {
        let most = match self {
            Self::Short(_) => u16::MOST,
            Self::Long(_) => u32::MOST,
            Self::Wide(_) => u64::MOST,
        };
        if value > most {
            self.widen();
            self.make_room_for(value);
        }
    }

    #[cold]
    fn widen(&mut self) {
        match self {
            Self::Short(entries) => {
                *self = Self::Long(entries.iter().map(|&entry| entry.into()).collect());
            }
            Self::Long(entries) => {
                *self = Self::Wide(entries.iter().map(|&entry| entry.into()).collect());
            }
            Self::Wide(_) => {}
        }
    }

    /// Forgets everything, and has this many entries.
    pub fn clear(&mut self, count: usize) {
        fn clear<D: Entry>(entries: &mut Vec<D>, count: usize) {
            entries.clear();
            entries.resize(count, D::default());
        }
        match self {
            Self::Short(entries) if entries.is_empty() => *entries = vec![0; count],
            Self::Long(entries) if entries.is_empty() => *entries = vec![0; count],
            Self::Short(entries) => clear(entries, count),
            Self::Long(entries) => clear(entries, count),
            Self::Wide(entries) => clear(entries, count),
        }
    }

    /// Has this many entries; new ones are not known.
    pub fn resize(&mut self, count: usize) {
        match self {
            Self::Short(entries) => entries.resize(count, 0),
            Self::Long(entries) => entries.resize(count, 0),
            Self::Wide(entries) => entries.resize(count, 0),
        }
    }

    /// Nominal bytes: those of its entries.
    pub const fn held(&self) -> usize {
        match self {
            Self::Short(entries) => 2 * entries.len(),
            Self::Long(entries) => 4 * entries.len(),
            Self::Wide(entries) => 8 * entries.len(),
        }
    }

    /// Bytes on the heap.
    pub const fn memory(&self) -> usize {
        match self {
            Self::Short(entries) => entries.capacity() * size_of::<u16>(),
            Self::Long(entries) => entries.capacity() * size_of::<u32>(),
            Self::Wide(entries) => entries.capacity() * size_of::<u64>(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_become_wider_when_they_have_to() {
        let mut table = Table::Short(vec![0; 3]);
        for (number, value) in [u16::MOST, u16::MOST + 1, u32::MOST + 1].into_iter().enumerate() {
            table.set(number as u32, value);
        }
        assert_eq!([0, 1, 2].map(|number| table.get(number)), [0xffff, 0x1_0000, 0x1_0000_0000]);
        table.resize(4);
        assert_eq!(table.get(3), 0);
        table.clear(2);
        assert_eq!([0, 1].map(|number| table.get(number)), [0, 0]);
    }
}
