use serde_json::json;

use super::*;

const PLAIN: &str = r#"
#let data = json("data.json")
#set document(title: data.text, date: datetime(year: 2026, month: 10, day: 21))
#set text(font: "Inter", lang: "en")
#data.text
"#;

fn rendered(template: &'static str, text: &str) -> Result<Rendered, Error> {
    Typesetter::new(template).render(json!({ "text": text }))
}

#[test]
fn the_same_data_gives_the_same_bytes() {
    let typesetter = Typesetter::new(PLAIN);
    let file = |text: &str| typesetter.render(json!({ "text": text })).expect("a file");
    let first = file("Müller AG");
    assert!(first.bytes.starts_with(b"%PDF-1."), "a PDF file");
    assert_eq!(first.warnings, Vec::<String>::new());
    assert_ne!(first.bytes, file("Meier AG").bytes);
    assert_eq!(first.bytes, file("Müller AG").bytes);
    assert_eq!(first.bytes, rendered(PLAIN, "Müller AG").expect("a file").bytes);
}

#[test]
fn data_is_never_markup() {
    for text in ["#panic()", "$x$ @nowhere *bold* _it_", "#let a = 1; \\ ` [ ] { } < > // /*"] {
        let file = rendered(PLAIN, text).unwrap_or_else(|it| panic!("{text}: {it}"));
        assert_eq!(file.warnings, Vec::<String>::new(), "{text}");
    }
}

#[test]
fn templates_read_no_other_file_and_no_clock() {
    for (template, message) in [
        ("#read(\"/etc/passwd\")", "access denied"),
        ("#read(\"template.typ\")", "access denied"),
        ("#include \"other.typ\"", "access denied"),
        ("#import \"@preview/cetz:0.4.0\": *", "access denied"),
        ("#datetime.today()", "unable to get the current date"),
    ] {
        let error = rendered(template, "").expect_err(template).to_string();
        assert!(error.contains(message), "{template}: {error}");
    }
}

#[test]
fn every_text_can_be_shown() {
    let characters = Characters::of(Fixed::new(PLAIN).fonts());
    for (text, expected) in [
        ("Škvorecký, Łódź, Zoë Çelik, Iași, Ægir", "Škvorecký, Łódź, Zoë Çelik, Iași, Ægir"),
        ("Ελλάς Москва", "Ελλάς Москва"),
        // Decomposed.
        ("Zu\u{308}rich", "Zürich"),
        ("北京 AG", "Bei Jing  AG"),
        ("a\u{202e}b\u{200b}c\td\u{0}e", "abc d e"),
        ("\u{e000}\u{10fffd}", "??"),
    ] {
        assert_eq!(characters.representable(text), expected, "{text:?}");
    }
    for text in ["北京 שלום العربية 😀 \u{e000} \u{feff}\u{0}\u{85}\u{2028}", "\u{1d54f} ﬁ ẞ €"]
    {
        let file = rendered(PLAIN, text).unwrap_or_else(|it| panic!("{text:?}: {it}"));
        assert_eq!(file.warnings, Vec::<String>::new(), "{text:?}");
    }
}
