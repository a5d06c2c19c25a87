/// A file that is not the code list or register of places that it was taken for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("not a list of {list}: {reason}")]
pub struct UnreadableList {
    pub list: &'static str,
    pub reason: String,
}
