//! The pages that a person sees while signing in, and what all pages have in common.

use askama::Template;
use auth::Language;
use axum::response::{Html, IntoResponse};
use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};

use crate::AllowedOrigins;

/// The only style of the pages. The policy of the page names its hash.
const STYLE: &str = "body{font-family:sans-serif;line-height:1.5;margin:0}main{max-width:32rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.6em 1.2em;border:0;background:#1a4d8f;color:#fff}textarea{width:100%;font-family:monospace;overflow-wrap:anywhere}";

/// The texts in one language.
struct Words {
    title: &'static str,
    question: &'static str,
    button: &'static str,
    done: &'static str,
    token: &'static str,
}

fn words(language: Language) -> Words {
    match language {
        Language::De => Words {
            title: "Anmelden bei Gotthard",
            question: "Bestätigen Sie, dass Sie sich anmelden möchten.",
            button: "Anmelden",
            done: "Sie sind angemeldet",
            token: "Token der Sitzung, gültig 12 Stunden:",
        },
        Language::Fr => Words {
            title: "Connexion à Gotthard",
            question: "Confirmez que vous souhaitez vous connecter.",
            button: "Se connecter",
            done: "Vous êtes connecté",
            token: "Jeton de la session, valable 12 heures:",
        },
        Language::It => Words {
            title: "Accesso a Gotthard",
            question: "Confermate di voler accedere.",
            button: "Accedere",
            done: "Accesso effettuato",
            token: "Token della sessione, valido 12 ore:",
        },
        Language::En => Words {
            title: "Sign in to Gotthard",
            question: "Confirm that you want to sign in.",
            button: "Sign in",
            done: "You are signed in",
            token: "Token of the session, valid for 12 hours:",
        },
    }
}

/// What every page has (`page.html`).
struct Page {
    language: Language,
    title: &'static str,
    style: &'static str,
}

impl Page {
    fn new(language: Language, title: &'static str) -> Self {
        Self { language, title, style: STYLE }
    }
}

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignIn<'a> {
    page: Page,
    words: Words,
    token: &'a str,
}

#[derive(Template)]
#[template(path = "signed_in.html")]
struct SignedIn<'a> {
    page: Page,
    words: Words,
    email: &'a str,
    team: &'a str,
    token: &'a str,
}

/// The texts of a link in a mail that asks whether something should be done, in one language.
pub(crate) struct Asking {
    pub(crate) title: &'static str,
    pub(crate) question: &'static str,
    pub(crate) button: &'static str,
    /// What the page says after the button was pressed.
    pub(crate) done: &'static str,
}

#[derive(Template)]
#[template(path = "question.html")]
struct Question<'a> {
    page: Page,
    words: Asking,
    /// What the question is about.
    about: &'a [&'a str],
    action: &'a str,
}

#[derive(Template)]
#[template(path = "done.html")]
struct Done {
    page: Page,
    text: &'static str,
}

/// The page that such a link opens. Only its button does something: programs that check mails open links too.
pub(crate) fn question(
    language: Language,
    words: Asking,
    about: &[&str],
    action: &str,
) -> Result<impl IntoResponse + use<>, askama::Error> {
    let page = Page::new(language, words.title);
    let html = Question { page, words, about, action }.render()?;
    Ok((headers(&AllowedOrigins::default()), Html(html)))
}

/// The page after its button was pressed.
pub(crate) fn done(
    language: Language,
    words: &Asking,
) -> Result<impl IntoResponse + use<>, askama::Error> {
    let html = Done { page: Page::new(language, words.title), text: words.done }.render()?;
    Ok((headers(&AllowedOrigins::default()), Html(html)))
}

/// The page of a sign-in link. Only its button uses up the link: programs that check mails open links too.
pub(crate) fn sign_in(
    language: Language,
    token: &str,
    origins: &AllowedOrigins,
) -> Result<impl IntoResponse + use<>, askama::Error> {
    let words = words(language);
    let html = SignIn { page: Page::new(language, words.title), words, token }.render()?;
    Ok((headers(origins), Html(html)))
}

/// The page after signing in, for persons without an application: it shows the token of the session.
pub(crate) fn signed_in(
    language: Language,
    email: &str,
    team: &str,
    token: &str,
) -> Result<impl IntoResponse + use<>, askama::Error> {
    let words = words(language);
    let page = Page::new(language, words.done);
    let html = SignedIn { page, words, email, team, token }.render()?;
    Ok((headers(&AllowedOrigins::default()), Html(html)))
}

/// Nothing is loaded or executed, nobody embeds the page, and no other site learns its address, which contains a token.
fn headers(origins: &AllowedOrigins) -> [(&'static str, String); 3] {
    let style = BASE64_STANDARD.encode(Sha256::digest(STYLE));
    let sources = origins.sources();
    // A browser applies `form-action` also to the redirect that answers the form.
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{style}'; form-action 'self'{sources}; base-uri 'none'; frame-ancestors 'none'"
    );
    [
        ("content-security-policy", policy),
        ("referrer-policy", "no-referrer".to_owned()),
        ("cache-control", "no-store".to_owned()),
    ]
}
