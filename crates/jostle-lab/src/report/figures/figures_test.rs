//! Tests of figures from few runs: their planners, and that the files are well-formed.

use jostle::instance::Kind;
use jostle::{Grid, Instance, Level};

use super::super::measure::Measure;
use super::super::papers::Relation;
use super::super::section::Section;
use super::over_size::{add_figure_2, series};
use super::paper::PaperValue;
use super::plot::Content;
use super::style::Colour;
use super::{Curve, Figure, MapPicture, Palette, across, all};
use crate::record::testing::{no_arrivals, solved, unsolved};
use crate::{ProblemKind, Record, parse_limits};

const PLANNERS: [&str; 4] = ["jostle", "bmaa", "far", "whca:window=8"];

/// Runs of four planners on two maps, with two numbers of agents and two kinds, three times each.
fn records(limit: &str, neighbours: u8) -> Vec<Record> {
    let mut records = Vec::new();
    for planner in PLANNERS {
        for map in ["lak304d", "a & b <c>"] {
            for agents in [50, 100] {
                for kind in [Kind::Random, Kind::SwapSides] {
                    for seed in 1..=3 {
                        records.push(Record {
                            kind: Some(ProblemKind::Crowd(kind)),
                            limit: parse_limits(limit).unwrap(),
                            neighbours,
                            agents,
                            seed: Some(seed),
                            completion_rate: 1.0 / seed as f64,
                            success_rate: 0.9,
                            path_length: Some(30.0),
                            path_over_shortest: Some(1.5),
                            travel_distance: 100.0 + seed as f64,
                            tick_p99_us: Some(seed as f64 * 1000.0),
                            first_tick_us: Some(seed as f64 * 1000.0),
                            ..no_arrivals(planner, map)
                        });
                    }
                }
            }
        }
    }
    records
}

/// All figures of these runs.
fn figures(records: &[Record]) -> Vec<Figure> {
    let sections = Section::all(records);
    let palette = Palette::of(PLANNERS);
    let each = sections.iter().flat_map(|section| all(section, &palette));
    each.chain(across(&sections, &palette)).flatten().collect()
}

/// Checks that tags are closed in the order in which they were opened, and gives the text between them.
fn text_of_well_formed(svg: &str) -> String {
    let (mut open, mut text) = (Vec::new(), String::new());
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        text.push_str(&rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap();
        assert!(tag.matches('"').count().is_multiple_of(2), "quotes of {tag}");
        if tag.starts_with('?') || tag.starts_with('!') || tag.ends_with('/') {
            continue;
        }
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "closed in order");
        } else {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "all tags are closed");
    for entity in text.split('&').skip(1) {
        assert!(entity.split_once(';').is_some_and(|(name, _)| name.len() <= 4), "&{entity}");
    }
    text
}

#[test]
fn runs_get_the_figures_that_they_support() {
    let names =
        |records: &[Record]| figures(records).into_iter().map(|f| f.name).collect::<Vec<_>>();
    let mut several = records("30s", 8);
    let expected = [
        "30s-completion-rate",
        "30s-completion-rate-maps",
        "30s-distance",
        "30s-distance-maps",
        "30s-tick",
        "30s-kinds",
    ];
    assert_eq!(names(&several), expected);
    several.extend(records("1s", 8));
    assert!(names(&several).contains(&"limits-seconds-8way".to_owned()));
    several.extend(records("1000expansions", 8));
    several.extend(records("2000expansions", 8));
    assert!(names(&several).contains(&"limits-expansions-8way".to_owned()));
    assert!(names(&records("100steps", 4)).contains(&"100steps-4way-silver".to_owned()));
    let random: Vec<Record> =
        records("30s", 8).into_iter().filter(|record| record.kind_name() == "random").collect();
    assert!(names(&random).contains(&"30s-completion-rate-paper".to_owned()));
    assert!(names(&[no_arrivals("bmaa", "a")]).is_empty());
}

