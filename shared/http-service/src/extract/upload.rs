use axum::extract::{FromRequest, Multipart, Request};
use bytes::Bytes;
use problem_details::Problem;

/// The file of a form, in the part `file`. For operations that declare [`with_file`](crate::Access::with_file).
#[derive(Clone, Debug)]
pub struct Upload(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for Upload {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let invalid = |failure: String| Problem::invalid("body", failure);
        let form = Multipart::from_request(request, state).await;
        let mut form = form.map_err(|failure| invalid(failure.body_text()))?;
        let mut file = None;
        while let Some(part) = form.next_field().await.map_err(|it| invalid(it.body_text()))? {
            let name = part.name().unwrap_or_default();
            if name != "file" || file.is_some() {
                return Err(invalid(format!("must have one part, `file`; got `{name}`")));
            }
            file = Some(part.bytes().await.map_err(|it| invalid(it.body_text()))?);
        }
        file.map(Self).ok_or_else(|| Problem::invalid("file", "must be a part of the form"))
    }
}
