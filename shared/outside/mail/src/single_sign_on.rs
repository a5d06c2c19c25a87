//! Mails about single sign-on. A team has its id and, if it may stand in a mail, its name.

use auth::{Email, Language, TeamId};
use jiff::{Timestamp, tz::TimeZone};

use crate::{Mail, ShownName, messages::words};

/// What the owners of a team are told about its single sign-on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SsoNotice {
    /// The team has another identity provider.
    Chosen,
    /// Single sign-on was removed.
    Removed,
    /// An owner must confirm the provider by this time.
    Unconfirmed(Timestamp),
}

/// The mail that tells an owner what has happened with the single sign-on of a team. `link` is the page of the settings. It has the
/// team's id and, unless this is `None`, its name.
pub fn sso_notice(
    to: Email,
    language: Language,
    link: &str,
    team: &TeamId,
    name: Option<&ShownName>,
    notice: SsoNotice,
) -> Result<Mail, askama::Error> {
    let team = match (name, language) {
        (None, _) => team.to_string(),
        (Some(name), Language::En) => format!("“{name}” ({team})"),
        (Some(name), Language::De | Language::Fr | Language::It) => format!("«{name}» ({team})"),
    };
    let [subject, what, then, action, outro] = match (language, notice) {
        (Language::De, SsoNotice::Chosen) => [
            "Single Sign-on: neuer Identitätsanbieter".to_owned(),
            format!("Ein Eigentümer des Teams {team} hat den Identitätsanbieter gewählt oder gewechselt."),
            "Alle Domains müssen neu bestätigt und alle Konten neu verknüpft werden.".to_owned(),
            "Einstellungen (API)".to_owned(),
            "Wenn Sie davon nichts wissen, melden Sie sich mit einem Link an und entfernen Sie den Anbieter.".to_owned(),
        ],
        (Language::De, SsoNotice::Removed) => [
            "Single Sign-on wurde entfernt".to_owned(),
            format!("Single Sign-on des Teams {team} wurde entfernt."),
            "Alle Sitzungen des Identitätsanbieters sind beendet. Mitglieder melden sich mit einem Link an.".to_owned(),
            "Einstellungen (API)".to_owned(),
            "Wenn Sie davon nichts wissen, melden Sie sich mit einem Link an und prüfen Sie die Mitglieder.".to_owned(),
        ],
        (Language::De, SsoNotice::Unconfirmed(until)) => [
            "Single Sign-on muss bestätigt werden".to_owned(),
            format!("Wer den Identitätsanbieter des Teams {team} gewählt hat, ist nicht mehr Eigentümer."),
            format!("Ein Eigentümer muss den Anbieter bis {} bestätigen. Danach kann sich niemand mehr damit anmelden.", day(until)),
            "Bestätigen (API, POST)".to_owned(),
            "Bestätigen Sie nur einen Anbieter, den Ihre Organisation kontrolliert. Melden Sie sich dazu mit einem Link an.".to_owned(),
        ],
        (Language::Fr, SsoNotice::Chosen) => [
            "Authentification unique: nouveau fournisseur d’identité".to_owned(),
            format!("Un propriétaire de l’équipe {team} a choisi ou changé le fournisseur d’identité."),
            "Tous les domaines doivent être vérifiés et tous les comptes liés de nouveau.".to_owned(),
            "Paramètres (API)".to_owned(),
            "Si vous n’êtes pas au courant, connectez-vous avec un lien et supprimez le fournisseur.".to_owned(),
        ],
        (Language::Fr, SsoNotice::Removed) => [
            "L’authentification unique a été supprimée".to_owned(),
            format!("L’authentification unique de l’équipe {team} a été supprimée."),
            "Toutes les sessions du fournisseur d’identité sont terminées. Les membres se connectent avec un lien.".to_owned(),
            "Paramètres (API)".to_owned(),
            "Si vous n’êtes pas au courant, connectez-vous avec un lien et vérifiez les membres.".to_owned(),
        ],
        (Language::Fr, SsoNotice::Unconfirmed(until)) => [
            "L’authentification unique doit être confirmée".to_owned(),
            format!("La personne qui a choisi le fournisseur d’identité de l’équipe {team} n’est plus propriétaire."),
            format!("Un propriétaire doit confirmer le fournisseur avant le {}. Ensuite, personne ne pourra plus se connecter avec lui.", day(until)),
            "Confirmer (API, POST)".to_owned(),
            "Ne confirmez qu’un fournisseur que votre organisation contrôle. Connectez-vous pour cela avec un lien.".to_owned(),
        ],
        (Language::It, SsoNotice::Chosen) => [
            "Single sign-on: nuovo fornitore di identità".to_owned(),
            format!("Un proprietario del team {team} ha scelto o cambiato il fornitore di identità."),
            "Tutti i domini devono essere verificati e tutti gli account collegati di nuovo.".to_owned(),
            "Impostazioni (API)".to_owned(),
            "Se non ne siete al corrente, accedete con un link e rimuovete il fornitore.".to_owned(),
        ],
        (Language::It, SsoNotice::Removed) => [
            "Il single sign-on è stato rimosso".to_owned(),
            format!("Il single sign-on del team {team} è stato rimosso."),
            "Tutte le sessioni del fornitore di identità sono terminate. I membri accedono con un link.".to_owned(),
            "Impostazioni (API)".to_owned(),
            "Se non ne siete al corrente, accedete con un link e controllate i membri.".to_owned(),
        ],
        (Language::It, SsoNotice::Unconfirmed(until)) => [
            "Il single sign-on deve essere confermato".to_owned(),
            format!("Chi ha scelto il fornitore di identità del team {team} non è più proprietario."),
            format!("Un proprietario deve confermare il fornitore entro il {}. In seguito nessuno potrà più accedere con esso.", day(until)),
            "Confermare (API, POST)".to_owned(),
            "Confermate solo un fornitore controllato dalla vostra organizzazione. Accedete con un link per farlo.".to_owned(),
        ],
        (Language::En, SsoNotice::Chosen) => [
            "Single sign-on: another identity provider".to_owned(),
            format!("An owner of the team {team} has chosen or changed the identity provider."),
            "All domains must be verified again, and all accounts linked again.".to_owned(),
            "Settings (API)".to_owned(),
            "If you do not know about this, sign in with a link and remove the provider.".to_owned(),
        ],
        (Language::En, SsoNotice::Removed) => [
            "Single sign-on was removed".to_owned(),
            format!("Single sign-on of the team {team} was removed."),
            "All sessions of the identity provider have ended. Members sign in with a link.".to_owned(),
            "Settings (API)".to_owned(),
            "If you do not know about this, sign in with a link and check the members.".to_owned(),
        ],
        (Language::En, SsoNotice::Unconfirmed(until)) => [
            "Single sign-on must be confirmed".to_owned(),
            format!("The owner who chose the identity provider of the team {team} is no longer an owner."),
            format!("An owner must confirm the provider by {}. After that, nobody can sign in with it.", day(until)),
            "Confirm (API, POST)".to_owned(),
            "Confirm only a provider that your organisation controls. Sign in with a link to do so.".to_owned(),
        ],
    };
    words(&subject, [what.as_str(), &then], &action, [outro.as_str()]).into_mail(to, language, link)
}

