//! Models as files: what was learned, in a form that other programs read too.
//!
//! A [`ModelFile`] is a [safetensors](https://github.com/huggingface/safetensors) file whose header says what kind of model it is, which
//! candidates it chooses from, and what it was trained on. A [`Model`] is one that this build can run.

use std::collections::BTreeMap;
use std::fmt;

use crate::tensor_file::{self, Numbers};
use crate::{Forest, Predict, Sight};

/// The version of the files that this build reads and writes.
const VERSION: &str = "1";
/// In the header: the version, the kind and the candidates. Everything else there is about the model.
const VERSION_KEY: &str = "jostle-model";
const KIND_KEY: &str = "kind";
const CANDIDATES_KEY: &str = "candidates";

/// What has learned a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModelKind {
    /// The small network that predicts costs from an [`Encoding`](crate::Encoding).
    Small,
    /// AlexNet, which classifies [pictures](crate::Picture).
    AlexNet,
    /// A forest of trees on simple features.
    Forest,
}

impl ModelKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Small, Self::AlexNet, Self::Forest];

    /// What files call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::AlexNet => "alexnet",
            Self::Forest => "forest",
        }
    }
}

/// A model that cannot be read, written or run.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ModelError {
    /// The bytes are no such file.
    NotSafetensors(String),
    /// The file has tensors, but does not say that they are a model.
    NotAModel,
    /// It was written by another version.
    Version(String),
    /// It is of a kind that nobody knows.
    UnknownKind(String),
    /// This build cannot run models of its kind.
    Lacking(ModelKind),
    /// It has no candidates to choose from.
    NoCandidates,
    /// A candidate has no name, or one of several lines.
    CandidateName(String),
    /// A tensor is missing.
    Missing(String),
    /// A tensor has another shape.
    Shape {
        /// Its name.
        name: String,
        /// The shape that it should have.
        expected: Vec<usize>,
        /// The shape that it has.
        found: Vec<usize>,
    },
    /// A tensor holds numbers of another type.
    NotF32(String),
    /// A tensor holds something that is not a finite number.
    NotFinite(String),
    /// The tensors make no model, for this reason.
    Senseless(String),
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSafetensors(reason) => write!(f, "this is not a safetensors file: {reason}"),
            Self::NotAModel => write!(
                f,
                "this file has tensors, but its header has no `{VERSION_KEY}`: it is not a model"
            ),
            Self::Version(version) => {
                write!(
                    f,
                    "this model is of version {version}, and this build reads version {VERSION}"
                )
            }
            Self::UnknownKind(kind) => {
                let known = ModelKind::ALL.map(ModelKind::name).join(", ");
                write!(f, "this model is of the unknown kind `{kind}`: the kinds are {known}")
            }
            Self::Lacking(kind) => write!(
                f,
                "this build cannot run models of the kind `{}`: it was built without the feature `network`",
                kind.name()
            ),
            Self::NoCandidates => write!(f, "this model has no candidates to choose from"),
            Self::CandidateName(name) => {
                write!(
                    f,
                    "{name:?} is no name for a candidate: it must be one line that is not empty"
                )
            }
            Self::Missing(name) => write!(f, "this model lacks the tensor `{name}`"),
            Self::Shape { name, expected, found } => {
                write!(
                    f,
                    "the tensor `{name}` has the shape {found:?}, but this model needs {expected:?}"
                )
            }
            Self::NotF32(name) => {
                write!(f, "the numbers of the tensor `{name}` are not of the type F32")
            }
            Self::NotFinite(name) => {
                write!(f, "the tensor `{name}` holds a number that is not finite")
            }
            Self::Senseless(reason) => write!(f, "this model makes no sense: {reason}"),
        }
    }
}

impl std::error::Error for ModelError {}

/// A tensor with its name: the shape, and the numbers row by row.
pub type NamedTensor = (String, Vec<usize>, Vec<f32>);

