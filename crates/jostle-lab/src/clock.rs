//! The clocks that measure the seconds of a run.

use std::time::Duration;

use cpu_time::ThreadTime;
use jostle::formats::quoted;
use jostle::simulate::{Clock, WallClock};

use crate::record::AsText;

/// What the seconds of a run are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Seconds {
    /// Those on the wall, which pass while other programs use the processor.
    #[default]
    Wall,
    /// Those in which the thread of the run had a processor: other programs lengthen them little. The work of further threads, which
    /// planners start only if their parameters say so, does not count.
    Processor,
}

impl Seconds {
    /// Starts the clock.
    pub(crate) fn start(self) -> Box<dyn Clock> {
        match self {
            Self::Wall => Box::new(WallClock::start()),
            Self::Processor => Box::new(ProcessorClock(ThreadTime::now())),
        }
    }
}

impl AsText for Seconds {
    fn text(&self) -> String {
        let text = match self {
            Self::Wall => "wall",
            Self::Processor => "processor",
        };
        text.to_owned()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        match text {
            "wall" => Ok(Self::Wall),
            "processor" => Ok(Self::Processor),
            _ => Err(format!("there is no clock {}: write wall or processor", quoted(text))),
        }
    }
}

/// The time of this thread on a processor.
struct ProcessorClock(ThreadTime);

impl Clock for ProcessorClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_sleeps_uses_no_time_of_the_processor() {
        let [wall, processor] = [Seconds::Wall, Seconds::Processor].map(Seconds::start);
        std::thread::sleep(Duration::from_millis(50));
        assert!(wall.now() >= Duration::from_millis(50));
        assert!(processor.now() < Duration::from_millis(40));
    }
}
