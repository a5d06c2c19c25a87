//! The command line as a user meets it: arguments in; output, files and exit codes out.

// The tests stop servers with signals.
#![cfg(unix)]

mod errors;
mod import;
mod process;
mod serve;
mod start_screen;
mod support;
