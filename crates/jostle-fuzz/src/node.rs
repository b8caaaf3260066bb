//! Plays games in a module for wasm32, in Node, which is talked to over pipes.

use std::fmt::Debug;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use jostle::Work;
use jostle_play::Tick;
use serde::Deserialize;
use serde_json::json;

/// Another machine that plays games.
pub trait Machine: Debug + Send + Sync {
    /// Whether it can play.
    ///
    /// # Errors
    /// Why not.
    fn ready(&self) -> Result<(), String>;

    /// Plays a game to its end.
    ///
    /// # Errors
    /// What the machine says instead: that the game is refused, that the engine has panicked, or
    /// that it is gone.
    fn play(&self, game: &str) -> Result<Vec<Tick>, String>;
}

/// What Node runs.
const SCRIPT: &str = include_str!("../../jostle-play/play.mjs");
/// Where cargo puts the module, seen from the folder that it builds into.
const MODULE: &str = "wasm32-unknown-unknown/release/jostle_play.wasm";
/// How long a game may take, less than a case may, so that it is said where the time went.
const PATIENCE: Duration = Duration::from_secs(100);

/// The module that cargo has built beside this program, or would build.
pub fn beside_this_program() -> PathBuf {
    let this = std::env::current_exe().unwrap_or_default();
    // A test is one folder further down.
    let folders = this.ancestors().skip(2).take(2).map(|folder| folder.join(MODULE));
    folders.clone().find(|path| path.is_file()).or(folders.clone().next()).unwrap_or_default()
}

/// A module, and the processes that play its games: as many as games are played at a time.
#[derive(Debug)]
pub struct InNode {
    module: PathBuf,
    idle: Mutex<Vec<Process>>,
    ready: OnceLock<Result<(), String>>,
}

impl InNode {
    /// Plays games in this module. Nothing is started yet.
    pub const fn new(module: PathBuf) -> Self {
        Self { module, idle: Mutex::new(Vec::new()), ready: OnceLock::new() }
    }

    /// A process that waits for a game, or a new one.
    fn take(&self) -> Result<Process, String> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| Process::start(&self.module), Ok)
    }

    fn put_back(&self, process: Process) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
    }
}

impl Machine for InNode {
    fn ready(&self) -> Result<(), String> {
        let start = || self.take().map(|process| self.put_back(process));
        self.ready.get_or_init(start).clone()
    }

    fn play(&self, game: &str) -> Result<Vec<Tick>, String> {
        let mut process = self.take()?;
        let answer = process.ask(&json!({ "game": game }).to_string())?;
        self.put_back(process);
        answer.ticks()
    }
}

/// A line that the script has written.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Answer {
    /// The sources of the module.
    Ready(String),
    Numbers(Vec<String>),
    Error(String),
}

impl Answer {
    fn ticks(self) -> Result<Vec<Tick>, String> {
        let numbers = match self {
            Self::Numbers(numbers) => numbers,
            Self::Error(reason) => return Err(reason),
            Self::Ready(_) => return Err("Node has answered something else".to_owned()),
        };
        let number = |text: &String| u64::from_str_radix(text, 16).map_err(|e| e.to_string());
        let numbers = numbers.iter().map(number).collect::<Result<Vec<u64>, _>>()?;
        let tick = |tick: &[u64; 3]| {
            let &[fingerprint, searches, expansions] = tick;
            Tick { fingerprint, work: Work { searches, expansions } }
        };
        Ok(numbers.as_chunks().0.iter().map(tick).collect())
    }
}

/// Node with the script and a module.
#[derive(Debug)]
struct Process {
    child: Child,
    questions: ChildStdin,
    /// Read by a thread, so that a process that says nothing can be given up.
    answers: Receiver<String>,
}

impl Process {
    fn start(module: &Path) -> Result<Self, String> {
        let mut child = Command::new("node")
            .args(["--input-type=module", "--eval", SCRIPT])
            .arg(module)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("Node cannot be started: {error}"))?;
        let (Some(questions), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("Node has no pipes".to_owned());
        };
        let (sender, answers) = channel();
        thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            // Nobody listens any more when the process was given up.
            lines.take_while(|line| sender.send(line.clone()).is_ok()).for_each(drop);
        });
        let process = Self { child, questions, answers };
        match process.answer()? {
            Answer::Ready(sources) if sources == jostle_play::SOURCES => Ok(process),
            Answer::Error(reason) => Err(reason),
            _ => Err("the module was built from other sources than this program".to_owned()),
        }
    }

    /// Asks for one line, which is the answer.
    fn ask(&mut self, question: &str) -> Result<Answer, String> {
        // What went wrong is known better by the answer, or by its absence.
        let _ = writeln!(self.questions, "{question}").and_then(|()| self.questions.flush());
        self.answer()
    }

    fn answer(&self) -> Result<Answer, String> {
        let line = self.answers.recv_timeout(PATIENCE).map_err(|error| match error {
            RecvTimeoutError::Timeout => format!("Node has not answered in {PATIENCE:?}"),
            RecvTimeoutError::Disconnected => "Node has ended without an answer".to_owned(),
        })?;
        serde_json::from_str(&line).map_err(|error| format!("Node has answered {line}: {error}"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
