//! A report as text, and as a folder of files.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use jostle::formats::shown_path;

use super::{Chapter, Report};
use crate::table::Format;
use crate::{LabError, save};

/// Explains the marks in the tables.
fn legend(format: Format) -> String {
    let interval = "± is half of the 95 % confidence interval over runs that differ by their seed \
                    alone, or + and − are its two parts";
    format!("{interval}; in brackets: the paper's number; {}.", format.best())
}

impl Report {
    /// All tables, one below the other.
    pub fn show(&self, format: Format) -> String {
        let (mark, comment) = match format {
            Format::Terminal | Format::Text => ("", ""),
            Format::Markdown => ("## ", ""),
            Format::Latex => ("% ", "% "),
        };
        let mut text = format!("{comment}{}\n", format.escaped(&self.summary));
        for remark in &self.remarks {
            let _ = writeln!(text, "{comment}{}", format.escaped(remark));
        }
        let _ = writeln!(text, "{comment}{}", legend(format));
        for chapter in self.chapters.iter().filter(|chapter| !chapter.tables.is_empty()) {
            let _ = writeln!(text, "\n{mark}{}\n", format.escaped(&chapter.title));
            for table in &chapter.tables {
                let _ = writeln!(text, "{}", table.write(format));
            }
        }
        text
    }

    /// Writes `report.md`, each table in every format and each figure as SVG and PNG into a folder. Returns
    /// the files.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, LabError> {
        let mut files = Files::new(folder)?;
        for chapter in &self.chapters {
            for table in &chapter.tables {
                for (format, extension) in Format::FILES {
                    let name = format!("tables/{}.{extension}", table.name);
                    files.save(&name, table.write(format).as_bytes())?;
                }
            }
            for figure in &chapter.figures {
                let name = format!("figures/{}", figure.name);
                files.save(&format!("{name}.svg"), figure.svg()?.as_bytes())?;
                files.save(&format!("{name}.png"), &figure.png()?)?;
            }
        }
        files.save("report.md", self.page().as_bytes())?;
        Ok(files.written)
    }

    /// The page with all tables and figures.
    fn page(&self) -> String {
        let escaped = |text: &str| Format::Markdown.escaped(text);
        let (summary, legend) = (escaped(&self.summary), legend(Format::Markdown));
        let mut text = format!("# Report\n\n{summary}\n\n{legend}\n");
        for remark in &self.remarks {
            let _ = writeln!(text, "\n- {}", escaped(remark));
        }
        for chapter in &self.chapters {
            let _ = writeln!(text, "\n## {}\n", escaped(&chapter.title));
            for table in &chapter.tables {
                let _ = writeln!(text, "{}", table.write(Format::Markdown));
            }
            for figure in &chapter.figures {
                let title = escaped(&figure.title);
                let _ = writeln!(text, "![{title}](figures/{}.svg)\n", figure.name);
            }
            text.push_str(&left_out(chapter));
        }
        text
    }
}

fn left_out(chapter: &Chapter) -> String {
    if chapter.skipped.is_empty() {
        return String::new();
    }
    let reasons = chapter.skipped.iter().map(|reason| Format::Markdown.escaped(reason));
    format!("### Left out\n\n- {}\n", reasons.collect::<Vec<_>>().join("\n- "))
}

/// Files in a folder.
struct Files<'a> {
    folder: &'a Path,
    written: Vec<PathBuf>,
}

impl<'a> Files<'a> {
    fn new(folder: &'a Path) -> Result<Self, LabError> {
        for part in ["tables", "figures"] {
            let path = folder.join(part);
            fs::create_dir_all(&path).map_err(|error| {
                LabError::input(format!("{}: cannot be created: {error}", shown_path(&path)))
            })?;
        }
        Ok(Self { folder, written: Vec::new() })
    }

    fn save(&mut self, name: &str, contents: &[u8]) -> Result<(), LabError> {
        let path = self.folder.join(name);
        save(&path, contents)?;
        self.written.push(path);
        Ok(())
    }
}
