//! Every parameter of every planner has a smallest and a largest value. All values between them give a run that
//! ends soon and takes little memory; all others are refused with one sentence.

mod counting;

use std::time::{Duration, Instant};

use counting::live_bytes;
use jostle::instance::Kind;
use jostle::planners::{Bmaa, Planner, Recipe, Registry, Spec, Value};
use jostle::simulate::tick;
use jostle::{Instance, Level, Moves, solvers};

const TICKS: usize = 30;
const MOST_BYTES: i64 = 32 << 20;
/// The search of a solver may hold 64 MiB more, before it notices.
const MOST_BYTES_OF_SOLVERS: i64 = 112 << 20;
/// Far more than any of these runs takes, even unoptimised on a busy machine.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Runs a planner in a small crowd.
fn run(name: &str, build: impl FnOnce() -> Box<dyn Planner>) {
    let grid = Level::Rooms.generate(20, 20, 1).unwrap();
    let mut world = Instance::draw(grid, Kind::Random, 12, 1).unwrap().world();
    let is_solver =
        solvers::Registry::builtin().entries().iter().any(|entry| name.starts_with(entry.name()));
    let most = if is_solver { MOST_BYTES_OF_SOLVERS } else { MOST_BYTES };
    let (begin, before) = (Instant::now(), live_bytes());
    let (mut planner, mut moves) = (build(), Moves::default());
    for _ in 0..TICKS {
        tick(&mut world, planner.as_mut(), &mut moves).unwrap();
        let taken = live_bytes() - before;
        assert!(taken < most, "{name} takes {taken} bytes");
    }
    assert!(begin.elapsed() < MOST_TIME, "{name} takes {:?}", begin.elapsed());
}

/// The smallest and the largest value of a number.
fn ends(value: &Value<'_>) -> Option<(String, String)> {
    match value {
        Value::Count { range, .. } => Some((range.start().to_string(), range.end().to_string())),
        Value::Real { range, .. } => Some((range.start().to_string(), range.end().to_string())),
        Value::Limit(_) => Some(("1".to_owned(), u32::MAX.to_string())),
        _ => None,
    }
}

#[test]
fn a_parameter_has_a_range_and_every_value_in_it_makes_a_short_run() {
    for entry in Registry::builtin().entries() {
        for field in entry.recipe().fields() {
            let Some((least, most)) = ends(&field.value) else { continue };
            let beyond = (most.parse::<u64>().unwrap() + 1).to_string();
            let values =
                ["0", "1", &least, &most, &beyond, &u32::MAX.to_string(), &u64::MAX.to_string()];
            for value in values {
                let text = format!("{}:{}={value}", entry.name(), field.name);
                let number: f64 = value.parse().unwrap();
                let is_allowed = (least.parse().unwrap()..=most.parse().unwrap()).contains(&number);
                match Spec::parse(&text) {
                    Ok(spec) => {
                        assert!(is_allowed, "{text} is accepted");
                        run(&text, || spec.build());
                    }
                    Err(error) => {
                        let error = error.to_string();
                        assert!(!is_allowed, "{error}");
                        let range = format!("number from {least} to {most}");
                        assert!(error.contains(&range) && !error.contains('\n'), "{error}");
                    }
                }
            }
        }
    }
}

/// Numbers that only a program can set: those that users type are checked.
fn set_to(value: Value<'_>, number: u32) {
    match value {
        Value::Count { value, .. } => *value = number,
        Value::Limit(value) => *value = Some(number),
        Value::Real { value, .. } if number == 0 => *value = f64::NAN,
        Value::Real { value, .. } => *value = f64::INFINITY,
        _ => {}
    }
}

#[test]
fn a_field_that_a_program_sets_out_of_range_is_taken_as_the_nearest_value() {
    for entry in Registry::builtin().entries() {
        for number in [0, u32::MAX] {
            let mut recipe = entry.recipe();
            recipe.fields().into_iter().for_each(|field| set_to(field.value, number));
            run(entry.name(), || recipe.build());
            for at in 0..entry.recipe().fields().len() {
                let mut recipe = entry.recipe();
                set_to(recipe.fields().swap_remove(at).value, number);
                run(entry.name(), || recipe.build());
            }
        }
    }
}

#[test]
fn bmaa_without_threads_searches_on_one() {
    for threads in [0, 1, u32::MAX] {
        run("bmaa", || Bmaa { threads, ..Bmaa::default() }.build());
    }
}

#[test]
fn the_parameters_that_exhausted_memory_are_refused_by_name() {
    for (text, expected) in [
        (
            "bmaa:threads=4294967295",
            "threads of bmaa cannot be '4294967295': it is a whole number from 1 to 256",
        ),
        (
            "whca:window=4294967295",
            "window of whca cannot be '4294967295': it is a whole number from 1 to 1000",
        ),
    ] {
        assert_eq!(Spec::parse(text).unwrap_err().to_string(), expected);
    }
}
