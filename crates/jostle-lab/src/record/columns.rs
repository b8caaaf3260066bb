//! Records as a table: a column for each field, in the order of the fields.

use super::AsText;

/// One column of the table.
pub struct Column {
    /// Its name: as in the records, with an underscore for the parts of a part, as in `machine_os`.
    pub name: String,
    /// Its values, row by row.
    pub values: Values,
}

/// The values of a column; none where a record has null.
#[derive(PartialEq, Debug)]
pub enum Values {
    /// Texts.
    Text(Vec<Option<String>>),
    /// Whole numbers.
    Whole(Vec<Option<u64>>),
    /// Numbers.
    Real(Vec<Option<f64>>),
}

impl Column {
    /// The value in a row, as text; empty for null.
    pub fn text(&self, row: usize) -> String {
        let text = match &self.values {
            Values::Text(values) => values[row].clone(),
            Values::Whole(values) => values[row].map(|value| value.to_string()),
            Values::Real(values) => values[row].map(|value| value.to_string()),
        };
        text.unwrap_or_default()
    }
}

/// A type that a field of a record can have.
pub trait Field: Sized {
    /// The columns of a field with this name, from its values row by row.
    fn columns(name: &str, values: &[Option<&Self>]) -> Vec<Column>;
}

/// Defines a struct and the columns of its fields, so that fields are listed once.
macro_rules! with_columns {
    (
        $(#[$about:meta])*
        pub struct $name:ident { $($(#[$attribute:meta])* pub $field:ident: $type:ty,)* }
    ) => {
        $(#[$about])*
        pub struct $name { $($(#[$attribute])* pub $field: $type,)* }

        impl $crate::record::columns::Field for $name {
            fn columns(
                prefix: &str,
                values: &[Option<&Self>],
            ) -> Vec<$crate::record::columns::Column> {
                let mut columns = Vec::new();
                $({
                    let of_field: Vec<Option<&$type>> =
                        values.iter().map(|value| value.map(|value| &value.$field)).collect();
                    let name = match prefix {
                        "" => stringify!($field).to_owned(),
                        prefix => format!("{prefix}_{}", stringify!($field)),
                    };
                    columns.extend($crate::record::columns::Field::columns(&name, &of_field));
                })*
                columns
            }
        }

        // A part that most records do not have is in a box.
        impl $crate::record::columns::Field for Box<$name> {
            fn columns(
                prefix: &str,
                values: &[Option<&Self>],
            ) -> Vec<$crate::record::columns::Column> {
                let values: Vec<Option<&$name>> =
                    values.iter().map(|value| value.map(AsRef::as_ref)).collect();
                <$name as $crate::record::columns::Field>::columns(prefix, &values)
            }
        }
    };
}
pub(crate) use with_columns;

/// A column of values converted from those of a field.
fn one<T, V>(
    name: &str,
    values: &[Option<&T>],
    kind: fn(Vec<Option<V>>) -> Values,
    value: impl Fn(&T) -> V,
) -> Vec<Column> {
    let values = values.iter().map(|field| field.map(&value)).collect();
    vec![Column { name: name.to_owned(), values: kind(values) }]
}

impl Field for String {
    fn columns(name: &str, values: &[Option<&Self>]) -> Vec<Column> {
        one(name, values, Values::Text, Self::clone)
    }
}

impl<T: AsText> Field for T {
    fn columns(name: &str, values: &[Option<&Self>]) -> Vec<Column> {
        one(name, values, Values::Text, AsText::text)
    }
}

impl Field for f64 {
    fn columns(name: &str, values: &[Option<&Self>]) -> Vec<Column> {
        one(name, values, Values::Real, |number| *number)
    }
}

impl Field for bool {
    fn columns(name: &str, values: &[Option<&Self>]) -> Vec<Column> {
        one(name, values, Values::Text, Self::to_string)
    }
}

macro_rules! whole_numbers {
    ($($type:ty),*) => {$(
        impl Field for $type {
            fn columns(name: &str, values: &[Option<&Self>]) -> Vec<Column> {
                one(name, values, Values::Whole, |number| *number as u64)
            }
        }
    )*};
}
whole_numbers!(u8, u32, u64, usize);

impl<T: Field> Field for Option<T> {
    fn columns(name: &str, values: &[Option<&Self>]) -> Vec<Column> {
        let there: Vec<Option<&T>> =
            values.iter().map(|value| value.and_then(Option::as_ref)).collect();
        T::columns(name, &there)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::testing::{meeting_sample, sample, solved_sample};
    use super::super::{Record, columns};
    use super::*;

    /// The values of a record, with nested fields by their full names.
    fn fields(prefix: &str, value: &Value, said: &mut Vec<(String, Value)>) {
        for (name, value) in value.as_object().unwrap() {
            let name = format!("{prefix}{name}");
            match value {
                Value::Object(_) => fields(&format!("{name}_"), value, said),
                value => said.push((name, value.clone())),
            }
        }
    }

    #[test]
    fn every_field_of_a_record_has_a_column_with_the_same_value() {
        for record in [sample(7), solved_sample(4), meeting_sample(2)] {
            let mut said = Vec::new();
            fields("", &serde_json::to_value(&record).unwrap(), &mut said);
            let columns = columns(&[record]);
            for (name, value) in &said {
                let column = columns.iter().find(|column| column.name == *name).unwrap();
                let expected = match value {
                    Value::Null => String::new(),
                    Value::String(text) => text.clone(),
                    Value::Number(number) if number.is_f64() => {
                        number.as_f64().unwrap().to_string()
                    }
                    number => number.to_string(),
                };
                assert_eq!(column.text(0), expected, "{name}");
            }
            // What the record does not have at all.
            let is_said = |column: &&Column| said.iter().any(|(name, _)| *name == column.name);
            for column in columns.iter().filter(|column| !is_said(column)) {
                assert_eq!(column.text(0), "", "{}", column.name);
            }
        }
    }

    #[test]
    fn the_columns_of_solvers_have_types() {
        let columns = columns(&[sample(7), solved_sample(4)]);
        let values =
            |name: &str| &columns.iter().find(|column| column.name == name).unwrap().values;
        let texts = |texts: [Option<&str>; 2]| {
            Values::Text(texts.map(|text| text.map(str::to_owned)).to_vec())
        };
        assert_eq!(*values("planner"), texts([Some("bmaa"), None]));
        assert_eq!(*values("solver_name"), texts([None, Some("cbs")]));
        assert_eq!(*values("solver_proof"), texts([None, Some("optimal")]));
        for name in ["solver_cost", "solver_bound", "solver_nodes", "solver_bytes"] {
            assert!(matches!(values(name), Values::Whole(values) if values[0].is_none()), "{name}");
        }
        for name in ["solver_first_plan_seconds", "solver_best_plan_seconds"] {
            assert!(matches!(values(name), Values::Real(values) if values[1].is_some()), "{name}");
        }
    }

    #[test]
    fn a_column_has_the_same_type_whatever_its_values() {
        let record = Record { seed: None, path_length: None, kind: None, ..sample(7) };
        let columns = columns(&[record]);
        let values =
            |name: &str| &columns.iter().find(|column| column.name == name).unwrap().values;
        assert_eq!(*values("seed"), Values::Whole(vec![None]));
        assert_eq!(*values("path_length"), Values::Real(vec![None]));
        assert_eq!(*values("kind"), Values::Text(vec![None]));
    }
}
