//! Safetensors files with the same bytes for the same content.
//!
//! The crate `safetensors` reads them. It writes the notes of a header in the order of a hash map, so files are written here: the length
//! of the header, the header as JSON, and the numbers of one tensor after the other.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use safetensors::SafeTensorError;
use safetensors::tensor::{Dtype, SafeTensors};

/// The numbers of a tensor that is written.
#[derive(Clone, Copy)]
pub enum Numbers<'a> {
    I64(&'a [i64]),
    F32(&'a [f32]),
    U8(&'a [u8]),
}

impl Numbers<'_> {
    const fn kind(self) -> (&'static str, usize) {
        match self {
            Self::I64(_) => ("I64", 8),
            Self::F32(_) => ("F32", 4),
            Self::U8(_) => ("U8", 1),
        }
    }

    const fn len(self) -> usize {
        match self {
            Self::I64(values) => values.len(),
            Self::F32(values) => values.len(),
            Self::U8(values) => values.len(),
        }
    }

    fn write(self, file: &mut Vec<u8>) {
        match self {
            Self::I64(values) => values.iter().for_each(|value| file.extend(value.to_le_bytes())),
            Self::F32(values) => values.iter().for_each(|value| file.extend(value.to_le_bytes())),
            Self::U8(values) => file.extend_from_slice(values),
        }
    }
}

/// A tensor that is written: its name, its shape and its numbers.
pub type Written<'a> = (&'a str, &'a [usize], Numbers<'a>);

/// The bytes of a file with these notes and tensors.
///
/// # Panics
/// When a shape does not have as many numbers.
pub fn write(notes: &BTreeMap<&str, &str>, mut tensors: Vec<Written<'_>>) -> Vec<u8> {
    // Large numbers first, so that all lie at multiples of their size.
    tensors.sort_by_key(|&(name, _, numbers)| (std::cmp::Reverse(numbers.kind().1), name));
    let pairs = notes.iter().map(|(key, value)| format!("{}:{}", quoted(key), quoted(value)));
    let notes = pairs.collect::<Vec<_>>().join(",");
    let mut header = format!("{{\"__metadata__\":{{{notes}}}");
    let mut end = 0;
    for &(name, shape, numbers) in &tensors {
        let (kind, size) = numbers.kind();
        assert_eq!(shape.iter().product::<usize>(), numbers.len(), "a shape has as many numbers");
        let begin = end;
        end += numbers.len() * size;
        let _ = write!(
            header,
            ",{}:{{\"dtype\":\"{kind}\",\"shape\":{shape:?},\"data_offsets\":[{begin},{end}]}}",
            quoted(name)
        );
    }
    header.push('}');
    while header.len() % 8 != 0 {
        header.push(' ');
    }
    let mut file = Vec::with_capacity(8 + header.len() + end);
    file.extend((header.len() as u64).to_le_bytes());
    file.extend(header.as_bytes());
    for (_, _, numbers) in tensors {
        numbers.write(&mut file);
    }
    file
}

/// The notes in the header of a file.
pub fn notes(bytes: &[u8]) -> Result<BTreeMap<String, String>, SafeTensorError> {
    let (_, header) = SafeTensors::read_metadata(bytes)?;
    Ok(header.metadata().clone().unwrap_or_default().into_iter().collect())
}

/// A tensor that was read: its shape and its numbers.
pub type Read = (Vec<usize>, Vec<f32>);

/// All tensors of a file; where one has numbers of another type, `Err` with its name.
pub fn tensors(bytes: &[u8]) -> Result<Result<BTreeMap<String, Read>, String>, SafeTensorError> {
    let mut tensors = BTreeMap::new();
    for (name, view) in SafeTensors::deserialize(bytes)?.iter() {
        if view.dtype() != Dtype::F32 {
            return Ok(Err(name.to_owned()));
        }
        let (numbers, _) = view.data().as_chunks::<4>();
        let values = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        tensors.insert(name.to_owned(), (view.shape().to_vec(), values));
    }
    Ok(Ok(tensors))
}

/// A text as JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\u{0}'..='\u{1f}' => {
                let _ = write!(quoted, "\\u{:04x}", letter as u32);
            }
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_programs_read_what_is_written() {
        let notes = BTreeMap::from([("a \"key\"", "two\nlines \\ ä"), ("b", "")]);
        let bytes = write(
            &notes,
            vec![
                ("small", &[3], Numbers::U8(&[1, 2, 255])),
                ("long", &[1, 2], Numbers::I64(&[-7, i64::MAX])),
                ("real", &[2, 1], Numbers::F32(&[0.5, -3.25])),
            ],
        );
        let read = SafeTensors::deserialize(&bytes).unwrap();
        let names: Vec<&str> = read.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), 3);
        let long = read.tensor("long").unwrap();
        assert_eq!((long.dtype(), long.shape()), (Dtype::I64, &[1, 2][..]));
        assert_eq!(long.data()[..8], (-7_i64).to_le_bytes());
        let halves = read.tensor("real").unwrap();
        assert_eq!((halves.dtype(), halves.shape()), (Dtype::F32, &[2, 1][..]));
        assert_eq!(halves.data()[4..], (-3.25_f32).to_le_bytes());
        assert_eq!(read.tensor("small").unwrap().data(), [1, 2, 255]);
        let found = super::notes(&bytes).unwrap();
        let found: BTreeMap<&str, &str> =
            found.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(found, notes);
    }
}