#[test]
fn every_figure_is_well_formed_and_names_every_planner_and_map() {
    let mut records = records("30s", 8);
    records.extend(self::records("1s", 8));
    records.extend(self::records("100steps", 4));
    for figure in figures(&records) {
        let text = text_of_well_formed(&figure.svg().unwrap());
        for planner in PLANNERS {
            assert!(text.contains(planner), "{planner} in {}", figure.name);
        }
        if figure.name.ends_with("-maps") {
            assert!(text.contains("a &amp; b &lt;c&gt;"), "{}", figure.name);
        }
    }
}

/// Width, height and pixels (red, green, blue, opacity) of a PNG file.
fn pixels(file: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgba);
    (info.width, info.height, pixels)
}

#[test]
fn a_png_is_twice_as_large_as_its_svg_and_shows_its_lines_and_letters() {
    for figure in figures(&records("30s", 8)) {
        let svg = figure.svg().unwrap();
        let (width, height, pixels) = pixels(&figure.png().unwrap());
        let head = format!("width=\"{}\" height=\"{}\"", width / 2, height / 2);
        assert!(svg.contains(&head), "{}: {head}", figure.name);
        let colour = Palette::of(PLANNERS).look("jostle").colour;
        let count = |Colour(r, g, b): Colour| {
            pixels.chunks_exact(4).filter(|pixel| *pixel == [r, g, b, 255]).count()
        };
        assert!(count(colour) > 20, "{}", figure.name);
        assert!(count(Colour::INK) > 500, "{} has letters", figure.name);
    }
}

#[test]
fn the_same_records_make_the_same_files() {
    let files = || {
        let figures = figures(&records("30s", 8));
        let both = figures.iter().map(|figure| (figure.svg().unwrap(), figure.png().unwrap()));
        both.collect::<Vec<_>>()
    };
    assert!(files() == files());
}

/// The figure whose name ends so, of runs of random problems.
fn figure_of(limit: &str, ending: &str) -> Figure {
    let mut records = records(limit, 8);
    records.retain(|record| record.kind_name() == "random");
    figures(&records).into_iter().find(|figure| figure.name.ends_with(ending)).unwrap()
}

#[test]
fn table_1_is_a_dot_plot_with_the_papers_values_beside_ours() {
    let figure = figure_of("30s", "-completion-rate-paper");
    let Content::Dots { x, rows } = &figure.panels[0].content else { panic!("dots") };
    assert_eq!(rows.len(), 1, "the paper has no numbers for the other map");
    assert_eq!(rows[0].name, "lak304d");
    let papers: Vec<Option<f64>> = rows[0].values.iter().map(|value| value.published).collect();
    assert_eq!(papers, [None, Some(39.0), Some(27.0), None]);
    assert!(x.place(27.0) > 0.0, "the axis covers the paper's values");
    let text = text_of_well_formed(&figure.svg().unwrap());
    assert!(text.contains("the paper, in the colour of its planner"), "{text}");
    assert!(text.contains("whiskers: 95 % confidence"), "{text}");
}

#[test]
fn an_interval_that_reaches_0_does_not_stretch_a_logarithmic_axis() {
    let mut runs = records("30s", 8);
    for run in &mut runs {
        // The mean is some 67 ms, and the interval reaches far below 0.
        run.tick_p99_us = Some(if run.seed == Some(1) { 200_000.0 } else { 1.0 });
    }
    let figures = figures(&runs);
    let figure = figures.iter().find(|figure| figure.name.ends_with("-tick")).unwrap();
    let Content::Lines { y, series, .. } = &figure.panels[0].content else { panic!("lines") };
    assert!(series[0].dots[0].interval.unwrap().0 < 40.0);
    assert!(y.ends.0 > 40.0, "{y:?}");
}

#[test]
fn figures_without_values_of_a_paper_do_not_speak_of_one() {
    let figure = figure_of("30s", "-tick");
    assert!(!text_of_well_formed(&figure.svg().unwrap()).contains("the paper,"));
}

