//! Reads the records of a folder, line by line.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::row::Row;
use crate::sweep::record_files;
use crate::{LabError, parse_limits};

/// Which runs a report is about; an empty list lets all pass.
#[derive(Clone, Default, Debug)]
pub struct Filter {
    /// Planners as the records name them.
    pub planners: Vec<String>,
    /// Maps as the records name them.
    pub maps: Vec<String>,
    /// Kinds of problem.
    pub kinds: Vec<String>,
    /// Numbers of agents.
    pub agents: Vec<u32>,
    /// Limits as users write them.
    pub limits: Vec<String>,
}

impl Filter {
    fn lets_pass(&self, row: &Row) -> bool {
        let is_wanted = |wanted: &[String], name: &str| {
            wanted.is_empty() || wanted.iter().any(|wanted| wanted == name)
        };
        is_wanted(&self.planners, &row.planner)
            && is_wanted(&self.maps, &row.map)
            && is_wanted(&self.kinds, &row.kind)
            && is_wanted(&self.limits, &row.limit)
            && (self.agents.is_empty() || self.agents.contains(&row.agents))
    }
}

/// All runs of a folder, and what a reader of the report should know about them.
#[derive(Clone, Default, Debug)]
pub struct Results {
    pub(super) rows: Vec<Row>,
    pub(super) remarks: Vec<String>,
    pub(super) versions: Vec<String>,
}

/// What a line may hold beside what nobody needs here. Names are borrowed where they can be.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    planner: Cow<'a, str>,
    #[serde(borrow)]
    map: Cow<'a, str>,
    agents: u32,
    seed: Option<u64>,
    #[serde(borrow)]
    kind: Option<Cow<'a, str>>,
    neighbours: u8,
    #[serde(borrow)]
    limit: Cow<'a, str>,
    #[serde(borrow)]
    ending: Cow<'a, str>,
    completion_rate: f64,
    completion_ticks: Option<f64>,
    completion_seconds: Option<f64>,
    travel_distance: f64,
    tick_p99_us: f64,
    first_tick_us: f64,
    later_tick_max_us: f64,
    success_rate: f64,
    path_length: Option<f64>,
    path_over_shortest: Option<f64>,
    cycles: f64,
    #[serde(borrow)]
    fingerprint: Cow<'a, str>,
    #[serde(borrow)]
    version: Cow<'a, str>,
    #[serde(borrow, default)]
    key: Option<Cow<'a, str>>,
}

impl Line<'_> {
    /// Runs with the same name are one run that was written twice.
    fn name(&self) -> String {
        match &self.key {
            Some(key) => key.to_string(),
            None => format!(
                "{} {} {} {:?} {:?} {} {} {}",
                self.planner,
                self.map,
                self.agents,
                self.seed,
                self.kind,
                self.neighbours,
                self.limit,
                self.fingerprint
            ),
        }
    }

    fn check(&self) -> Result<(), String> {
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        if self.agents == 0 {
            return Err("a run needs at least one agent".to_owned());
        }
        if !is_share(self.completion_rate) || !is_share(self.success_rate) {
            return Err("a share of agents is not between 0 and 1".to_owned());
        }
        parse_limits(&self.limit).map(drop)
    }
}

impl Results {
    /// Reads `records*.jsonl` of a folder.
    ///
    /// A last line without its end is what a crash leaves behind: it is left out, and a remark says so.
    ///
    /// # Errors
    /// When there are no such files or no runs in them, when a file cannot be read, or a line is not a
    /// record.
    pub fn read(folder: &Path, filter: &Filter) -> Result<Self, LabError> {
        let files = files_of(folder)?;
        let mut reader = Reader::new(filter);
        for file in &files {
            reader.read_file(file)?;
        }
        reader.finish(folder)
    }

    /// How many runs there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let wrong = |reason: &str| LabError::input(format!("{}: {reason}", folder.display()));
    if !folder.is_dir() {
        return Err(wrong("there is no such folder"));
    }
    let files = record_files(folder)?;
    if files.is_empty() {
        let hint = "`jostle sweep` writes them, and so does `jostle run --json > records.jsonl`";
        return Err(wrong(&format!("there are no records*.jsonl in this folder; {hint}")));
    }
    Ok(files)
}

