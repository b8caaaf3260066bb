//! The planner `auto`, for commands that run planners.

use std::path::Path;

use jostle::planners::Registry;
use jostle_select::{Auto, Model};

use crate::failure::Failure;
use crate::select::read_model;

/// The same planners and `auto`, which chooses among them with the model in a file, or with the one that comes with Jostle.
pub fn with_auto(planners: &Registry, model: Option<&Path>) -> Result<Registry, Failure> {
    let mut registry = planners.clone();
    let auto = |model: Model| {
        let candidates = model.candidates().to_vec();
        Auto::new(model, &candidates, planners)
    };
    match model {
        Some(path) => {
            let auto = auto(read_model(&path.to_string_lossy())?).map_err(Failure::input)?;
            registry.add(auto.entry()).map_err(Failure::input)?;
        }
        None => {
            // A program with planners of its own may lack one, or have an `auto` of its own.
            if let Some(auto) = Model::builtin().ok().and_then(|model| auto(model).ok()) {
                let _ = registry.add(auto.entry());
            }
        }
    }
    Ok(registry)
}
