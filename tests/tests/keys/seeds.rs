//! The inputs that the fuzz targets start from (`fuzz/README.md`): small files by the programs that define the formats,
//! and by our own writers where those programs have none.

use std::path::{Path, PathBuf};
use std::process::Command;

use interlock_core::format::arkworks::Encoding;
use interlock_core::setup::{ToxicWaste, setup_zkey};
use interlock_curves::{Bls12_381, Bn254, ProvingCurve};
use interlock_tests::places::{fixture, repository};

use crate::arkworks::{BOTH, serialised, their_key, their_proof};
use crate::{bellman, samples};

/// The samples whose keys become seeds: few points, and both kinds of infinities.
const SMALL: [&str; 4] = ["one constraint", "no public input", "scattered", "unused variables"];

#[test]
#[ignore = "writes target/fuzz-seeds, for whoever changes the corpus"]
fn fuzz_seeds() {
    let folder = repository().join("target/fuzz-seeds");
    of_curve::<Bn254>(&folder);
    of_curve::<Bls12_381>(&folder);
    of_bellman(&folder);
    of_plugins(&folder);
}

fn put(folder: &Path, target: &str, name: &str, bytes: &[u8]) {
    let folder = folder.join(target);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name.replace(' ', "-")), bytes).unwrap();
}

/// What has a target of its own, and tells of itself what it is.
fn put_known(folder: &Path, target: &str, name: &str, bytes: &[u8]) {
    put(folder, target, name, bytes);
    put(folder, "detect", &format!("{target}-{name}"), bytes);
}

fn of_curve<E: ProvingCurve>(folder: &Path) {
    let curve = E::CURVE;
    let fixture = fixture(curve, "multiplier");
    for (file, target) in [
        ("circuit.zkey", "zkey"),
        ("witness.wtns", "wtns"),
        ("circuit.r1cs", "r1cs"),
        ("verification_key.json", "vk_json"),
        ("proof.json", "proof_json"),
        ("public.json", "public_json"),
    ] {
        put_known(folder, target, curve.name(), &std::fs::read(fixture.file(file)).unwrap());
    }
    for sample in samples::<E>() {
        let name = format!("{}-{curve}", sample.name);
        let write = |write: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = Vec::new();
            write(&mut bytes);
            bytes
        };
        put(folder, "r1cs", &name, &write(&|out| sample.r1cs.write(out).unwrap()));
        put(folder, "wtns", &name, &write(&|out| sample.witness.write(out).unwrap()));
        if !SMALL.contains(&sample.name) {
            continue;
        }
        let toxic = ToxicWaste::<E>::from_seed([7; 32]);
        put(
            folder,
            "zkey",
            &name,
            &write(&|out| {
                setup_zkey::<E>(&sample.r1cs, &toxic, &mut *out).unwrap();
            }),
        );
        let key = their_key::<E>(&sample);
        let proof = their_proof(&sample, &key);
        for compressed in BOTH {
            let encoding = Encoding { curve, compressed };
            let choice = Encoding::ALL.iter().position(|known| *known == encoding).unwrap() as u8;
            for (target, bytes) in [
                ("ark_pk", serialised(&key, compressed)),
                ("ark_vk", serialised(&key.vk, compressed)),
                ("ark_proof", serialised(&proof, compressed)),
            ] {
                let name = format!("{name}-{compressed:?}");
                put(folder, target, &name, &[&[choice], bytes.as_slice()].concat());
                put(folder, "detect", &format!("{target}-{name}"), &bytes);
            }
        }
    }
}

fn of_bellman(folder: &Path) {
    for sample in samples::<Bls12_381>() {
        let Some(params) = bellman::their_params(&sample).filter(|_| SMALL.contains(&sample.name)) else {
            continue;
        };
        let mut vk = Vec::new();
        params.vk.write(&mut vk).unwrap();
        let bytes = bellman::written(&params);
        let with_tail = [bytes.as_slice(), &[0xab; 52]].concat();
        put(folder, "bellman_params", &format!("{} with tail", sample.name), &with_tail);
        put_known(folder, "bellman_params", sample.name, &bytes);
        put_known(folder, "bellman_vk", sample.name, &vk);
        put_known(folder, "bellman_proof", sample.name, &bellman::their_proof(&sample, &params));
    }
}

const MANIFEST: &str = r#"manifest = 1
file = "libmine.so"
name = "mine"
version = "1.2.3"
abi_min = "0.1"
abi_max = "0.1"
sha256 = "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF"
devices = "any"
"#;

fn of_plugins(folder: &Path) {
    put_known(folder, "manifest", "plain", MANIFEST.as_bytes());
    put(folder, "manifest", "newer", MANIFEST.replace("0.1", "12.345").as_bytes());
    put(folder, "manifest", "tables", b"[a.b]\nc = [1, {d = 1979-05-27T07:32:00Z}]\ne = '''\nf'''\n");
    let scratch = tempfile::tempdir().unwrap();
    let source = scratch.path().join("door.c");
    std::fs::write(&source, "const void *interlock_get_api(const void *h) { return h; }\nint other;\n")
        .unwrap();
    for (name, flags) in [("gnu", "-Wl,--hash-style=gnu"), ("sysv", "-Wl,--hash-style=sysv")] {
        let library: PathBuf = scratch.path().join(name);
        let status = Command::new("cc")
            .args([
                "-shared",
                "-fPIC",
                "-nostdlib",
                "-s",
                "-Wl,-z,noseparate-code",
                "-Wl,--build-id=none",
                flags,
            ])
            .arg(&source)
            .arg("-o")
            .arg(&library)
            .status()
            .unwrap();
        assert!(status.success());
        put_known(folder, "elf", name, &std::fs::read(library).unwrap());
    }
}
