//! How a grid is serialised: its rules, and a string of letters for each row of cells.

use serde::{Deserialize, Serialize};

use super::{Grid, Rules};

#[derive(Serialize, Deserialize)]
pub(super) struct GridForm {
    rules: Rules,
    /// `.` is floor and `#` is not.
    rows: Vec<String>,
}

impl From<Grid> for GridForm {
    fn from(grid: Grid) -> Self {
        let rows = grid.to_ascii().lines().map(str::to_owned).collect();
        Self { rules: grid.rules(), rows }
    }
}

impl TryFrom<GridForm> for Grid {
    type Error = super::AsciiError;

    fn try_from(form: GridForm) -> Result<Self, Self::Error> {
        Ok(Self::from_ascii(&form.rows.join("\n"))?.with_rules(form.rules))
    }
}