/// Collects rows, each run once.
struct Reader<'a> {
    filter: &'a Filter,
    seen: HashSet<String>,
    names: HashSet<Arc<str>>,
    twice: usize,
    stopped: usize,
    results: Results,
}

impl<'a> Reader<'a> {
    fn new(filter: &'a Filter) -> Self {
        Self {
            filter,
            seen: HashSet::new(),
            names: HashSet::new(),
            twice: 0,
            stopped: 0,
            results: Results::default(),
        }
    }

    fn read_file(&mut self, path: &Path) -> Result<(), LabError> {
        let wrong =
            |error: &dyn std::fmt::Display| LabError::input(format!("{}: {error}", path.display()));
        let mut file = BufReader::new(File::open(path).map_err(|error| wrong(&error))?);
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            if file.read_until(b'\n', &mut bytes).map_err(|error| wrong(&error))? == 0 {
                break;
            }
            let is_whole = bytes.ends_with(b"\n");
            if bytes.trim_ascii().is_empty() {
                continue;
            }
            match self.read_line(&bytes) {
                Ok(()) => {}
                Err(_) if !is_whole => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    let remark = "is torn, as a crash leaves it, and was left out";
                    self.results.remarks.push(format!("{name}: the last line {remark}"));
                }
                Err(reason) => return Err(wrong(&format!("line {number}: {reason}"))),
            }
        }
        Ok(())
    }

    fn read_line(&mut self, bytes: &[u8]) -> Result<(), String> {
        let line: Line<'_> = serde_json::from_slice(bytes).map_err(|error| describe(&error))?;
        line.check()?;
        if !self.seen.insert(line.name()) {
            self.twice += 1;
            return Ok(());
        }
        if line.ending == "stopped" {
            self.stopped += 1;
            return Ok(());
        }
        if !self.results.versions.iter().any(|version| *version == line.version) {
            self.results.versions.push(line.version.to_string());
        }
        let row = Row {
            planner: self.shared(&line.planner),
            map: self.shared(&line.map),
            kind: self.shared(line.kind.as_deref().unwrap_or(Row::FROM_SCENARIO)),
            agents: line.agents,
            seed: line.seed,
            neighbours: line.neighbours,
            limit: self.shared(&line.limit),
            completion: line.completion_rate,
            completion_ticks: line.completion_ticks,
            completion_seconds: line.completion_seconds,
            distance: line.travel_distance,
            success: line.success_rate,
            path_length: line.path_length,
            path_over_shortest: line.path_over_shortest,
            cycles: line.cycles,
            first_tick: line.first_tick_us / 1000.0,
            slowest_later_tick: line.later_tick_max_us / 1000.0,
            tick_p99: line.tick_p99_us / 1000.0,
        };
        if self.filter.lets_pass(&row) {
            self.results.rows.push(row);
        }
        Ok(())
    }

    /// One copy of each name.
    fn shared(&mut self, name: &str) -> Arc<str> {
        if let Some(name) = self.names.get(name) {
            return Arc::clone(name);
        }
        let shared: Arc<str> = Arc::from(name);
        self.names.insert(Arc::clone(&shared));
        shared
    }

    fn finish(mut self, folder: &Path) -> Result<Results, LabError> {
        if self.results.rows.is_empty() {
            let reason = match self.seen.len() {
                0 => "the records are empty".to_owned(),
                stopped if stopped == self.stopped => "all runs were stopped by hand".to_owned(),
                runs => format!("none of the {runs} runs is of what was asked for"),
            };
            return Err(LabError::input(format!("{}: {reason}", folder.display())));
        }
        if self.twice > 0 {
            self.results.remarks.push(format!("{} records were there twice", self.twice));
        }
        if self.stopped > 0 {
            let remark = "were stopped by hand and do not count";
            self.results.remarks.push(format!("{} runs {remark}", self.stopped));
        }
        Ok(self.results)
    }
}

/// What is wrong with a line, with the place in it but not the line, which the reader counts.
fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let reason = text.strip_suffix(&place).unwrap_or(&text);
    format!("not a record: {reason} (column {})", error.column())
}
