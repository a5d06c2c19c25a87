/// Error: the file is not in the format of the list.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("not a list of {list}: {reason}")]
pub struct UnreadableList {
    pub list: &'static str,
    pub reason: String,
}