/// What is in a model's file.
///
/// ```
/// use jostle_select::{ModelFile, ModelKind};
///
/// let file = ModelFile::new(ModelKind::Small, vec!["whca".into(), "far".into()])
///     .about("maps", "20")
///     .with("cost.mean", &[2], vec![0.5, 0.25]);
/// let file = ModelFile::read(&file.write()?)?;
/// assert_eq!(file.tensor("cost.mean", &[2])?, [0.5, 0.25]);
/// assert_eq!(file.candidates(), ["whca", "far"]);
/// # Ok::<(), jostle_select::ModelError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct ModelFile {
    kind: ModelKind,
    candidates: Vec<String>,
    about: BTreeMap<String, String>,
    tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
}

impl ModelFile {
    /// A model without tensors yet.
    pub const fn new(kind: ModelKind, candidates: Vec<String>) -> Self {
        Self { kind, candidates, about: BTreeMap::new(), tensors: BTreeMap::new() }
    }

    /// Adds a line about the model, for example what it was trained on.
    #[must_use]
    pub fn about(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.about.insert(key.into(), value.into());
        self
    }

    /// Adds a tensor.
    ///
    /// # Panics
    /// When the shape does not have as many numbers.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, shape: &[usize], values: Vec<f32>) -> Self {
        assert_eq!(shape.iter().product::<usize>(), values.len(), "a shape has as many numbers");
        self.tensors.insert(name.into(), (shape.to_vec(), values));
        self
    }

    /// Adds tensors.
    ///
    /// # Panics
    /// When a shape does not have as many numbers.
    #[must_use]
    pub fn with_all(self, tensors: impl IntoIterator<Item = NamedTensor>) -> Self {
        tensors
            .into_iter()
            .fold(self, |file, (name, shape, values)| file.with(name, &shape, values))
    }

    /// What has learned it.
    pub const fn kind(&self) -> ModelKind {
        self.kind
    }

    /// What it chooses from, in the order of its predictions.
    pub fn candidates(&self) -> &[String] {
        &self.candidates
    }

    /// What it says about itself.
    pub const fn notes(&self) -> &BTreeMap<String, String> {
        &self.about
    }

    /// The numbers of a tensor.
    ///
    /// # Errors
    /// When it is missing or has another shape.
    pub fn tensor(&self, name: &str, shape: &[usize]) -> Result<&[f32], ModelError> {
        let (found, values) = self.any_tensor(name)?;
        if found == shape {
            return Ok(values);
        }
        let (name, expected, found) = (name.to_owned(), shape.to_vec(), found.to_vec());
        Err(ModelError::Shape { name, expected, found })
    }

    /// The shape and the numbers of a tensor.
    ///
    /// # Errors
    /// When it is missing.
    pub fn any_tensor(&self, name: &str) -> Result<(&[usize], &[f32]), ModelError> {
        let (shape, values) =
            self.tensors.get(name).ok_or_else(|| ModelError::Missing(name.to_owned()))?;
        Ok((shape, values))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is not a model that this build understands, or holds numbers that are not finite.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        let broken =
            |error: safetensors::SafeTensorError| ModelError::NotSafetensors(error.to_string());
        let mut about = tensor_file::notes(bytes).map_err(broken)?;
        let version = about.remove(VERSION_KEY).ok_or(ModelError::NotAModel)?;
        if version != VERSION {
            return Err(ModelError::Version(version));
        }
        let kind = about.remove(KIND_KEY).unwrap_or_default();
        let known = ModelKind::ALL.into_iter().find(|known| known.name() == kind);
        let kind = known.ok_or(ModelError::UnknownKind(kind))?;
        let candidates = about.remove(CANDIDATES_KEY).unwrap_or_default();
        let candidates = candidates.lines().map(str::to_owned).collect();
        let tensors = tensor_file::tensors(bytes).map_err(broken)?.map_err(ModelError::NotF32)?;
        let file = Self { kind, candidates, about, tensors };
        file.check()?;
        Ok(file)
    }

    /// The bytes of the file. The same model gives the same bytes.
    ///
    /// # Errors
    /// When it has no candidates, or one with a name that a file cannot hold, or numbers that are not finite.
    pub fn write(&self) -> Result<Vec<u8>, ModelError> {
        self.check()?;
        let candidates = self.candidates.join("\n");
        let notes = header_notes(&self.about, self.kind.name(), &candidates);
        let tensors = self
            .tensors
            .iter()
            .map(|(name, (shape, values))| (name.as_str(), shape.as_slice(), Numbers::F32(values)));
        Ok(tensor_file::write(&notes, tensors.collect()))
    }

    fn check(&self) -> Result<(), ModelError> {
        if self.candidates.is_empty() {
            return Err(ModelError::NoCandidates);
        }
        if let Some(name) = self.candidates.iter().find(|name| name.lines().count() != 1) {
            return Err(ModelError::CandidateName(name.clone()));
        }
        let is_finite = |values: &[f32]| values.iter().all(|value| value.is_finite());
        match self.tensors.iter().find(|(_, (_, values))| !is_finite(values)) {
            Some((name, _)) => Err(ModelError::NotFinite(name.clone())),
            None => Ok(()),
        }
    }
}

