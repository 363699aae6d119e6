//! The check of a key's bases, and what is remembered of it.

use std::path::Path;

use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{PrimeField, UniformRand};
use ark_serialize::{CanonicalDeserialize as _, CanonicalSerialize as _};
use ark_std::rand::SeedableRng;
use ark_std::rand::rngs::StdRng;
use interlock_core::format::arkworks::Compressed;
use interlock_curves::{Bls12_381, Bn254, Curve, ProvingCurve};
use interlock_tests::places::fixture;
use interlock_tests::program::{call, interlock, run};
use serde_json::Value;

use crate::library::{arkworks_key, sample, write};
use crate::{Home, key_and_witness, section};

/// A point of the curve whose order divides the cofactor: r times a random one.
fn torsion<P: SWCurveConfig>() -> Affine<P> {
    let mut rng = StdRng::seed_from_u64(1);
    loop {
        let x = P::BaseField::rand(&mut rng);
        let Some(point) = Affine::<P>::get_point_from_x_unchecked(x, true) else { continue };
        let point = point.mul_bigint(P::ScalarField::MODULUS).into_affine();
        if !point.is_zero() {
            return point;
        }
    }
}

/// The `multiplier` key with the second base of a section moved out of the subgroup.
fn hostile<E: ProvingCurve>(id: u32, size: usize, shift: impl Fn(&mut [u8])) -> Vec<u8> {
    let (mut key, _) = key_and_witness(&fixture(E::CURVE, "multiplier"));
    let start = section(&key, id).start + size;
    shift(&mut key[start..start + size]);
    key
}

fn hostile_b2() -> Vec<u8> {
    let torsion = torsion::<ark_bn254::g2::Config>();
    hostile::<Bn254>(7, 128, |bytes| {
        let point = Bn254::read_g2(bytes).unwrap();
        Bn254::write_g2(&(point + torsion).into_affine(), bytes);
    })
}

fn hostile_h() -> Vec<u8> {
    let torsion = torsion::<ark_bls12_381::g1::Config>();
    hostile::<Bls12_381>(9, 96, |bytes| {
        let point = Bls12_381::read_g1(bytes).unwrap();
        Bls12_381::write_g1(&(point + torsion).into_affine(), bytes);
    })
}

/// The report of a proof that must come about.
fn report(home: &Home, key: &Path, flags: &[&str]) -> Value {
    let witness = fixture(Curve::Bn254, "multiplier").file("witness.wtns");
    let (code, stdout, stderr) = home.prove(key, &witness, &[&["--json", "-q"], flags].concat());
    assert_eq!(code, 0, "{stderr}");
    serde_json::from_str(&stdout).unwrap()
}

#[test]
fn a_base_outside_the_subgroup_is_refused_before_proving() {
    for (curve, bytes, query) in [(Curve::Bn254, hostile_b2(), "B2"), (Curve::Bls12_381, hostile_h(), "H")] {
        let home = Home::new();
        let key = home.write("hostile.zkey", &bytes);
        let witness = fixture(curve, "multiplier").file("witness.wtns");
        let said = format!("base 1 of its query {query}");
        for when in ["once", "always", "once"] {
            let (code, _, stderr) = home.prove(&key, &witness, &["--check-key", when]);
            assert_eq!(code, 3, "{stderr}");
            for part in ["hostile.zkey", &said, "subgroup", "\"check_key\"", "hint: "] {
                assert!(stderr.contains(part), "{part:?} is not said: {stderr}");
            }
            assert!(!stderr.contains("\"load_key\""), "nothing was proved: {stderr}");
        }
        let (code, stdout, stderr) = call(home.path(), ["inspect".into(), key.clone(), "--check".into()]);
        assert_eq!((code, stdout.as_str()), (3, ""), "{stderr}");
        assert!(stderr.contains(&said), "{stderr}");
        assert_eq!(home.files(), ["hostile.zkey"]);
    }
}

#[test]
fn a_good_key_is_checked_once_and_a_changed_one_again() {
    let home = Home::new();
    let (good, _) = key_and_witness(&fixture(Curve::Bn254, "multiplier"));
    let key = home.write("c.zkey", &good);
    let first = report(&home, &key, &[]);
    assert_eq!(first["key"]["check"], "done");
    assert!(first["phases_ms"]["check_key"].is_number(), "{first}");
    assert_eq!(report(&home, &key, &[])["key"]["check"], "remembered");
    // Another file with the same contents.
    let copy = home.write("copy.zkey", &good);
    assert_eq!(report(&home, &copy, &[])["key"]["check"], "remembered");
    assert_eq!(report(&home, &key, &["--check-key", "always"])["key"]["check"], "done");
    let never = report(&home, &key, &["--check-key", "never"]);
    assert_eq!(never["key"]["check"], "skipped");
    assert!(never["phases_ms"].get("check_key").is_none(), "{never}");

    // The same path and length, other contents.
    let bad = hostile_b2();
    assert_eq!(bad.len(), good.len());
    std::fs::write(&key, bad).unwrap();
    let witness = fixture(Curve::Bn254, "multiplier").file("witness.wtns");
    let (code, _, stderr) = home.prove(&key, &witness, &["-q"]);
    assert!(code == 3 && stderr.contains("query B2"), "{code}: {stderr}");
    std::fs::write(&key, &good).unwrap();
    assert_eq!(report(&home, &key, &[])["key"]["check"], "remembered");
}

