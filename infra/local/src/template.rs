//! What the local server reads in `template.yaml`, so that it behaves as a deployment does.

use queue_worker::Function;

const TEMPLATE: &str = include_str!("../../../template.yaml");

/// The lines of a resource of this type, after its first two.
///
/// # Panics
/// If there is none.
pub(crate) fn resource(name: &str, kind: &str) -> &'static str {
    let first_lines = format!("\n  {name}:\n    Type: {kind}\n");
    #[expect(clippy::expect_used, reason = "the template belongs to the program")]
    let (_, resource) = TEMPLATE.split_once(&first_lines).expect("a resource of the template");
    resource.split("\n\n").next().unwrap_or_default()
}

/// The function with this name.
///
/// # Panics
/// If there is none.
pub fn function(name: &'static str) -> Function {
    let binary = format!("\n        Binary: {name}\n");
    #[expect(clippy::expect_used, reason = "the template belongs to the program")]
    let (_, resource) = TEMPLATE.split_once(&binary).expect("a function of the template");
    let resource = resource.split("\n\n").next().unwrap_or_default();
    Function { name, may_loop: resource.contains("\n      RecursiveLoop: Allow\n") }
}
