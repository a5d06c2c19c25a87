use axum::extract::{FromRequest, Multipart, Request};
use bytes::Bytes;
use problem_details::Problem;

/// The file of a form, in the part `file`. For operations that declare [`with_file`](crate::Access::with_file).
#[derive(Clone, Debug)]
pub struct Upload(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for Upload {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let invalid = |detail: String| Problem::invalid("body", detail);
        let malformed = || {
            invalid(
                "must be a complete form (`multipart/form-data`) with the part `file`".to_owned(),
            )
        };
        let mut form = Multipart::from_request(request, state).await.map_err(|_| malformed())?;
        let mut file = None;
        while let Some(part) = form.next_field().await.map_err(|_| malformed())? {
            let name = part.name().unwrap_or_default();
            if name != "file" || file.is_some() {
                return Err(invalid(format!("must have one part, `file`; got `{name}`")));
            }
            file = Some(part.bytes().await.map_err(|_| malformed())?);
        }
        file.map(Self).ok_or_else(|| Problem::invalid("file", "must be a part of the form"))
    }
}
