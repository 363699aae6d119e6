//! Variables that look like ours and are not.

use std::ffi::OsString;

use clap::CommandFactory as _;

use crate::args::Cli;

const PREFIX: &str = "INTERLOCK_";

/// Variables of the loader and of the CPU backend, and one of the repository's tests; all others belong to flags.
const BESIDE_FLAGS: [&str; 2] = ["INTERLOCK_BACKEND_PATH", "INTERLOCK_CPU_SIMD"];
const IGNORED: [&str; 1] = ["INTERLOCK_NODE_TOOLS"];

/// A warning when there are variables of our prefix that mean nothing to us: a typing mistake would go unnoticed. One that
/// is set to nothing counts as not set.
pub(crate) fn unknown(environment: impl Iterator<Item = (OsString, OsString)>) -> Option<String> {
    let known = known();
    let mut unknown: Vec<String> = environment
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, _)| name.to_string_lossy().escape_debug().to_string())
        .filter(|name| name.starts_with(PREFIX))
        .filter(|name| !known.contains(name) && !IGNORED.contains(&name.as_str()))
        .collect();
    unknown.sort();
    let plural = match unknown.len() {
        0 => return None,
        1 => "",
        _ => "s",
    };
    Some(format!("unknown variable{plural} {}; known: {}", unknown.join(", "), known.join(", ")))
}

/// The variables of all flags, and the rest.
fn known() -> Vec<String> {
    fn collect(command: &clap::Command, names: &mut Vec<String>) {
        let of_flags = command.get_arguments().filter_map(|argument| argument.get_env());
        names.extend(of_flags.map(|name| name.to_string_lossy().into_owned()));
        command.get_subcommands().for_each(|command| collect(command, names));
    }
    let mut names: Vec<String> = BESIDE_FLAGS.map(str::to_owned).into();
    collect(&Cli::command(), &mut names);
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_mistakes_are_told_and_known_names_are_not() {
        let said = |names: &[&str]| unknown(names.iter().map(|name| (name.into(), "1".into())));
        assert_eq!(
            said(&["PATH", "INTERLOCK_THREADS", "INTERLOCK_BACKEND_PATH", "INTERLOCK_NODE_TOOLS"]),
            None
        );
        let text = said(&["INTERLOCK_THRAEDS"]).unwrap();
        assert!(
            text.starts_with("unknown variable INTERLOCK_THRAEDS; known: INTERLOCK_ALLOW_UNSIGNED, "),
            "{text}"
        );
        for name in ["CONFIG", "BACKEND", "DEVICE", "MEMORY_LIMIT", "NO_SELF_CHECK", "TIMEOUT", "PROGRESS"] {
            assert!(text.contains(&format!(" INTERLOCK_{name}")), "{text}");
        }
        assert!(
            said(&["INTERLOCK_B", "INTERLOCK_A"]).unwrap().contains("variables INTERLOCK_A, INTERLOCK_B;")
        );
        assert_eq!(unknown([("INTERLOCK_X".into(), "".into())].into_iter()), None);
    }
}
