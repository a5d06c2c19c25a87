use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use super::Status;

macro_rules! status_reasons {
    ($($name:ident $code:literal $status:ident $meaning:literal)*) => {
        /// Why a company has its status: one row of the table below.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum StatusReason {
            $(#[doc = $meaning] #[serde(rename = $code)] $name,)*
        }

        impl StatusReason {
            /// Every reason.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Name in requests and responses.
            pub fn code(self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }

            /// The status that it explains.
            pub fn status(self) -> Status {
                match self { $(Self::$name => Status::$status),* }
            }

            /// What happened to the company (`it`), in one sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning),* }
            }
        }
    };
}

status_reasons! {
    Moratorium "moratorium" Active "The company has a moratorium, or its bankruptcy is postponed."
    Voluntary "voluntary" BeingCancelled "It was dissolved by a resolution."
    Court "court" BeingCancelled "A court dissolved it, for a reason other than a defect in its organisation."
    Court731b "court_731b" BeingCancelled "A court dissolved it for a defect in its organisation (art. 731b of the Code of Obligations)."
    NoDomicile "no_domicile" BeingCancelled "The register office dissolved it because it has no legal domicile."
    Bankruptcy "bankruptcy" BeingCancelled "It is bankrupt."
    Composition "composition" BeingCancelled "It is liquidated by a composition agreement with assignment of assets."
    ReEntered "re_entered" BeingCancelled "It was entered again after its deletion, to be liquidated."
    Moved "moved" Cancelled "Its seat moved abroad."
    Merged "merged" Cancelled "Another company took it over."
    Demerged "demerged" Cancelled "It was split up."
    DeletedAfterLiquidation "deleted_after_liquidation" Cancelled "Its liquidation was completed."
    DeletedAfterBankruptcy "deleted_after_bankruptcy" Cancelled "Its bankruptcy was closed."
    DeletedNoAssets "deleted_no_assets" Cancelled "It had no assets."
    DeletedBusinessCeased "deleted_business_ceased" Cancelled "Its business ceased or passed to someone else."
    DeletedExOfficio "deleted_ex_officio" Cancelled "The register office deleted it ex officio."
    DeletedOnApplication "deleted_on_application" Cancelled "It was deleted on application."
}

impl StatusReason {
    /// Whether a company that was deleted for this reason goes on, in another company or abroad: its deletion is then no
    /// dissolution.
    pub fn goes_on_elsewhere(self) -> bool {
        matches!(self, Self::Moved | Self::Merged | Self::Demerged)
    }
}

impl PartialSchema for StatusReason {
    fn schema() -> RefOr<Schema> {
        let mut description = "Reason for the status.".to_owned();
        for reason in Self::ALL {
            let (code, status) = (reason.code(), reason.status());
            description.push_str(&format!(" `{code}` (`{status}`): {}", reason.meaning()));
        }
        let text = ObjectBuilder::new().schema_type(Type::String);
        let codes = Self::ALL.iter().map(|it| it.code());
        text.enum_values(Some(codes)).description(Some(description)).into()
    }
}

impl ToSchema for StatusReason {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serialised_reason_is_its_code() {
        for reason in StatusReason::ALL {
            assert_eq!(serde_json::to_value(reason).expect("json"), reason.code());
        }
    }

    #[test]
    fn only_deleted_companies_go_on_elsewhere() {
        let elsewhere = StatusReason::ALL.iter().filter(|it| it.goes_on_elsewhere());
        assert_eq!(elsewhere.clone().count(), 3);
        assert!(elsewhere.into_iter().all(|it| it.status() == Status::Cancelled));
    }
}
