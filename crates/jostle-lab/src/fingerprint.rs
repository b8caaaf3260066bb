//! Fingerprints: short numbers that tell contents apart.

/// A number that two sequences share only by an unlikely accident (FNV-1a).
pub fn fingerprint(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(FNV_BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME))
}

/// The same for text that is checked whenever it is read: it takes eight bytes at a time. Text that differs in one
/// place of up to eight bytes never has the same checksum.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| {
        let hash = (hash ^ word).wrapping_mul(FNV_PRIME);
        // Lets the high bits count, which a multiplication only moves up.
        hash ^ (hash >> 32)
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(FNV_BASIS, |hash, &word| mix(hash, u64::from_le_bytes(word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(mix(hash, u64::from_le_bytes(last)), bytes.len() as u64)
}

const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_changes_with_every_byte_and_with_the_length() {
        let text: Vec<u8> = (0..=100).collect();
        let sum = checksum(&text);
        for place in 0..text.len() {
            for change in 1..=255 {
                let mut other = text.clone();
                other[place] ^= change;
                assert_ne!(checksum(&other), sum, "byte {place}");
            }
            assert_ne!(checksum(&text[..place]), sum, "the first {place} bytes");
        }
        assert_ne!(checksum(b""), checksum(b"\0"));
    }
}
