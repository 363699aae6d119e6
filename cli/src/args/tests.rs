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
    for prefix in ["0x", "0X"] {
        assert_eq!(format!("{prefix}{text}").parse::<Seed>().as_ref(), Ok(&seed));
    }
    assert!(format!("0x0x{}", &text[4..]).parse::<Seed>().is_err());
    for bad in ["", "00", &"g".repeat(64), &"0".repeat(63), &"0".repeat(65), &"é".repeat(32)] {
        assert!(bad.parse::<Seed>().is_err(), "{bad}");
    }
    let said = |text: &str| text.parse::<Seed>().unwrap_err();
    assert_eq!(said(&text[1..]), "a seed has exactly 64 hex digits, not 63");
    let digits = format!("0x{}g{}", "0".repeat(9), "1".repeat(54));
    assert_eq!(said(&digits), "a seed has exactly 64 hex digits: the character at position 10 is none");
    // Whatever was typed, it is not refused where it would be repeated, and never shown.
    for secret in ["", "-1", "5ec2e7", "\u{1b}[2J"] {
        let words = ["interlock", "prove", "k", "w", "p", "q", "--seed", secret];
        let Command::Prove(args) = Cli::try_parse_from(words).unwrap().command else { panic!() };
        assert!(!format!("{args:?}").contains("5ec2e7"));
        let text = args.proving.seed.unwrap().seed().unwrap_err().to_string();
        assert!(text.starts_with("--seed: a seed has exactly 64 hex digits, not "), "{text}");
    }
}

#[test]
fn relative_files_are_for_the_command_line() {
    let check = |text: &str| text.parse::<BackendList>().unwrap().only_absolute_files();
    for good in ["auto", "cuda, cpu", "/opt/libx.so,cpu"] {
        assert_eq!(check(good), Ok(()), "{good}");
    }
    for (bad, word) in [("evil.so", "evil.so"), ("cpu, ./x", "./x"), ("/a.so,b/c.so", "b/c.so")] {
        assert!(check(bad).unwrap_err().starts_with(&format!("{word:?} is not an absolute path")), "{bad}");
    }
    let parse = |words: &[&str]| Cli::command().try_get_matches_from(words).unwrap();
    let files = ["interlock", "prove", "k", "w", "p", "q", "--backend", "./x.so"];
    assert!(check_sources(&parse(&files)).is_ok());
    assert!(check_sources(&parse(&["interlock", "backends"])).is_ok());
    for words in [&["prove", "k", "w", "p", "q"][..], &["bench", "batch", "k", "w"], &["bench", "interlock"]]
    {
        let matches = parse(&[&["interlock"], words].concat());
        let flags = proving(&matches).unwrap_or_else(|| panic!("{words:?}"));
        assert!(flags.try_contains_id("backend").is_ok(), "{words:?}");
    }
}

