//! Any bytes as any format: the first byte says which one.

#![no_main]

use jostle_fuzz::targets::{Format, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&format, bytes)) = data.split_first() else { return };
    let format = Format::ALL[usize::from(format) % Format::ALL.len()];
    if let Err(fault) = read(format, bytes) {
        panic!("{fault}");
    }
});
