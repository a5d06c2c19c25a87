use std::fmt;

use uuid::Uuid;

/// UUID namespace of [`JobId::successor`].
const SUCCESSOR: Uuid = Uuid::from_u128(0x7c1f_52b6_0e0d_5a3c_8f6b_4b1e_9a27_d305);
/// Start of the ids of successors, which are the deduplication ids of their messages.
const PREFIX: &str = "successor-";

/// The identity of a job: the same for every delivery of its message.
///
/// The id of a job that another job sends, its successor, follows from the id of the other job. A job that is killed
/// after it has sent its successors sends them again when it is delivered again. The queue recognises their ids for
/// five minutes; later, a worker recognises them if it remembers which jobs are done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobId(String);

impl JobId {
    /// The id of a received message, from its SQS attributes.
    pub fn of_message(message_id: &str, deduplication_id: Option<&str>) -> Self {
        match deduplication_id {
            Some(id) if id.starts_with(PREFIX) => Self(id.to_owned()),
            _ => Self(message_id.to_owned()),
        }
    }

    /// Whether another job has sent this one.
    pub fn is_successor(&self) -> bool {
        self.0.starts_with(PREFIX)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The ids of the successors with these bodies. A single successor is identified by its place alone: if its body
    /// depends on what a source answers, it may differ the second time, and the chain must not fork. Of several
    /// successors, the body counts too, so that none is lost.
    pub(crate) fn successors(&self, bodies: &[String]) -> Vec<Self> {
        let id = |(index, body): (usize, &String)| {
            let body = if bodies.len() == 1 { "" } else { body };
            let name = format!("{self}/{index}/{body}");
            Self(format!("{PREFIX}{}", Uuid::new_v5(&SUCCESSOR, name.as_bytes())))
        };
        bodies.iter().enumerate().map(id).collect()
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn successors(id: &JobId, bodies: &[&str]) -> Vec<String> {
        let bodies: Vec<String> = bodies.iter().map(|it| (*it).to_owned()).collect();
        id.successors(&bodies).into_iter().map(|it| it.0).collect()
    }

    #[test]
    fn ids_of_successors_follow_from_their_job_and_place() {
        let root = JobId::of_message("message", Some("body-hash"));
        let again = JobId::of_message("message", None);
        assert!(!root.is_successor());
        assert_eq!(root, again);
        let next = successors(&root, &["a"]);
        assert_eq!(next, successors(&again, &["b"]), "the body of a single successor is ignored");
        assert_ne!(next, successors(&JobId::of_message("other", None), &["a"]));
        let next = JobId::of_message("its own message", Some(&next[0]));
        assert!(next.is_successor());
        assert_eq!(next, JobId::of_message("sent again", Some(next.as_str())));
        assert_ne!(successors(&next, &["a"]), successors(&root, &["a"]));

        let several = successors(&root, &["a", "b", "b"]);
        assert_eq!(several, successors(&root, &["a", "b", "b"]));
        assert!(several[0] != several[1] && several[1] != several[2]);
        assert_eq!(successors(&root, &["x", "b"])[1], several[1]);
        assert_ne!(successors(&root, &["x", "b"])[0], several[0]);
    }
}