/// The mail that asks a member whether an account at an identity provider is theirs.
pub fn sso_account(to: Email, language: Language, link: &str) -> Result<Mail, askama::Error> {
    let words = match language {
        Language::De => words(
            "Konto für Single Sign-on bestätigen",
            [
                "Mit einem Konto des Identitätsanbieters Ihres Teams wollte sich jemand als Sie bei Gotthard anmelden. Wenn Sie es waren, öffnen Sie diesen Link im gleichen Browser. Er gilt 10 Minuten.",
            ],
            "Konto bestätigen",
            ["Wenn Sie sich nicht angemeldet haben, ignorieren Sie diese E-Mail."],
        ),
        Language::Fr => words(
            "Confirmer le compte d’authentification unique",
            [
                "Quelqu’un a voulu se connecter à Gotthard en votre nom avec un compte du fournisseur d’identité de votre équipe. Si c’était vous, ouvrez ce lien dans le même navigateur. Il est valable 10 minutes.",
            ],
            "Confirmer le compte",
            ["Si vous ne vous êtes pas connecté, ignorez cet e-mail."],
        ),
        Language::It => words(
            "Confermare l’account per il single sign-on",
            [
                "Qualcuno ha voluto accedere a Gotthard a vostro nome con un account del fornitore di identità del vostro team. Se siete stati voi, aprite questo link nello stesso browser. È valido 10 minuti.",
            ],
            "Confermare l’account",
            ["Se non avete effettuato l’accesso, ignorate questa e-mail."],
        ),
        Language::En => words(
            "Confirm the account for single sign-on",
            [
                "Somebody wanted to sign in to Gotthard as you, with an account at the identity provider of your team. If it was you, open this link in the same browser. It is valid for 10 minutes.",
            ],
            "Confirm the account",
            ["If you have not signed in, ignore this e-mail."],
        ),
    };
    words.into_mail(to, language, link)
}