#[test]
fn variable_and_configuration_say_when() {
    let home = Home::new();
    let fixture = fixture(Curve::Bn254, "multiplier");
    let config = home.write("interlock.toml", b"check_key = \"never\"\n");
    let check = |variable: Option<&str>| {
        let mut command = interlock(home.path());
        command.env("INTERLOCK_CONFIG", &config).envs(variable.map(|value| ("INTERLOCK_CHECK_KEY", value)));
        let files = ["circuit.zkey", "witness.wtns"].map(|file| fixture.file(file));
        let (code, stdout, stderr) =
            run(command.args(["prove", "--json", "-q"]).args(files).args(["proof.json", "public.json"]));
        assert_eq!(code, 0, "{stderr}");
        serde_json::from_str::<Value>(&stdout).unwrap()["key"]["check"].clone()
    };
    assert_eq!(check(None), "skipped");
    assert_eq!(check(Some("always")), "done");
    assert_eq!(check(Some("once")), "done");
    assert_eq!(check(Some("once")), "remembered");
}

#[test]
fn inspect_checks_and_remembers_keys_of_all_families() {
    let home = Home::new();
    let fixture = fixture(Curve::Bn254, "multiplier");
    let inspect = |key: &Path| {
        let (code, stdout, stderr) =
            call(home.path(), ["inspect".into(), key.to_path_buf(), "--check".into(), "--json".into()]);
        assert_eq!(code, 0, "{stderr}");
        serde_json::from_str::<Value>(&stdout).unwrap()
    };
    let told = inspect(&fixture.file("circuit.zkey"));
    assert_eq!(told["bases_ok"], true);
    assert_eq!(report(&home, &fixture.file("circuit.zkey"), &[])["key"]["check"], "remembered");

    let sample = sample::<Bls12_381>("domain exactly full");
    let (circuit, witness) = write(&home, &sample);
    let mut bytes = arkworks_key::<Bls12_381>(&sample, Compressed::No);
    let key = home.write("ark.key", &bytes);
    let told = inspect(&key);
    assert_eq!((&told["kind"], &told["compressed"]), (&"arkworks_proving_key".into(), &false.into()));
    assert_eq!((&told["signals"], &told["domain"]), (&sample.r1cs.n_wires().into(), &16.into()));
    // A, B twice, H and L, as the counts imply.
    let (vars, public) = (u64::from(sample.r1cs.n_wires()), u64::from(sample.r1cs.n_public()));
    assert_eq!(told["bases_checked"], 3 * vars + 15 + vars - public - 1);
    assert!(told["sha256"].as_str().unwrap().len() == 64 && told["warnings"] == serde_json::json!([]));
    let circuit = circuit.display().to_string();
    let (code, stdout, stderr) = home.prove(&key, &witness, &["--json", "-q", "--r1cs", &circuit]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(serde_json::from_str::<Value>(&stdout).unwrap()["key"]["check"], "remembered");

    // Its last point, of L, moved out of the subgroup.
    let at = bytes.len() - 96;
    let point = ark_bls12_381::G1Affine::deserialize_uncompressed_unchecked(&bytes[at..]).unwrap();
    let point = (point + torsion::<ark_bls12_381::g1::Config>()).into_affine();
    bytes.truncate(at);
    point.serialize_uncompressed(&mut bytes).unwrap();
    let key = home.write("ark.key", &bytes);
    let (code, _, stderr) = call(home.path(), ["inspect".into(), key.clone(), "--check".into()]);
    assert!(code == 3 && stderr.contains("subgroup") && stderr.contains("L["), "{code}: {stderr}");
    let (code, _, stderr) = home.prove(&key, &witness, &["-q", "--r1cs", &circuit]);
    assert!(code == 3 && stderr.contains("query L"), "{code}: {stderr}");
    let (code, _, stderr) =
        call(home.path(), ["inspect".into(), fixture.file("proof.json"), "--check".into()]);
    assert_eq!(code, 2, "{stderr}");
}

#[cfg(unix)]
#[test]
fn only_a_folder_of_ones_own_remembers() {
    use std::os::unix::fs::PermissionsExt as _;

    let home = Home::new();
    let fixture = fixture(Curve::Bn254, "multiplier");
    let prove = |command: &mut std::process::Command| {
        let files = ["circuit.zkey", "witness.wtns"].map(|file| fixture.file(file));
        let command = command.args(["prove", "--json"]).args(files);
        let (code, stdout, stderr) = run(command.args(["proof.json", "public.json"]));
        assert_eq!(code, 0, "{stderr}");
        (serde_json::from_str::<Value>(&stdout).unwrap()["key"]["check"].clone(), stderr)
    };
    for _ in 0..2 {
        let mut command = interlock(home.path());
        let (check, stderr) = prove(command.env_remove("HOME").env_remove("XDG_CACHE_HOME"));
        assert_eq!(check, "done");
        assert_eq!(stderr.matches("key checks are not remembered").count(), 1, "{stderr}");
    }
    // Without a cache folder of its own, the home's.
    assert_eq!(prove(interlock(home.path()).env_remove("XDG_CACHE_HOME")).0, "done");
    assert!(home.at(".cache/interlock/keys").is_dir());
    assert_eq!(prove(interlock(home.path()).env_remove("XDG_CACHE_HOME")).0, "remembered");
    // Everybody could vouch for bad keys there.
    let folder = home.at(".cache/interlock/keys");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    let (check, stderr) = prove(interlock(home.path()).env_remove("XDG_CACHE_HOME"));
    assert_eq!(check, "done");
    assert!(stderr.contains("may be written by everybody"), "{stderr}");
}
