//! Walks as the rows of a Parquet file.
//!
//! Every row has the facts of its problem and of its setting as well, so that a file needs nothing beside it. They repeat, and take
//! next to no space: see `docs/sweeps.md`.

use std::io::Write;
use std::sync::Arc;

use jostle::Cost;
use jostle::planners::Recipe;
use jostle::search::{Lrta, Walk};
use parquet::basic::{Compression, Encoding};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use super::facts::Facts;

/// Under which key the metadata of a file has its [`Facts`].
pub const FACTS: &str = "jostle.walks";

/// The columns, in the order in which they are written. Every one has a value in every row.
const SCHEMA: &str = "message walks {
  REQUIRED INT32 problem (INTEGER(32,false));
  REQUIRED INT32 start_x (INTEGER(32,false));
  REQUIRED INT32 start_y (INTEGER(32,false));
  REQUIRED INT32 goal_x (INTEGER(32,false));
  REQUIRED INT32 goal_y (INTEGER(32,false));
  REQUIRED DOUBLE shortest;
  REQUIRED INT32 setting (INTEGER(32,false));
  REQUIRED DOUBLE w;
  REQUIRED DOUBLE wc;
  REQUIRED DOUBLE b;
  REQUIRED BYTE_ARRAY lop (STRING);
  REQUIRED BOOLEAN da;
  REQUIRED BOOLEAN expendable;
  REQUIRED BOOLEAN arrived;
  REQUIRED INT64 moves (INTEGER(64,false));
  REQUIRED DOUBLE cost;
  REQUIRED FLOAT suboptimality;
  REQUIRED INT32 removed (INTEGER(32,false));
}";

/// The names of the columns.
pub const COLUMNS: [&str; 18] = [
    "problem",
    "start_x",
    "start_y",
    "goal_x",
    "goal_y",
    "shortest",
    "setting",
    "w",
    "wc",
    "b",
    "lop",
    "da",
    "expendable",
    "arrived",
    "moves",
    "cost",
    "suboptimality",
    "removed",
];

/// A problem, and how all settings have solved it.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved {
    /// Column and row of the start.
    pub start: (u32, u32),
    /// Column and row of the goal.
    pub goal: (u32, u32),
    /// The length of the shortest path.
    pub shortest: Cost,
    /// The walks, one for each setting.
    pub walks: Vec<Walk>,
}

/// Writes a batch.
pub fn write<W: Write + Send>(
    out: W,
    facts: &Facts,
    settings: &[Lrta],
    problems: &[Solved],
) -> Result<W> {
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties(facts)))?;
    let rows = file.next_row_group()?;
    Columns { rows, settings, problems, facts }.write()?;
    file.into_inner()
}

/// How a file is written, and what it says about itself.
pub fn properties(facts: &Facts) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::None)
        // Facts are numbers, texts and options: they are always written.
        .set_key_value_metadata(Some(vec![KeyValue::new(
            FACTS.to_owned(),
            serde_json::to_string(facts).unwrap_or_default(),
        )]));
    // Numbers that seldom repeat, in the form that makes them short.
    for (name, encoding) in [
        ("setting", Encoding::DELTA_BINARY_PACKED),
        ("moves", Encoding::DELTA_BINARY_PACKED),
        ("removed", Encoding::DELTA_BINARY_PACKED),
        ("cost", Encoding::BYTE_STREAM_SPLIT),
        ("suboptimality", Encoding::BYTE_STREAM_SPLIT),
    ] {
        let column = ColumnPath::from(name);
        properties = properties
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_encoding(column, encoding);
    }
    properties.build()
}

/// A batch that is being written, column after column.
struct Columns<'a, W: Write + Send> {
    rows: SerializedRowGroupWriter<'a, W>,
    settings: &'a [Lrta],
    problems: &'a [Solved],
    facts: &'a Facts,
}

impl<W: Write + Send> Columns<'_, W> {
    fn write(mut self) -> Result<()> {
        let (first, longest) = (self.facts.first, self.facts.longest);
        self.of_problems::<Int32Type>(|number, _| (first + number) as i32)?;
        // The bits of unsigned numbers; the schema marks the columns as unsigned.
        self.of_problems::<Int32Type>(|_, problem| problem.start.0 as i32)?;
        self.of_problems::<Int32Type>(|_, problem| problem.start.1 as i32)?;
        self.of_problems::<Int32Type>(|_, problem| problem.goal.0 as i32)?;
        self.of_problems::<Int32Type>(|_, problem| problem.goal.1 as i32)?;
        self.of_problems::<DoubleType>(|_, problem| problem.shortest.as_f64())?;
        self.of_settings::<Int32Type>(|number, _| number as i32)?;
        self.of_settings::<DoubleType>(|_, setting| setting.w)?;
        self.of_settings::<DoubleType>(|_, setting| setting.wc)?;
        self.of_settings::<DoubleType>(|_, setting| setting.b)?;
        self.of_settings::<ByteArrayType>(|_, setting| ByteArray::from(lop(setting).as_str()))?;
        self.of_settings::<BoolType>(|_, setting| setting.da)?;
        self.of_settings::<BoolType>(|_, setting| setting.expendable)?;
        self.of_walks::<BoolType>(|_, walk| walk.has_arrived)?;
        self.of_walks::<Int64Type>(|_, walk| walk.moves as i64)?;
        self.of_walks::<DoubleType>(|_, walk| walk.cost.as_f64())?;
        self.of_walks::<FloatType>(|problem, walk| {
            walk.suboptimality(problem.shortest, longest) as f32
        })?;
        self.of_walks::<Int32Type>(|_, walk| walk.removed as i32)?;
        self.rows.close().map(|_| ())
    }

    /// A column of which all settings on a problem have the same value.
    fn of_problems<T: DataType>(&mut self, value: impl Fn(usize, &Solved) -> T::T) -> Result<()> {
        let settings = self.settings.len();
        self.column::<T>(|number, problem, values| {
            values.resize(settings, value(number, problem));
        })
    }

    /// A column that is the same for all problems.
    fn of_settings<T: DataType>(&mut self, value: impl Fn(usize, &Lrta) -> T::T) -> Result<()> {
        let numbered = self.settings.iter().enumerate();
        let once: Vec<T::T> = numbered.map(|(number, setting)| value(number, setting)).collect();
        self.column::<T>(|_, _, values| values.extend_from_slice(&once))
    }

    fn of_walks<T: DataType>(&mut self, value: impl Fn(&Solved, &Walk) -> T::T) -> Result<()> {
        self.column::<T>(|_, problem, values| {
            values.extend(problem.walks.iter().map(|walk| value(problem, walk)));
        })
    }

    /// The next column: for each problem, `fill` makes the values of all settings.
    fn column<T: DataType>(
        &mut self,
        mut fill: impl FnMut(usize, &Solved, &mut Vec<T::T>),
    ) -> Result<()> {
        // The schema has as many columns as are written.
        let Some(mut writer) = self.rows.next_column()? else { return Ok(()) };
        let mut values = Vec::with_capacity(self.settings.len());
        for (number, problem) in self.problems.iter().enumerate() {
            values.clear();
            fill(number, problem, &mut values);
            writer.typed::<T>().write_batch(&values, None, None)?;
        }
        writer.close()
    }
}

/// The name of the way of learning, as in the names of planners.
fn lop(setting: &Lrta) -> String {
    let mut setting = *setting;
    let fields = setting.fields();
    fields.iter().find(|field| field.name == "lop").map_or_else(String::new, |lop| lop.value.show())
}
