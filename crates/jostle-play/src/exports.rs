//! What the module offers: a console that Node, or any other host, calls.

use std::cell::RefCell;
use std::panic;

use crate::{Console, SOURCES, play};

thread_local! {
    static CONSOLE: RefCell<Console> = RefCell::default();
}

/// Takes the next byte of a game.
#[unsafe(no_mangle)]
extern "C" fn jostle_write(byte: u8) {
    CONSOLE.with_borrow_mut(|console| console.write(byte));
}

/// Plays the game. Returns how many ticks it had, or -1 if there is a message instead.
#[unsafe(no_mangle)]
extern "C" fn jostle_play() -> i32 {
    // A panic ends the call at once. What it says can be read afterwards, as any other message.
    panic::set_hook(Box::new(|info| {
        CONSOLE.with_borrow_mut(|console| console.keep(Err(info.to_string())));
    }));
    let text = CONSOLE.with_borrow_mut(Console::take_text);
    let ticks = play(&text);
    CONSOLE.with_borrow_mut(|console| console.keep(ticks))
}

/// From which sources the module was built: afterwards, it can be read as a message.
#[unsafe(no_mangle)]
extern "C" fn jostle_sources() {
    CONSOLE.with_borrow_mut(|console| console.keep(Err(SOURCES.to_owned())));
}

/// The next number of what came out.
#[unsafe(no_mangle)]
extern "C" fn jostle_number() -> u64 {
    CONSOLE.with_borrow_mut(Console::number)
}

/// The next byte of the message, or -1 after the last.
#[unsafe(no_mangle)]
extern "C" fn jostle_letter() -> i32 {
    CONSOLE.with_borrow_mut(Console::letter)
}
