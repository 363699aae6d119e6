use std::time::Duration;

use super::values::{seconds, threads};
use super::*;

#[test]
fn the_flags_are_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn every_flag_has_a_line_of_help() {
    fn check(command: &clap::Command) {
        for argument in command.get_arguments() {
            assert!(argument.get_help().is_some(), "{} {}", command.get_name(), argument.get_id());
        }
        command.get_subcommands().for_each(check);
    }
    check(&Cli::command());
}

#[test]
fn sizes() {
    let size = |text: &str| text.parse::<MemorySize>().map(|size| size.0);
    assert_eq!(size("1073741824"), Ok(1 << 30));
    assert_eq!(size("512MiB"), Ok(512 << 20));
    assert_eq!(size(" 2 gib "), Ok(2 << 30));
    assert_eq!(size("2G"), Ok(2 << 30));
    assert_eq!(size("1.5KiB"), Ok(1536));
    assert_eq!(size("2MB"), Ok(2_000_000));
    for bad in
        ["", "GiB", "-1", "1.5", "1..5GiB", "12 parsecs", "0", "0GiB", "99999999999TiB", "1e9", "1.5.2G", "٣"]
    {
        assert!(size(bad).is_err(), "{bad}");
    }
    assert!(size("18446744073709551616").is_err());
}

#[test]
fn seeds() {
    let text = format!("{}{}", "0123456789abcdefABCDEF00", "0".repeat(40));
    let seed: Seed = text.parse().unwrap();
    assert_eq!(seed.0[..5], [0x01, 0x23, 0x45, 0x67, 0x89]);
    assert_eq!(format!("{seed:?}"), "Seed(…)");
    for bad in ["", "00", &"g".repeat(64), &"0".repeat(63), &"0".repeat(65), &"é".repeat(32)] {
        assert!(bad.parse::<Seed>().is_err(), "{bad}");
    }
}

#[test]
fn threads_and_seconds() {
    assert_eq!(threads("8"), Ok(8));
    assert!(threads("0").is_err() && threads("4097").is_err() && threads("-1").is_err());
    assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
    for bad in ["0", "-1", "NaN", "inf", "1e300", "soon"] {
        assert!(seconds(bad).is_err(), "{bad}");
    }
}

#[test]
fn flags_of_a_proof() {
    let parse = |words: &[&str]| {
        let files = ["interlock", "prove", "k", "w", "p", "q"];
        Cli::try_parse_from(files.iter().chain(words)).map(|cli| match cli.command {
            Command::Prove(args) => args,
            other => panic!("{other:?}"),
        })
    };
    let plain = parse(&[]).unwrap();
    assert!(plain.backend.allow_unsigned.is_none() && plain.no_self_check.is_none() && !plain.json);
    let args = parse(&["--allow-unsigned", "--no-self-check=false", "--backend", "cuda,./libx.so"]).unwrap();
    assert_eq!((args.backend.allow_unsigned, args.no_self_check), (Some(true), Some(false)));
    assert_eq!(args.backend.backend, Some("cuda,./libx.so".parse().unwrap()));
    let both = parse(&["--backend-dir", "a", "--backend-dir", "b"]).unwrap();
    assert_eq!(both.backend.search.backend_dir.len(), 2);
    for bad in
        [&["--backend", "auto,cpu"][..], &["--seed", "1"], &["--progress", "loud"], &["-q", "-v"], &["extra"]]
    {
        assert_eq!(parse(bad).unwrap_err().exit_code(), 2, "{bad:?}");
    }
}