#[test]
fn figure_2_has_the_papers_bounds_where_runs_are_on_its_maps() {
    let maps = [
        "AR0414SR-320x280",
        "AR0414SR-512",
        "AR0504SR-512",
        "AR0701SR-512",
        "blastedlands",
        "duskwood",
        "golemsinthemist",
        "lak304d",
        "lak307d",
        "lgt300d",
    ];
    let bound = ("bmaa", (25, 200), 88.0, Relation::Over);
    let series_on = |maps: &[&str]| {
        let run = |map: &str, agents| Record { agents, ..no_arrivals("bmaa", map) };
        let records: Vec<Record> =
            maps.iter().flat_map(|map| [run(map, 25), run(map, 400)]).collect();
        let section = &Section::all(&records)[0];
        let palette = Palette::of(["bmaa"]);
        let mut series = series(section, &palette, Measure::CompletionRate, &section.records);
        add_figure_2(section, &mut series, &[bound]);
        series.remove(0)
    };
    let expected = PaperValue { across: (25.0, 200.0), y: 88.0, relation: Relation::Over };
    assert_eq!(series_on(&maps).published, [expected]);
    assert_eq!(series_on(&maps[1..]).published, []);
}

#[test]
fn a_limit_counts_only_instances_that_were_run_within_every_limit() {
    let run = |limit: &str, seed, rate| Record {
        limit: parse_limits(limit).unwrap(),
        seed: Some(seed),
        completion_rate: rate,
        ..no_arrivals("bmaa", "a")
    };
    let records = [run("1s", 1, 0.5), run("30s", 1, 1.0), run("30s", 2, 0.0)];
    let figures = figures(&records);
    let limits = figures.iter().find(|figure| figure.name == "limits-seconds-8way").unwrap();
    let Content::Lines { series, .. } = &limits.panels[0].content else { panic!("lines") };
    let values: Vec<(f64, f64)> = series[0].dots.iter().map(|dot| (dot.x, dot.y)).collect();
    assert_eq!(values, [(1.0, 50.0), (30.0, 100.0)]);
}

/// Runs of two solvers on two maps with 10 and 20 agents; one of them solves nothing with 20.
fn runs_of_solvers() -> Vec<Record> {
    let mut records = Vec::new();
    for map in ["lak304d", "a & b <c>"] {
        for agents in [10, 20] {
            for seed in 1..=3 {
                let seconds = 0.01 * seed as f64 * f64::from(agents);
                let slow = match agents {
                    10 => solved("cbs:heuristic=none", map, 100, 2.0 * seconds),
                    _ => unsolved("cbs:heuristic=none", map),
                };
                let here = |record| Record { agents, seed: Some(seed), ..record };
                records.extend([here(solved("cbs", map, 90, seconds)), here(slow)]);
            }
        }
    }
    records
}

#[test]
fn solvers_get_figures_of_their_own() {
    let figures = figures(&runs_of_solvers());
    let names: Vec<&str> = figures.iter().map(|figure| figure.name.as_str()).collect();
    let expected = [
        "30s-solved",
        "30s-solved-maps",
        "30s-first-plan",
        "30s-cost-over-bound",
        "30s-nodes",
        "30s-solved-time",
    ];
    assert_eq!(names, expected);
    for figure in &figures {
        let text = text_of_well_formed(&figure.svg().unwrap());
        assert!(text.contains("cbs:heuristic=none"), "{}", figure.name);
    }
}

#[test]
fn instances_that_are_not_solved_count_in_the_figure_over_time() {
    let figures = figures(&runs_of_solvers());
    let time = figures.iter().find(|figure| figure.name == "30s-solved-time").unwrap();
    let Content::Lines { series, .. } = &time.panels[0].content else { panic!("lines") };
    let ends: Vec<(usize, f64)> =
        series.iter().map(|series| (series.dots.len(), series.dots.last().unwrap().y)).collect();
    assert_eq!(ends, [(13, 100.0), (7, 50.0)], "the second solves half of its instances");
    for series in series {
        let (last, solved) = series.dots.split_last().unwrap();
        assert!((last.x - 30_000.0).abs() < 1e-9, "it ends at the limit");
        assert!(solved.windows(2).all(|pair| pair[0].x <= pair[1].x && pair[0].y < pair[1].y));
    }
}

