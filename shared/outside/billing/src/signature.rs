//! Verifies the signature of an event: HMAC-SHA256 of its time and its bytes, in the header `Stripe-Signature`.

use auth::Secret;
use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use sha2::Sha256;

/// How far the time of a signature may be from ours. An event that somebody has recorded cannot be sent again later.
pub const TOLERANCE: SignedDuration = SignedDuration::from_mins(5);
/// Maximum number of signatures that are compared. While its secret is being replaced, an event has two.
const MAX_SIGNATURES: usize = 10;

/// Why an event is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSignature {
    #[error("must have the form `t=<seconds>,v1=<signature>`")]
    Malformed,
    #[error("is older than five minutes, or from the future")]
    OtherTime,
    #[error("is not that of the payment provider")]
    Wrong,
}

/// Checks that a body was signed with this secret, at about this time.
pub fn verify(
    header: &str,
    body: &[u8],
    secret: &Secret,
    now: Timestamp,
) -> Result<(), InvalidSignature> {
    let (time, signatures) = read(header).ok_or(InvalidSignature::Malformed)?;
    let mac = mac(time, body, secret);
    // In constant time for each.
    if !signatures.iter().any(|it| mac.clone().verify_slice(it).is_ok()) {
        return Err(InvalidSignature::Wrong);
    }
    let seconds = time.parse().ok().and_then(|it| Timestamp::from_second(it).ok());
    let signed_at = seconds.ok_or(InvalidSignature::Malformed)?;
    match now.duration_since(signed_at).abs() <= TOLERANCE {
        true => Ok(()),
        false => Err(InvalidSignature::OtherTime),
    }
}

/// The time, as text, and the signatures of the current scheme. Other schemes are ignored.
fn read(header: &str) -> Option<(&str, Vec<Vec<u8>>)> {
    let members = || header.split(',').filter_map(|it| it.trim().split_once('='));
    let (_, time) = members().find(|(name, _)| *name == "t")?;
    let signatures = members().filter(|(name, _)| *name == "v1").take(MAX_SIGNATURES);
    let signatures: Vec<_> = signatures.filter_map(|(_, it)| hex::decode(it).ok()).collect();
    (!signatures.is_empty() && time.bytes().all(|it| it.is_ascii_digit()))
        .then_some((time, signatures))
}

/// The header of an event that is sent at this time. For emulators of the provider.
pub fn sign(body: &[u8], secret: &Secret, now: Timestamp) -> String {
    let time = now.as_second().to_string();
    let signature = mac(&time, body, secret).finalize().into_bytes();
    format!("t={time},v1={}", hex::encode(signature))
}

fn mac(time: &str, body: &[u8], secret: &Secret) -> Hmac<Sha256> {
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    let mut mac =
        Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()).expect("a key of any length");
    mac.update(time.as_bytes());
    mac.update(b".");
    mac.update(body);
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = br#"{"id":"evt_1"}"#;

    fn secret(text: &str) -> Secret {
        Secret::new(text.to_owned())
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).expect("a time")
    }

    /// Computed with OpenSSL: `printf '1492774577.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_test`.
    #[test]
    fn the_signature_is_the_hmac_of_time_and_body() {
        let header = sign(BODY, &secret("whsec_test"), at(1_492_774_577));
        assert_eq!(
            header,
            "t=1492774577,v1=7656fc2882a7ca0a651666b36bf2f2f22ee204f54f608f227498a2419f2890b2"
        );
    }

    #[test]
    fn only_the_exact_body_with_the_right_secret_is_accepted() {
        let header = sign(BODY, &secret("one"), at(1_000));
        let check = |header: &str, body, of: &str, now| verify(header, body, &secret(of), at(now));
        assert_eq!(check(&header, BODY, "one", 1_000), Ok(()));
        assert_eq!(check(&header, b"{}", "one", 1_000), Err(InvalidSignature::Wrong));
        assert_eq!(check(&header, BODY, "other", 1_000), Err(InvalidSignature::Wrong));
        // The time is signed too.
        let moved = header.replace("t=1000", "t=1001");
        assert_eq!(check(&moved, BODY, "one", 1_000), Err(InvalidSignature::Wrong));
    }

    #[test]
    fn a_signature_is_accepted_for_five_minutes() {
        let header = sign(BODY, &secret("one"), at(1_000));
        for (now, accepted) in [(700, true), (1_300, true), (699, false), (1_301, false)] {
            let result = verify(&header, BODY, &secret("one"), at(now));
            let expected = if accepted { Ok(()) } else { Err(InvalidSignature::OtherTime) };
            assert_eq!(result, expected, "{now}");
        }
    }

    #[test]
    fn one_of_several_signatures_is_enough() {
        let (old, new) = (sign(BODY, &secret("old"), at(9)), sign(BODY, &secret("new"), at(9)));
        let new = new.split_once(',').expect("a signature").1;
        let both = format!("{old},{new},v0=00");
        for of in ["old", "new"] {
            assert_eq!(verify(&both, BODY, &secret(of), at(9)), Ok(()));
        }
        assert_eq!(verify(&both, BODY, &secret("x"), at(9)), Err(InvalidSignature::Wrong));
    }

    #[test]
    fn malformed_headers_are_refused() {
        for header in ["", "t=1", "v1=00", "t=x,v1=00", "t=1,v1=xyz", "t=1,v0=00", "t=-1,v1=00"] {
            let refused = verify(header, BODY, &secret("one"), at(1));
            assert_eq!(refused, Err(InvalidSignature::Malformed), "{header}");
        }
    }
}
