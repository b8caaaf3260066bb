//! Parquet files.

use std::fmt::Write;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

use crate::record::columns::{Column, Values};

/// One group of rows with these columns, all of which may hold nulls.
pub fn write(columns: &[Column]) -> Result<Vec<u8>> {
    let schema = Arc::new(parse_message_type(&schema(columns))?);
    let settings = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(settings))?;
    let mut rows = file.next_row_group()?;
    for column in columns {
        let Some(writer) = rows.next_column()? else { break };
        match &column.values {
            Values::Text(values) => write_column::<ByteArrayType, _>(writer, values, |text| {
                ByteArray::from(text.as_str())
            }),
            // The bits of an unsigned number; the schema marks the column as unsigned.
            Values::Whole(values) => {
                write_column::<Int64Type, _>(writer, values, |&number| number as i64)
            }
            Values::Real(values) => write_column::<DoubleType, _>(writer, values, |&number| number),
        }?;
    }
    rows.close()?;
    file.into_inner()
}

fn schema(columns: &[Column]) -> String {
    let mut text = "message records {\n".to_owned();
    for column in columns {
        let (kind, meaning) = match column.values {
            Values::Text(_) => ("BYTE_ARRAY", " (STRING)"),
            Values::Whole(_) => ("INT64", " (INTEGER(64,false))"),
            Values::Real(_) => ("DOUBLE", ""),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  OPTIONAL {kind} {}{meaning};", column.name);
    }
    text + "}\n"
}

fn write_column<T: DataType, V>(
    mut writer: SerializedColumnWriter<'_>,
    values: &[Option<V>],
    stored: impl Fn(&V) -> T::T,
) -> Result<()> {
    let is_there: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let there: Vec<T::T> = values.iter().flatten().map(stored).collect();
    writer.typed::<T>().write_batch(&there, Some(&is_there), None)?;
    writer.close()
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::*;
    use crate::record::columns;
    use crate::record::testing::sample;

    #[test]
    fn a_parquet_file_is_read_as_it_was_written() {
        let mut records = [sample(5), sample(9), sample(12)];
        records[1].seed = None;
        records[2].seed = Some(u64::MAX);
        records[2].machine = None;
        let table = columns(&records);
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, &write(&table).unwrap()).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), records.len());
        for (row, fields) in rows.iter().enumerate() {
            let fields: Vec<_> = fields.get_column_iter().collect();
            assert_eq!(fields.len(), table.len());
            for ((name, field), column) in fields.into_iter().zip(&table) {
                assert_eq!(*name, column.name);
                match (&column.values, field) {
                    (Values::Text(values), Field::Str(text)) => {
                        assert_eq!(values[row].as_ref(), Some(text));
                    }
                    (Values::Whole(values), Field::ULong(number)) => {
                        assert_eq!(values[row], Some(*number));
                    }
                    (Values::Real(values), Field::Double(number)) => {
                        assert_eq!(values[row].map(f64::to_bits), Some(number.to_bits()));
                    }
                    (_, Field::Null) => assert_eq!(column.text(row), ""),
                    (_, other) => panic!("{name} is {other:?}"),
                }
            }
        }
    }
}