/// The time in Switzerland, to the minute.
fn day(time: Timestamp) -> String {
    let zone = TimeZone::get("Europe/Zurich").unwrap_or(TimeZone::UTC);
    time.to_zoned(zone).strftime("%Y-%m-%d %H:%M").to_string()
}

#[cfg(test)]
mod tests {
    use domain::typography::misprint;

    use super::*;

    const TEAM: &str = "0199c0de-00ff-7000-8000-000000000000";

    fn eva() -> Email {
        "eva@example.ch".parse().expect("an address")
    }

    #[test]
    fn each_language_and_event_has_its_own_texts_with_the_link_and_the_team() {
        let (link, team) = ("https://api.example/api/v1/teams/me/sso", TeamId(TEAM.into()));
        let until: Timestamp = "2026-11-27T12:30:00Z".parse().expect("a time");
        let notices = [SsoNotice::Chosen, SsoNotice::Removed, SsoNotice::Unconfirmed(until)];
        let mut subjects = Vec::new();
        for language in Language::ALL {
            for notice in notices {
                let name = ShownName::of_team("Muster & Co".to_owned(), None, until);
                let mail = sso_notice(eva(), language, link, &team, name.as_ref(), notice);
                let mail = mail.expect("a mail");
                assert!(mail.text.contains("Muster & Co"), "{}", mail.text);
                assert!(mail.html.contains("Muster &#38; Co"), "{}", mail.html);
                assert!(!mail.subject.contains("Muster"), "{}", mail.subject);
                assert!(mail.text.lines().any(|it| it == link), "{}", mail.text);
                assert!(mail.text.contains(TEAM) && mail.html.contains(TEAM), "{}", mail.text);
                assert!(!mail.subject.contains(TEAM), "{}", mail.subject);
                assert_eq!(misprint(&mail.subject).or(misprint(&mail.text)), None, "{}", mail.text);
                let is_dated = mail.text.contains("2026-11-27 13:30");
                assert_eq!(is_dated, matches!(notice, SsoNotice::Unconfirmed(_)), "{}", mail.text);
                subjects.push(mail.subject);
            }
            let mail = sso_account(eva(), language, link).expect("a mail");
            assert!(mail.text.lines().any(|it| it == link), "{}", mail.text);
            subjects.push(mail.subject);
        }
        let number = subjects.len();
        subjects.sort_unstable();
        subjects.dedup();
        assert_eq!(subjects.len(), number);
    }
}
