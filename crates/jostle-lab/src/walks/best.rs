//! The best settings of a sweep of walks, as a table.

use super::Walks;
use super::spec::name_of;
use crate::grouped;
use crate::table::{Cell, Line, Table};

/// How many settings the table shows.
const SHOWN: usize = 10;

impl Walks {
    /// The mean suboptimality of a setting on all problems.
    pub fn mean(&self, setting: usize) -> f64 {
        let costs = self.costs(setting);
        costs.iter().map(|&cost| f64::from(cost)).sum::<f64>() / costs.len() as f64
    }

    /// A table of the settings with the least mean suboptimality.
    pub fn best(&self) -> Table {
        let means: Vec<f64> = (0..self.settings.len()).map(|setting| self.mean(setting)).collect();
        let mut order: Vec<usize> = (0..means.len()).collect();
        order.sort_by(|&a, &b| means[a].total_cmp(&means[b]).then(a.cmp(&b)));
        let line = |&setting: &usize| {
            let costs = self.costs(setting);
            let capped = costs.iter().filter(|&&cost| cost >= self.longest as f32).count();
            let share = 100.0 * capped as f64 / costs.len() as f64;
            let is_best = setting == order[0];
            let mean = Cell { is_best, ..Cell::from(format!("{:.2}", means[setting])) };
            let cells = vec![mean, format!("{share:.1}").into(), setting.to_string().into()];
            Line { label: name_of(&self.settings[setting]), cells, is_summary: false }
        };
        let [settings, problems, maps] =
            [self.settings.len(), self.problems.len(), self.maps.len()]
                .map(|count| grouped(count as u64));
        Table {
            name: "best-settings".to_owned(),
            title: format!(
                "The best of {settings} settings, on {problems} problems on {maps} maps"
            ),
            header: ["setting", "mean suboptimality", "given up %", "number"]
                .map(str::to_owned)
                .to_vec(),
            lines: order.iter().take(SHOWN).map(line).collect(),
            notes: vec![format!(
                "Suboptimality is the length of a walk, in lengths of the shortest path; a walk that is given up counts as {}",
                self.longest
            )],
        }
    }
}