#[test]
fn flags_of_a_batch() {
    let parse = |words: &[&str]| {
        Cli::try_parse_from([&["interlock", "bench"], words].concat()).map(|cli| match cli.command {
            Command::Bench(command) => command,
            other => panic!("{other:?}"),
        })
    };
    let plain = parse(&["batch", "k", "w"]).unwrap();
    assert_eq!((plain.name(), plain.wants_json()), ("bench batch", false));
    let BenchCommand::Batch(BenchBatchArgs { batch, .. }) = plain else { panic!() };
    assert_eq!((batch.kind, batch.count, batch.concurrency), (ProofType::Circom, 1, 1));
    assert_eq!((batch.partitions, batch.repeat, batch.warm_up), (1, 1, 1));
    let words = ["interlock", "--type", "synthetic", "-c", "20", "-j4", "--strategies", "a,b", "--json"];
    let compared = parse(&words).unwrap();
    assert_eq!((compared.name(), compared.wants_json()), ("bench interlock", true));
    let BenchCommand::Interlock(BenchInterlockArgs { batch, strategies, .. }) = compared else { panic!() };
    assert_eq!((batch.kind, batch.count, batch.concurrency), (ProofType::Synthetic, 20, 4));
    assert_eq!(strategies, ["a", "b"]);
    for bad in [
        &["batch", "-c", "0"][..],
        &["batch", "-j", "-1"],
        &["batch", "--type", "snark"],
        &["batch", "--partitions", "4097"],
        &["batch", "--curve", "bls"],
        &["batch", "--strategies", "whole"],
        &["interlock", "--interlock", "whole"],
        &["everything"],
    ] {
        assert_eq!(parse(bad).unwrap_err().exit_code(), 2, "{bad:?}");
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
    assert!(
        plain.backend.opening.allow_unsigned.is_none()
            && plain.proving.no_self_check.is_none()
            && !plain.json
    );
    let args = parse(&["--allow-unsigned", "--no-self-check=false", "--backend", "cuda,./libx.so"]).unwrap();
    assert_eq!((args.backend.opening.allow_unsigned, args.proving.no_self_check), (Some(true), Some(false)));
    assert_eq!(args.backend.backend, Some("cuda,./libx.so".parse().unwrap()));
    let both = parse(&["--backend-dir", "a", "--backend-dir", "b"]).unwrap();
    assert_eq!(both.backend.opening.search.backend_dir.len(), 2);
    assert!(args.backend.backend.unwrap().names().eq(["cuda"]));
    for bad in [&["--backend", "auto,cpu"][..], &["--progress", "loud"], &["-q", "-v"], &["extra"]] {
        assert_eq!(parse(bad).unwrap_err().exit_code(), 2, "{bad:?}");
    }
}

#[test]
fn formats_pairs_and_lists() {
    use interlock_core::files::Family;
    use interlock_core::format::arkworks::Compressed;

    let parse =
        |words: &[&str]| Cli::try_parse_from(["interlock"].iter().chain(words)).map(|cli| cli.command);
    let Command::Convert(args) = parse(&["convert", "a", "b", "-t", "arkworks", "--curve", "bn128"]).unwrap()
    else {
        panic!()
    };
    assert_eq!(
        (args.to, args.curve),
        (Family::Arkworks(Compressed::Yes), Some(interlock_curves::Curve::Bn254))
    );
    for bad in
        [&["convert", "a", "b"][..], &["convert", "a", "b", "-t", "ark"], &["convert", "a", "-t", "bellman"]]
    {
        assert_eq!(parse(bad).unwrap_err().exit_code(), 2, "{bad:?}");
    }
    let Command::Verify(args) = parse(&["verify", "vk", "a", "b", "c", "d", "--json"]).unwrap() else {
        panic!()
    };
    assert_eq!(args.files, ["a", "b", "c", "d"].map(PathBuf::from));
    let Command::Verify(args) = parse(&["verify", "vk", "--batch", "-"]).unwrap() else { panic!() };
    assert!(args.files.is_empty() && args.batch == Some("-".into()));
    for bad in [&["verify", "vk"][..], &["verify", "vk", "a"], &["verify", "vk", "--batch", "l", "a", "b"]] {
        assert_eq!(parse(bad).unwrap_err().exit_code(), 2, "{bad:?}");
    }
    let Command::Export(command) = parse(&["export", "vk", "k", "o", "--json"]).unwrap() else { panic!() };
    assert_eq!((command.name(), command.wants_json()), ("export vk", true));
    let Command::Prove(args) = parse(&["prove", "k", "w", "p", "q"]).unwrap() else { panic!() };
    assert_eq!((args.proof_format, args.check.check_key), (Family::Snarkjs, None));
}

#[test]
fn a_leading_hyphen_is_a_bad_value_and_no_unknown_flag() {
    for (flag, says) in [
        ("--timeout", "is not a number of seconds"),
        ("--threads", "is not a number of threads"),
        ("--memory-limit", "is not a size"),
        ("--device", "is not a device's number"),
    ] {
        let error = Cli::try_parse_from(["interlock", "prove", "k", "w", "p", "q", flag, "-1"]).unwrap_err();
        assert!(error.to_string().contains(says), "{flag}: {error}");
    }
}

#[test]
fn completions_offer_words_that_do_not_restrict() {
    let mut command = Cli::command();
    command.build();
    let prove = command.find_subcommand_mut("prove").unwrap();
    let backend = prove.get_arguments().find(|argument| argument.get_id() == "backend").unwrap();
    let offered = backend.get_possible_values();
    assert!(offered.iter().map(|value| value.get_name()).eq(["auto", "cpu", "embedded"]));
    let help = prove.render_long_help().to_string();
    let (_, general) = help.split_once("\nGeneral options:\n").unwrap();
    assert!(["--threads", "--json", "--quiet"].iter().all(|flag| general.contains(flag)), "{general}");
    assert!(!general.contains("--seed") && !help.contains("\nOptions:"), "{help}");
}

#[test]
fn words_of_other_programs_get_a_tip() {
    for (words, says) in [
        (&["interlock", "groth16", "prove", "k"][..], "`interlock prove` and `interlock verify`"),
        (&["interlock", "plugin", "list"], "`interlock backends`"),
        (&["interlock", "zkey", "export"], "`interlock export`"),
        (&["interlock", "export", "verificationkey"], "`interlock export vk KEY VKEY.json`"),
        (&["interlock", "export", "soliditycalldata"], "`interlock export calldata PROOF PUBLIC`"),
        (&["interlock", "provee"], "'prove'"),
    ] {
        let error = tips::with_tip(Cli::try_parse_from(words).unwrap_err());
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains(says), "{error}");
    }
}
