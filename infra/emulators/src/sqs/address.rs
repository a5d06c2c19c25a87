//! How queues are addressed.

/// The region in the ARN of every queue.
pub const REGION: &str = "eu-central-2";
/// The account in the ARN and the URL of every queue.
pub const ACCOUNT: &str = "000000000000";

/// The URL of a queue. `origin` is the address of the emulator as the client knows it, without a path.
pub fn url(origin: &str, name: &str) -> String {
    format!("{origin}/{ACCOUNT}/{name}")
}

/// The name of the queue with this URL.
pub(crate) fn name_in_url(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or_default()
}

pub(crate) fn arn(name: &str) -> String {
    format!("arn:aws:sqs:{REGION}:{ACCOUNT}:{name}")
}

/// The name of the queue with this ARN.
pub(crate) fn name_in_arn(arn_of_queue: &str) -> Option<&str> {
    let name = arn_of_queue.rsplit(':').next()?;
    (arn(name) == arn_of_queue).then_some(name)
}
