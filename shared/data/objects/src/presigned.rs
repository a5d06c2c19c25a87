//! Addresses with which anyone can read one object for a while.

use std::time::Duration;

use aws_sdk_s3::presigning::PresigningConfig;

use crate::{Error, Objects, unavailable};

impl Objects {
    /// The address of an object, for programs that have no account of AWS. It is valid for this time, but no longer than the
    /// credentials of this process. The answer names the file `file_name`.
    pub async fn presigned(
        &self,
        key: &str,
        file_name: &str,
        valid: Duration,
    ) -> Result<String, Error> {
        let valid = PresigningConfig::expires_in(valid).map_err(unavailable)?;
        let disposition = format!("attachment; filename=\"{file_name}\"");
        let request = self.client.get_object().bucket(&self.bucket).key(key);
        let request = request.response_content_disposition(disposition);
        let presigned = request.presigned(valid).await.map_err(unavailable)?;
        Ok(presigned.uri().to_owned())
    }
}
