//! Errors and help.

use std::net::TcpListener;

use domain::Source;
use sources::{SourceDescription, description};

use crate::{
    process::{run, serve},
    support::{temporary_directory, text, write, zefix_record},
};

#[test]
fn a_data_directory_in_use_is_not_changed() {
    let data = temporary_directory();
    let server = serve(data.path(), &["--companies", "0"]);
    let files = temporary_directory();
    let file = write(&files, "one.json", &zefix_record("CHE600000012", "Wollgras AG"));
    let here = text(data.path());
    for arguments in [
        &["import", "zefix", &file, "--data", here, "--dry-run"][..],
        &["reprocess", "zefix", "--data", here],
        &["--port", "0", "--data", here],
        &["--port", "0", "--data", here, "--reset"],
    ] {
        let output = run(arguments);
        assert_eq!(output.error(), format!("error: another process uses {here}; stop it first"));
    }
    assert!(data.path().join("local.json").exists());
    assert_eq!(server.company_name("CHE-600.000.012"), None);
}

#[test]
fn an_error_is_one_line_and_nothing_is_created() {
    let folder = temporary_directory();
    let data = folder.path().join("data");
    let here = text(&data);
    let garbage = write(&folder, "garbage.json", "neither JSON nor XML");
    let good = write(&folder, "one.json", &zefix_record("CHE600000012", "Wollgras AG"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let busy = listener.local_addr().expect("an address").port().to_string();
    let missing_import = "zefix=nowhere.json";
    for (arguments, reason) in [
        (&["--port", &busy, "--data", here][..], &*format!("cannot listen on port {busy}")),
        (
            &["--port", "0", "--data", here, "--import", missing_import],
            "nowhere.json: No such file",
        ),
        (
            &["--port", "0", "--data", here, "--import", &format!("zefix={garbage}")],
            "garbage.json: ",
        ),
        (&["--port", "0", "--data", here, "--import", &format!("gazette={good}")], "`gazette`"),
        (&["--port", "0", "--data", here, "--import", &good], "expected SOURCE=FILE"),
        (&["--port", "0", "--data", here, "--companies", "many"], "expected a number from 0 to"),
        (&["--port", "0", "--data", here, "--companies", "3000001"], "from 0 to 3000000"),
        (&["--port", "0", "--data", here, "--companies", "-1"], "-1"),
        (&["--port", "65536", "--data", here], "65536"),
        (&["--data", here, "--verbose"], "--verbose"),
        (&["--dta", here], "a similar argument exists: '--data'"),
        (&["--reset"], "--data"),
        (&["import", "zefix", "nowhere.json", "--data", here], "nowhere.json: No such file"),
        (&["import", "zefix", &garbage, "--data", here], "garbage.json: "),
        (&["import", "gazette", &good, "--data", here], "[possible values: zefix, shab, "),
        (&["import", "zefix", "--data", here], "<FILE>"),
        (&["import", "zefix", &good], "--data"),
        (&["import", "zefix", &good, "--data", here], "is not a directory"),
        (&["import", "zefix", &good, "--data", text(folder.path())], "is not a data directory"),
        (&["fetch", "gazette", "--data", here], "[possible values: zefix, shab, "),
        (&["fetch", "shab", "--data", here], "no server is running"),
        (&["print-env", "--data", here], "no server is running"),
        (&["look", "shab", "--data", here], "look"),
    ] {
        let output = run(arguments);
        assert!(output.error().contains(reason), "{arguments:?}: {output:?}");
        assert!(!data.exists(), "{arguments:?}");
    }
}

#[test]
fn help_lists_options_commands_variables_and_exit_codes() {
    let output = run(&["--help"]);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    for text in [
        "Usage: cargo run -- [OPTIONS]",
        "[default: 9000]",
        "--companies <N>",
        "import ",
        "reprocess ",
        "fetch ",
        "Examples:",
        "FETCH_CONTACT",
        "Exit codes:",
    ] {
        assert!(output.stdout.contains(text), "{text} in {}", output.stdout);
    }
}

#[test]
fn help_of_every_subcommand_shows_how_to_call_it() {
    for name in [
        "import",
        "reprocess",
        "import-localities",
        "fetch",
        "print-env",
        "erase-company",
        "erase-person",
        "erase-user",
        "erase-team",
        "apply-erasures",
        "create-teams",
        "change-team",
        "check-noga",
        "openapi",
    ] {
        let output = run(&[name, "--help"]);
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{name}");
        let usage = format!("Usage: cargo run -- {name}");
        assert!(output.stdout.contains(&usage), "{}", output.stdout);
    }
}

#[test]
fn help_lists_every_source_with_its_formats_and_content() {
    let (import, fetch) = (run(&["import", "--help"]).stdout, run(&["fetch", "--help"]).stdout);
    for source in Source::ALL {
        let SourceDescription { title, formats, states, .. } = description(source);
        let line = format!("- {source}: ");
        let line_of = |help: &str| {
            let found = help.lines().find_map(|it| Some(it.split_once(&line)?.1.trim().to_owned()));
            found.unwrap_or_else(|| panic!("{source} in {help}"))
        };
        assert_eq!(line_of(&import), format!("{title}: {}", formats.join(", ")));
        assert_eq!(line_of(&fetch), format!("{title}: {states}"));
    }
}
