//! Objects that are uploaded in parts, so that a large one is never in memory as a whole.
//!
//! A part that was uploaded is kept, and paid for, until its upload is finished or aborted.

use aws_sdk_s3::{
    error::SdkError,
    types::{CompletedMultipartUpload, CompletedPart},
};
use bytes::Bytes;

use crate::{Error, Objects, unavailable};

/// Minimum size of every part but the last, in bytes.
pub const MIN_PART: usize = 5 * 1024 * 1024;

/// An upload that was started.
#[derive(Debug)]
pub struct Upload {
    objects: Objects,
    key: String,
    id: String,
    parts: Vec<CompletedPart>,
    size: u64,
}

impl Objects {
    /// Starts to upload an object in parts. The object appears when the upload is finished.
    pub async fn start_upload(&self, key: &str) -> Result<Upload, Error> {
        let request = self.client.create_multipart_upload().bucket(&self.bucket).key(key);
        let started = request.send().await.map_err(unavailable)?;
        let id = started.upload_id.ok_or_else(|| Error::Unavailable("no upload id".into()))?;
        let (objects, key) = (self.clone(), key.to_owned());
        Ok(Upload { objects, key, id, parts: Vec::new(), size: 0 })
    }

    /// Aborts all uploads of objects with this prefix. Returns their number.
    pub async fn abort_uploads(&self, prefix: &str) -> Result<usize, Error> {
        let mut aborted = 0;
        loop {
            let request = self.client.list_multipart_uploads().bucket(&self.bucket).prefix(prefix);
            let listed = request.send().await.map_err(unavailable)?;
            let uploads = listed.uploads.unwrap_or_default();
            for upload in &uploads {
                if let (Some(key), Some(id)) = (upload.key(), upload.upload_id()) {
                    self.abort_upload(key, id).await?;
                    aborted += 1;
                }
            }
            // The next list starts with those that are left.
            if listed.is_truncated != Some(true) || uploads.is_empty() {
                return Ok(aborted);
            }
        }
    }

    /// Does nothing if there is no such upload: it was aborted or finished.
    async fn abort_upload(&self, key: &str, id: &str) -> Result<(), Error> {
        let request = self.client.abort_multipart_upload().bucket(&self.bucket).key(key);
        match request.upload_id(id).send().await {
            Ok(_) => Ok(()),
            Err(SdkError::ServiceError(failure)) if failure.err().is_no_such_upload() => Ok(()),
            Err(failure) => Err(unavailable(failure)),
        }
    }
}

impl Upload {
    /// Uploads the next part. Every part but the last must have at least [`MIN_PART`] bytes.
    pub async fn add(&mut self, part: Bytes) -> Result<(), Error> {
        let number = i32::try_from(self.parts.len() + 1).unwrap_or(i32::MAX);
        let size = part.len() as u64;
        let request = self.objects.client.upload_part().bucket(&self.objects.bucket).key(&self.key);
        let request = request.upload_id(&self.id).part_number(number).body(part.into());
        let request = request.customize().config_override(self.objects.time_for(size));
        let uploaded = request.send().await.map_err(unavailable)?;
        let part = CompletedPart::builder()
            .part_number(number)
            .set_e_tag(uploaded.e_tag)
            .set_checksum_crc32(uploaded.checksum_crc32);
        self.parts.push(part.build());
        self.size += size;
        Ok(())
    }

    /// Makes the object from its parts.
    pub async fn finish(&self) -> Result<(), Error> {
        let parts = Some(self.parts.clone());
        let parts = CompletedMultipartUpload::builder().set_parts(parts).build();
        let request = self.objects.client.complete_multipart_upload();
        let request = request.bucket(&self.objects.bucket).key(&self.key).upload_id(&self.id);
        let request = request.multipart_upload(parts);
        // S3 puts the parts together before it answers.
        let request = request.customize().config_override(self.objects.time_for(self.size));
        let Err(failure) = request.send().await else { return Ok(()) };
        // If only the answer was lost, there is no upload any more, but the object.
        match self.objects.size(&self.key).await {
            Ok(Some(size)) if size == self.size => Ok(()),
            _ => Err(unavailable(failure)),
        }
    }
}
