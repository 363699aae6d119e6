//! Each host with each plugin.

use std::path::{Path, PathBuf};
use std::process::Command;

use interlock_curves::{Bls12_381, Bn254, Curve, ProvingCurve};
use interlock_tests::places::{cpu_library, fixture, library, repository};
use interlock_tests::program::call;
use interlock_tests::{shell, template_c};

use crate::headers;
use crate::inputs::Inputs;

/// Today's header, or the one of a later version.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Version {
    Today,
    Later,
}

/// Two folders with a header each.
struct Headers(PathBuf, PathBuf);

impl Headers {
    fn write(root: &Path) -> Self {
        Self(headers::folder(), headers::write(&root.join("later"), &headers::grown()))
    }

    fn of(&self, version: Version) -> &Path {
        match version {
            Version::Today => &self.0,
            Version::Later => &self.1,
        }
    }
}

/// The host in C.
fn host<E: ProvingCurve>(root: &Path, headers: &Headers, version: Version) -> PathBuf {
    let name = match version {
        Version::Today => "today",
        Version::Later => "later",
    };
    let folder = root.join(format!("host-{name}-{}", E::CURVE));
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("inputs.h"), Inputs::<E>::new().header()).unwrap();
    let program = folder.join("host");
    let mut command = Command::new("cc");
    command.args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror"]);
    if version == Version::Later {
        command.arg("-DGROWN");
    }
    command.arg("-I").arg(headers.of(version)).arg("-I").arg(&folder).arg("-o").arg(&program);
    let status = command.arg(repository().join("tests/plugins/host.c")).arg("-ldl").status();
    assert!(status.unwrap().success(), "the host in C does not compile");
    program
}

/// The template in C, built against a header.
fn template(root: &Path, headers: &Headers, version: Version, name: &str) -> PathBuf {
    let build = root.join(format!("build-{name}"));
    let variables = [
        format!("NAME={name}"),
        format!("HEADER={}", headers.of(version).display()),
        format!("BUILD={}", build.display()),
        // Initialisers of the template name no field that it does not know.
        "WERROR=".into(),
    ];
    template_c::make(&template_c::folder(), &variables);
    let library = build.join(format!("libinterlock_{}.so", name.replace('-', "_")));
    shell::private(root);
    shell::private(&build);
    shell::private(&library);
    library
}

/// Runs the host with a plugin and gives what it printed.
fn run(host: &Path, plugin: &Path) -> String {
    let output = Command::new(host).arg(plugin).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let whole = output.status.success() && printed.ends_with("done\n");
    assert!(whole, "{} with {}: {}\n{printed}", host.display(), plugin.display(), output.status);
    printed
}

fn all_pairs<E: ProvingCurve>(root: &Path) {
    let headers = Headers::write(root);
    let hosts = [Version::Today, Version::Later].map(|version| (version, host::<E>(root, &headers, version)));
    let plugins = [
        (Version::Today, template(root, &headers, Version::Today, "of-today")),
        (Version::Later, template(root, &headers, Version::Later, "of-later")),
        (Version::Today, library("interlock_template_rust")),
        (Version::Today, cpu_library()),
    ];
    for (host_version, host) in &hosts {
        for (plugin_version, plugin) in &plugins {
            let printed = run(host, plugin);
            let pair = format!("{} with {}", host.display(), plugin.display());
            Inputs::<E>::new().check(&printed, &pair);
            let says = |line: &str| assert!(printed.contains(line), "{pair}: no {line:?} in\n{printed}");
            // Whose table is longer, by the sizes that they tell each other.
            let (larger, smaller) = (plugin_version > host_version, plugin_version < host_version);
            says(&format!("table larger {}, smaller {}\n", u8::from(larger), u8::from(smaller)));
            says("budget of 1 GiB 1, scalars counted 1\n");
            says("error 1 with a message 1\n");
            match (host_version, plugin_version) {
                (Version::Today, _) => assert!(!printed.contains("appended"), "{pair}: {printed}"),
                // A plugin that does not know a field leaves it as it was.
                (Version::Later, Version::Today) => {
                    says("later function 0\n");
                    says("probe appended a5a5a5a5 a5a5a5a5a5a5a5a5\n");
                    assert!(!printed.contains("appended 0"), "{pair}: {printed}");
                }
                // One that does writes it.
                (Version::Later, Version::Later) => {
                    says("later function 0\n");
                    says("probe appended 0 0\n");
                }
            }
        }
    }
    // Strategies, whose decisions lie a caller's size apart: those of the SDK, under either host.
    let cpu = cpu_library();
    let [today, later] = hosts.map(|(_, host)| run(&host, &cpu));
    let strategies = |printed: &str| -> Vec<String> {
        let of =
            |line: &&str| ["strategy ", "decided ", "account "].iter().any(|start| line.starts_with(start));
        let known = |line: &&str| !line.contains("appended");
        printed.lines().filter(of).filter(known).map(str::to_owned).collect()
    };
    assert_eq!(strategies(&today), strategies(&later));
    assert!(strategies(&today).contains(&"strategy ledger".into()), "{today}");
    assert!(strategies(&today).contains(&"decided 1 kind 0 phase 1".into()), "{today}");
}

#[test]
fn hosts_and_plugins_of_two_versions_use_what_both_know() {
    let root = tempfile::tempdir().unwrap();
    for (curve, run) in [("bn254", all_pairs::<Bn254> as fn(&Path)), ("bls12-381", all_pairs::<Bls12_381>)] {
        let folder = root.path().join(curve);
        std::fs::create_dir(&folder).unwrap();
        run(&folder);
    }
}

#[test]
fn the_program_proves_with_a_plugin_of_a_later_version() {
    let root = tempfile::tempdir().unwrap();
    let headers = Headers::write(root.path());
    let library = template(root.path(), &headers, Version::Later, "of-later");
    for curve in [Curve::Bn254, Curve::Bls12_381] {
        let fixture = fixture(curve, "multiplier");
        let flags = ["prove", "-q", "--allow-unsigned", "--check-against", "embedded", "--backend"];
        let files = [library.clone(), fixture.file("circuit.zkey"), fixture.file("witness.wtns")];
        let outputs = ["p.json".into(), "u.json".into()];
        let (code, _, stderr) = call(root.path(), flags.iter().map(Into::into).chain(files).chain(outputs));
        assert_eq!(code, 0, "{curve}: {stderr}");
    }
    let file = library.display().to_string();
    let flags =
        ["plugin", "check", &file, "--allow-unsigned", "--group", "load", "--group", "abi", "--quick"];
    let (code, stdout, stderr) = call(root.path(), flags);
    assert_eq!(code, 0, "{stdout}{stderr}");
}
