//! What operations have in common that return a past state, or the sources of what they state.

use std::collections::BTreeMap;

use domain::Provenance;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The query of operations that can return a past state.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AsOf {
    /// Date of the state to return, as of the end of that day. Must not be in the future. Default: the current state.
    #[param(value_type = Option<String>, format = Date, example = "2024-06-30")]
    pub as_of: Option<Date>,
}

/// The query of operations that can return a past state and the sources of its fields.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AsOfWithProofs {
    /// Date of the state to return, as of the end of that day. Must not be in the future. Default: the current state.
    #[param(value_type = Option<String>, format = Date, example = "2024-06-30")]
    pub as_of: Option<Date>,
    /// `true`: include the source of each field or entry, with a link.
    #[serde(default)]
    #[param(value_type = Option<bool>, default = false, example = true)]
    pub proofs: bool,
}

/// Source of what a response states.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Proof {
    #[serde(flatten)]
    provenance: Provenance,
    /// Address of the publication or record. Absent without `proofs=true`, or if the source has no stable URLs.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

impl Proof {
    /// The source with a link, if its reference is an address.
    pub fn with_link(provenance: Provenance) -> Self {
        let is_address = |it: &&String| it.starts_with("https://") || it.starts_with("http://");
        let url = provenance.reference.as_ref().filter(is_address).cloned();
        Self { provenance, url }
    }

    /// The sources of fields, by the name of the field.
    pub fn of_fields(
        proofs: BTreeMap<String, Provenance>,
        with_links: bool,
    ) -> BTreeMap<String, Self> {
        let proof = |it| match with_links {
            true => Self::with_link(it),
            false => Self { provenance: it, url: None },
        };
        proofs.into_iter().map(|(field, it)| (field, proof(it))).collect()
    }
}
