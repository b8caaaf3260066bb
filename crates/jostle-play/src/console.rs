//! Text in, numbers out, one at a time.

use std::vec::IntoIter;

use crate::Tick;

/// What a module for wasm32 keeps between two calls from outside.
#[derive(Debug, Default)]
pub struct Console {
    text: Vec<u8>,
    numbers: IntoIter<u64>,
    message: IntoIter<u8>,
}

impl Console {
    /// Takes the next byte of a game.
    pub fn write(&mut self, byte: u8) {
        self.text.push(byte);
    }

    /// The text that was written; the next one begins anew.
    pub fn take_text(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.text)).into_owned()
    }

    /// Keeps what came out of a game. Returns how many ticks there are, or -1 if there is a message
    /// instead.
    pub fn keep(&mut self, ticks: Result<Vec<Tick>, String>) -> i32 {
        match ticks {
            Ok(ticks) => {
                let numbers =
                    |tick: &Tick| [tick.fingerprint, tick.work.searches, tick.work.expansions];
                self.numbers = ticks.iter().flat_map(numbers).collect::<Vec<_>>().into_iter();
                ticks.len() as i32
            }
            Err(message) => {
                self.message = message.into_bytes().into_iter();
                -1
            }
        }
    }

    /// The next number: for each tick the fingerprint, the searches and the expansions. 0 after the
    /// last.
    pub fn number(&mut self) -> u64 {
        self.numbers.next().unwrap_or_default()
    }

    /// The next byte of the message, or -1 after the last.
    pub fn letter(&mut self) -> i32 {
        self.message.next().map_or(-1, i32::from)
    }
}

#[cfg(test)]
mod tests {
    use jostle::Work;

    use super::*;

    #[test]
    fn a_game_goes_in_byte_by_byte_and_numbers_come_out() {
        let mut console = Console::default();
        "über".bytes().for_each(|byte| console.write(byte));
        assert_eq!(console.take_text(), "über");
        assert_eq!(console.take_text(), "", "the next game begins anew");
        let tick = Tick { fingerprint: u64::MAX, work: Work { searches: 2, expansions: 3 } };
        assert_eq!(console.keep(Ok(vec![tick])), 1);
        assert_eq!([(); 4].map(|()| console.number()), [u64::MAX, 2, 3, 0]);
    }

    #[test]
    fn a_message_comes_out_byte_by_byte() {
        let mut console = Console::default();
        assert_eq!(console.keep(Err("no".to_owned())), -1);
        assert_eq!([(); 3].map(|()| console.letter()), [i32::from(b'n'), i32::from(b'o'), -1]);
    }
}