/// What the header of a model says, and that of a data file.
pub fn header_notes<'a>(
    about: &'a BTreeMap<String, String>,
    kind: &'a str,
    candidates: &'a str,
) -> BTreeMap<&'a str, &'a str> {
    let mut notes: BTreeMap<&str, &str> =
        about.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    notes.extend([(VERSION_KEY, VERSION), (KIND_KEY, kind), (CANDIDATES_KEY, candidates)]);
    notes
}

/// A model that this build can run.
#[derive(Clone)]
pub struct Model {
    file: ModelFile,
    runs: Runs,
}

/// What runs a model.
#[derive(Clone)]
enum Runs {
    #[cfg(feature = "network")]
    Small(crate::SmallNetwork),
    #[cfg(feature = "network")]
    AlexNet(Box<crate::AlexNet>),
    Forest(Forest),
}

impl Model {
    /// Reads a model's file.
    ///
    /// # Errors
    /// When it is not a model, or one that this build cannot run.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        Self::new(ModelFile::read(bytes)?)
    }

    /// The model that is in a file.
    ///
    /// # Errors
    /// When this build cannot run it, or tensors are missing or of another shape.
    pub fn new(file: ModelFile) -> Result<Self, ModelError> {
        let runs = running(&file)?;
        Ok(Self { file, runs })
    }

    /// The small network that comes with this crate: it chooses a planner for a crowd. `models/README.md` says how it was trained.
    ///
    /// # Errors
    /// Never, where it was tested.
    #[cfg(feature = "network")]
    pub fn builtin() -> Result<Self, ModelError> {
        Self::read(include_bytes!("../models/crowds.safetensors"))
    }

    /// What is in its file.
    pub const fn file(&self) -> &ModelFile {
        &self.file
    }

    /// What it chooses from, in the order of its predictions.
    pub fn candidates(&self) -> &[String] {
        self.file.candidates()
    }

    /// The bytes of its file.
    ///
    /// # Errors
    /// Never, for a model that was read.
    pub fn write(&self) -> Result<Vec<u8>, ModelError> {
        self.file.write()
    }
}

impl Forest {
    /// A model's file for it. There must be a name for each candidate.
    pub fn file(&self, candidates: Vec<String>) -> ModelFile {
        let tensors = self.to_tensors().into_iter();
        let tensors = tensors.map(|tensor| (tensor.name.to_owned(), tensor.shape, tensor.values));
        ModelFile::new(ModelKind::Forest, candidates).with_all(tensors)
    }
}

/// What runs a model, if this build has it.
fn running(file: &ModelFile) -> Result<Runs, ModelError> {
    match file.kind() {
        #[cfg(feature = "network")]
        ModelKind::Small => Ok(Runs::Small(crate::SmallNetwork::of(file)?)),
        #[cfg(feature = "network")]
        ModelKind::AlexNet => Ok(Runs::AlexNet(Box::new(crate::AlexNet::of(file)?))),
        ModelKind::Forest => {
            let forest = Forest::from_tensors(|name| file.any_tensor(name).ok());
            let forest = forest.map_err(|error| ModelError::Senseless(error.to_string()))?;
            let (expected, found) = (file.candidates().len(), forest.candidates());
            if expected != found {
                let reason = format!("it knows {found} candidates, and {expected} are named");
                return Err(ModelError::Senseless(reason));
            }
            Ok(Runs::Forest(forest))
        }
        #[cfg(not(feature = "network"))]
        kind => Err(ModelError::Lacking(kind)),
    }
}

