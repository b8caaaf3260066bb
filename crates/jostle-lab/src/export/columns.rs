//! Records as a table: the same columns for every form that has columns.

use crate::sweep::Entry;

/// One column of the table.
pub struct Column {
    /// What it is called: as in the records, with an underscore for parts of the machine.
    pub name: &'static str,
    /// What stands in it, row by row.
    pub values: Values,
}

/// What stands in a column; nothing where a record says null.
pub enum Values {
    /// Texts.
    Text(Vec<Option<String>>),
    /// Whole numbers.
    Whole(Vec<Option<u64>>),
    /// Numbers.
    Real(Vec<Option<f64>>),
}

/// All columns of some records.
pub fn of(entries: &[Entry]) -> Vec<Column> {
    let table = Table(entries);
    vec![
        table.text("key", |entry| Some(&entry.key)),
        table.text("spec", |entry| Some(&entry.spec)),
        table.text("experiment", |entry| Some(&entry.experiment)),
        table.text("machine_os", |entry| Some(&entry.machine.os)),
        table.text("machine_arch", |entry| Some(&entry.machine.arch)),
        table.text("machine_cpu", |entry| entry.machine.cpu.as_ref()),
        table.whole("machine_cores", |entry| Some(entry.machine.cores as u64)),
        table.whole("machine_threads", |entry| Some(entry.machine.threads as u64)),
        table.text("planner", |entry| Some(&entry.record.planner)),
        table.text("map", |entry| Some(&entry.record.map)),
        table.whole("agents", |entry| Some(entry.record.agents as u64)),
        table.whole("seed", |entry| entry.record.seed),
        table.text("kind", |entry| entry.record.kind.as_ref()),
        table.whole("neighbours", |entry| Some(entry.record.neighbours.into())),
        table.text("limit", |entry| Some(&entry.record.limit)),
        table.whole("ticks", |entry| Some(entry.record.ticks)),
        table.real("seconds", |entry| Some(entry.record.seconds)),
        table.text("ending", |entry| Some(&entry.record.ending)),
        table.real("completion_rate", |entry| Some(entry.record.completion_rate)),
        table.real("completion_ticks", |entry| entry.record.completion_ticks),
        table.real("completion_seconds", |entry| entry.record.completion_seconds),
        table.real("travel_distance", |entry| Some(entry.record.travel_distance)),
        table.whole("makespan", |entry| Some(entry.record.makespan)),
        table.whole("sum_of_costs", |entry| Some(entry.record.sum_of_costs)),
        table.whole("expansions", |entry| Some(entry.record.expansions)),
        table.whole("searches", |entry| Some(entry.record.searches)),
        table.real("tick_p99_us", |entry| Some(entry.record.tick_p99_us)),
        table.real("tick_max_us", |entry| Some(entry.record.tick_max_us)),
        table.real("first_tick_us", |entry| Some(entry.record.first_tick_us)),
        table.real("later_tick_max_us", |entry| Some(entry.record.later_tick_max_us)),
        table.real("success_rate", |entry| Some(entry.record.success_rate)),
        table.real("path_length", |entry| entry.record.path_length),
        table.real("path_over_shortest", |entry| entry.record.path_over_shortest),
        table.real("cycles", |entry| Some(entry.record.cycles)),
        table.whole("planner_bytes", |entry| Some(entry.record.planner_bytes as u64)),
        table.text("fingerprint", |entry| Some(&entry.record.fingerprint)),
        table.text("version", |entry| Some(&entry.record.version)),
    ]
}

struct Table<'a>(&'a [Entry]);

impl Table<'_> {
    fn text(&self, name: &'static str, value: fn(&Entry) -> Option<&String>) -> Column {
        let values = self.0.iter().map(|entry| value(entry).cloned()).collect();
        Column { name, values: Values::Text(values) }
    }

    fn whole(&self, name: &'static str, value: fn(&Entry) -> Option<u64>) -> Column {
        Column { name, values: Values::Whole(self.0.iter().map(value).collect()) }
    }

    fn real(&self, name: &'static str, value: fn(&Entry) -> Option<f64>) -> Column {
        Column { name, values: Values::Real(self.0.iter().map(value).collect()) }
    }
}

impl Column {
    /// What stands in a row, as text; nothing for null.
    pub fn text(&self, row: usize) -> String {
        match &self.values {
            Values::Text(values) => values[row].clone().unwrap_or_default(),
            Values::Whole(values) => {
                values[row].map_or_else(String::new, |value| value.to_string())
            }
            Values::Real(values) => values[row].map_or_else(String::new, |value| value.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::Value;

    use super::*;
    use crate::sweep::sample;

    /// Adding a field to a record and forgetting its column fails here.
    #[test]
    fn there_is_a_column_for_everything_in_a_record() {
        let entry = sample(7);
        let mut said = BTreeMap::new();
        for (name, value) in serde_json::to_value(&entry).unwrap().as_object().unwrap() {
            match value {
                Value::Object(parts) => {
                    said.extend(
                        parts.iter().map(|(part, value)| (format!("{name}_{part}"), value.clone())),
                    );
                }
                value => {
                    said.insert(name.clone(), value.clone());
                }
            }
        }
        let columns = of(&[entry]);
        assert_eq!(columns.len(), said.len());
        for column in columns {
            let expected = match &said[column.name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                Value::Number(number) if number.is_f64() => number.as_f64().unwrap().to_string(),
                number => number.to_string(),
            };
            assert_eq!(column.text(0), expected, "{}", column.name);
        }
    }
}
