//! The searches of some agents, lent to one who goes on with them: so that several threads can ask for distances at a time.

use super::{Field, GoalDistances};
use crate::grid::Cell;
use crate::search::Budget;

/// The searches of some agents, in an order of their own. Its lists are kept from one loan to the next.
#[derive(Clone, Debug, Default)]
pub struct LentDistances {
    fields: Vec<Field>,
    scratch: Vec<u32>,
    /// Cells that were reached during the loan.
    reached: u64,
}

impl GoalDistances {
    /// Lends the searches of agents with different goals, which have not been lent already. Until they are
    /// [back](Self::take_back), nothing else may be asked about these agents.
    pub fn lend(&mut self, agents: &[u32], lent: &mut LentDistances) {
        let Self { fields, of_agent, counts_steps, .. } = self;
        lent.fields.extend(agents.iter().map(|&agent| {
            let field = &mut fields[of_agent[agent as usize] as usize];
            std::mem::replace(field, Field::new(*counts_steps))
        }));
    }

    /// Takes back what was [lent](Self::lend) for these agents.
    pub fn take_back(&mut self, agents: &[u32], lent: &mut LentDistances) {
        for (&agent, field) in agents.iter().zip(lent.fields.drain(..)) {
            self.fields[self.of_agent[agent as usize] as usize] = field;
        }
        self.reached += std::mem::take(&mut lent.reached);
    }

    /// What [`get`](Self::get) returns, for an agent whose search is lent: by its place among the agents of the loan.
    #[inline]
    pub fn get_lent(&self, lent: &mut LentDistances, place: usize, cell: Cell) -> u32 {
        let LentDistances { fields, scratch, reached } = lent;
        let field = &mut fields[place];
        let Some(number) = self.floor.number(cell) else { return field.steps_off_wall(cell) };
        let steps = field.known(number).or_else(|| {
            let budget = &mut Budget::unlimited();
            field.find(number, &self.floor, scratch, reached, budget).found()
        });
        steps.map_or(Self::NONE, |steps| steps as u32)
    }
}
