//! What several texts state of one person or firm, put together.

use super::Draft;

impl Draft {
    /// Takes the signature, the shares and the former details from another draft.
    pub(crate) fn take_statements(&mut self, other: &Self) {
        if other.signature.is_some() {
            self.signature.clone_from(&other.signature);
        }
        if other.quota.is_some() {
            self.quota.clone_from(&other.quota);
        }
        self.was_entered |= other.was_entered;
        self.before = self.before.take().or_else(|| other.before.clone());
    }

    /// Adds what another text says about the same person, where this one says nothing.
    pub(crate) fn add_details(&mut self, other: Self) {
        self.fill_missing_from(&other);
        self.origin = self.origin.take().or(other.origin);
        self.nationality = self.nationality.take().or(other.nationality);
        self.domicile = self.domicile.take().or(other.domicile);
        self.before = self.before.take().or(other.before);
        self.former_quota = self.former_quota.take().or(other.former_quota);
        self.was_entered |= other.was_entered;
        self.uid = self.uid.or(other.uid);
        self.ch_id = self.ch_id.take().or(other.ch_id);
    }

    /// Whether two drafts with the same name can be about one person: the places do not contradict.
    pub(crate) fn may_be_same(&self, other: &Self) -> bool {
        let agree =
            |one: &Option<String>, other: &Option<String>, agree: fn(&str, &str) -> bool| {
                one.as_deref().zip(other.as_deref()).is_none_or(|(one, other)| agree(one, other))
            };
        agree(&self.origin, &other.origin, have_common_place)
            && (agree(&self.domicile, &other.domicile, |one, other| one == other)
                || self.origin.is_some())
    }

    pub(crate) fn with_signature(&self, signature: String) -> Self {
        Self { signature: Some(signature), ..self.clone() }
    }

    /// Takes the signature of another draft if this one has none.
    pub(crate) fn fill_signature(&mut self, other: &Self) {
        if self.signature.is_none() {
            self.signature.clone_from(&other.signature);
        }
    }

    /// Copies signature, quota and function from another draft where this one has none.
    pub(crate) fn fill_missing_from(&mut self, other: &Self) {
        if self.signature.is_none() {
            self.signature.clone_from(&other.signature);
        }
        if self.quota.is_none() {
            self.quota.clone_from(&other.quota);
        }
        if !self.has_function()
            && let Some(function) = other.function()
        {
            self.set_function(&function);
        }
    }
}

/// Whether two origins have a place in common: a notice may name only some of several.
fn have_common_place(one: &str, other: &str) -> bool {
    let places = |origin: &str| -> Vec<String> {
        let joins = [" und ", " et ", " e "];
        let joined = joins.iter().fold(origin.to_owned(), |it, join| it.replace(join, ", "));
        joined.split(", ").map(str::to_owned).collect()
    };
    let others = places(other);
    places(one).iter().any(|it| others.contains(it))
}