impl Predict for Model {
    fn predict(&mut self, sight: Sight<'_>) -> Vec<f32> {
        match &mut self.runs {
            #[cfg(feature = "network")]
            Runs::Small(network) => network.predict(sight),
            #[cfg(feature = "network")]
            Runs::AlexNet(network) => network.predict(sight),
            Runs::Forest(forest) => forest.predict(sight),
        }
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("kind", &self.file.kind).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> ModelFile {
        let candidates = vec!["far".to_owned(), "whca:window=8".to_owned()];
        ModelFile::new(ModelKind::Forest, candidates)
            .about("maps", "20 of \"BGII\"")
            .with("b", &[2, 3], (0..6_u8).map(f32::from).collect())
            .with("a", &[1], vec![-0.5])
    }

    #[test]
    fn what_is_written_is_what_is_read_and_always_the_same_bytes() {
        let bytes = file().write().unwrap();
        assert_eq!(ModelFile::read(&bytes).unwrap(), file());
        assert!((0..20).all(|_| file().write().unwrap() == bytes));
    }

    #[test]
    fn every_reason_to_refuse_a_file_is_a_sentence() {
        let refused = |bytes: &[u8]| ModelFile::read(bytes).unwrap_err().to_string();
        let bytes = file().write().unwrap();
        assert!(refused(b"hello").starts_with("this is not a safetensors file: "));
        assert!(refused(&bytes[..bytes.len() - 1]).starts_with("this is not a safetensors file: "));
        // The header with another text of the same length.
        let with = |from: &str, to: &str| {
            assert_eq!(from.len(), to.len());
            let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
            let mut bytes = bytes.clone();
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
            bytes
        };
        assert_eq!(
            refused(&with("\"jostle-model\":\"1\"", "\"jostle-model\":\"3\"")),
            "this model is of version 3, and this build reads version 1"
        );
        assert_eq!(
            refused(&with("\"jostle-model\"", "\"hustle-model\"")),
            "this file has tensors, but its header has no `jostle-model`: it is not a model"
        );
        assert_eq!(
            refused(&with("\"forest\"", "\"garden\"")),
            "this model is of the unknown kind `garden`: the kinds are small, alexnet, forest"
        );
        assert_eq!(
            refused(&with("\"candidates\"", "\"candidatos\"")),
            "this model has no candidates to choose from"
        );
        assert_eq!(
            refused(&with("\"F32\"", "\"I32\"")),
            "the numbers of the tensor `a` are not of the type F32"
        );
        let mut not_a_number = bytes.clone();
        let last = not_a_number.len() - 4;
        not_a_number[last..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert_eq!(refused(&not_a_number), "the tensor `b` holds a number that is not finite");
    }

    #[test]
    fn models_that_cannot_be_read_back_are_not_written() {
        let refused = |file: &ModelFile| file.write().unwrap_err().to_string();
        let nobody = ModelFile::new(ModelKind::Small, Vec::new());
        assert_eq!(refused(&nobody), "this model has no candidates to choose from");
        let two_lines = ModelFile::new(ModelKind::Small, vec!["a\nb".to_owned()]);
        assert!(refused(&two_lines).contains("is no name for a candidate"));
        let infinite = file().with("c", &[1], vec![f32::INFINITY]);
        assert!(refused(&infinite).contains("`c`"));
    }

    #[test]
    fn tensors_are_asked_for_by_name_and_shape() {
        let file = file();
        assert_eq!(file.tensor("a", &[1]).unwrap(), [-0.5]);
        let refused = |name, shape: &[usize]| file.tensor(name, shape).unwrap_err().to_string();
        assert_eq!(refused("z", &[1]), "this model lacks the tensor `z`");
        assert_eq!(
            refused("b", &[3, 2]),
            "the tensor `b` has the shape [2, 3], but this model needs [3, 2]"
        );
    }

    #[cfg(not(feature = "network"))]
    #[test]
    fn a_build_without_networks_says_so() {
        let file = ModelFile::new(ModelKind::Small, vec!["far".to_owned()]);
        let refused = Model::new(file).unwrap_err().to_string();
        assert_eq!(
            refused,
            "this build cannot run models of the kind `small`: it was built without the feature `network`"
        );
    }
}