#[test]
fn a_map_is_drawn_with_a_sign_for_every_start_and_goal() {
    let grid = Grid::from_ascii("#..\n...\n..#").unwrap();
    let instance = Instance::draw(grid, Kind::Random, 3, 1).unwrap();
    let svg = MapPicture::of_instance(&instance, "three").svg().unwrap();
    assert!(text_of_well_formed(&svg).contains("three"));
    // Three starts and goals, and those in the key; two walls, the floor and the paper are rectangles.
    assert_eq!(svg.matches("<circle").count(), 8);
    assert_eq!(svg.matches("fill=\"none\" stroke=").count(), 4, "goals are rings");
    assert_eq!(svg.matches("<rect").count(), 4);
}

#[test]
fn a_map_of_any_size_fits_into_its_picture() {
    for (width, height) in [(1, 1), (3000, 20), (700, 500)] {
        let grid = Grid::open(width, height).unwrap();
        let (x, y, _) = pixels(&MapPicture::of_map(&grid, "map").png().unwrap());
        assert!((640..=1660).contains(&x) && y <= 1760, "{width}x{height}: {x}x{y}");
    }
    let cave = Level::Cave.generate(64, 48, 1).unwrap();
    let svg = MapPicture::of_map(&cave, "cave").svg().unwrap();
    assert!(svg.matches("<rect").count() < 64 * 48 / 4, "walls are joined");
}

#[test]
fn walls_that_touch_show_no_seams() {
    // Its cells are 1.5 pixels high, and the rectangles of its rows differ.
    let rows = ["#".repeat(1000), "#".repeat(999) + "."];
    let grid = Grid::from_ascii(&[&rows[..], &rows, &rows].concat().join("\n")).unwrap();
    let (width, _, pixels) = pixels(&MapPicture::of_map(&grid, "").png().unwrap());
    let at = |y: u32| &pixels[((y * width + 200) * 4) as usize..][..3];
    assert_eq!((at(60), at(90)), (&[255; 3][..], &[255; 3][..]));
    for y in 69..77 {
        assert_eq!(at(y), at(70), "row {y}");
    }
    assert_ne!(at(70), at(60));
}

#[test]
fn limits_in_expansions_beside_one_in_ticks_have_a_figure_with_the_best_choice() {
    let run = |planner: &str, seed: u64, expansions: u64, rate: f64| Record {
        limit: parse_limits(&format!("500steps,{expansions}expansions")).unwrap(),
        seed: Some(seed),
        completion_rate: rate,
        ..no_arrivals(planner, "cave")
    };
    let records = [
        run("bmaa", 1, 10, 0.5),
        run("far", 1, 10, 0.25),
        run("bmaa", 2, 10, 0.25),
        run("far", 2, 10, 0.75),
        run("bmaa", 1, 20, 1.0),
        run("far", 1, 20, 0.5),
        run("bmaa", 2, 20, 0.5),
        run("far", 2, 20, 1.0),
    ];
    let figures = figures(&records);
    let name = "limits-expansions-500steps-8way";
    let figure = figures.iter().find(|figure| figure.name == name).unwrap();
    let Content::Lines { series, .. } = &figure.panels[0].content else { panic!("lines") };
    let best = series.iter().find(|series| series.name == "best choice").unwrap();
    let rates: Vec<i64> = best.dots.iter().map(|dot| (dot.y * 10.0).round() as i64).collect();
    assert!(best.is_bound);
    assert_eq!(rates, [625, 1000]);
}

#[test]
fn curves_of_one_name_look_the_same_in_all_panels() {
    let curve = |name: &str, is_bound| Curve {
        name: name.to_owned(),
        points: vec![(1.0, 2.0), (2.0, 1.0)],
        is_bound,
    };
    let panels = vec![
        ("loss".to_owned(), vec![curve("seen", false), curve("set aside", false)]),
        ("cost".to_owned(), vec![curve("set aside", false), curve("single best", true)]),
    ];
    let figure = Figure::of_curves("curves", "Training", "epoch", &panels, Vec::new());
    let names: Vec<&str> = figure.legend.iter().map(|entry| &*entry.name).collect();
    assert_eq!(names, ["seen", "set aside", "single best"]);
    let Content::Lines { series, .. } = &figure.panels[1].content else { panic!("lines") };
    assert_eq!(series[0].look, figure.legend[1].look);
    assert!(figure.svg().unwrap().contains("set aside"));
}
