use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use interlock_curves::{Bls12_381, Bn254, Curve, ProvingCurve, with_curve};
use serde_json::{Value, json};

use super::*;
use crate::{
    format::{FormatError, FormatErrorKind as Kind, damage},
    types::{Proof, PublicSignals, VerifyingKey},
};

fn scalar<E: ProvingCurve>(n: u64) -> E::ScalarField {
    E::ScalarField::from(n)
}

fn g1<E: ProvingCurve>(n: u64) -> E::G1Affine {
    (E::G1::generator() * scalar::<E>(n)).into_affine()
}

fn g2<E: ProvingCurve>(n: u64) -> E::G2Affine {
    (E::G2::generator() * scalar::<E>(n)).into_affine()
}

fn key<E: ProvingCurve>() -> VerifyingKey<E> {
    VerifyingKey {
        alpha_g1: g1::<E>(2),
        beta_g2: g2::<E>(3),
        gamma_g2: g2::<E>(1),
        delta_g2: g2::<E>(5),
        ic: vec![g1::<E>(7), E::G1Affine::zero(), g1::<E>(9)],
    }
}

fn proof<E: ProvingCurve>() -> Proof<E> {
    Proof { a: g1::<E>(11), b: g2::<E>(12), c: g1::<E>(13) }
}

fn read_key<E: ProvingCurve>(text: &str) -> Result<VerifyingKey<E>, FormatError> {
    verifying_key_from_json(&JsonFile::from_bytes("vk.json", text.as_bytes())?)
}

fn read_proof<E: ProvingCurve>(text: &str) -> Result<Proof<E>, FormatError> {
    proof_from_json(&JsonFile::from_bytes("proof.json", text.as_bytes())?)
}

fn read_public<E: ProvingCurve>(text: &str) -> Result<PublicSignals<E>, FormatError> {
    public_from_json(&JsonFile::from_bytes("public.json", text.as_bytes())?)
}

#[test]
fn round_trips() {
    for curve in Curve::ALL {
        with_curve!(curve, E => {
            let text = verifying_key_to_json(&key::<E>());
            assert_eq!(read_key::<E>(&text).unwrap(), key());
            assert_eq!(JsonFile::from_bytes("vk", text.as_bytes()).unwrap().curve().unwrap(), curve);
            let text = proof_to_json(&proof::<E>());
            assert_eq!(read_proof::<E>(&text).unwrap(), proof());
            let infinity = Proof { a: g1::<E>(0), b: g2::<E>(0), c: g1::<E>(0) };
            let text = proof_to_json(&infinity);
            let value: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(value["pi_a"], json!(["0", "1", "0"]));
            assert_eq!(value["pi_b"], json!([["0", "0"], ["1", "0"], ["0", "0"]]));
            assert_eq!(read_proof::<E>(&text).unwrap(), infinity);
            let public = PublicSignals::<E>(vec![scalar::<E>(0), -scalar::<E>(1)]);
            assert_eq!(read_public::<E>(&public_to_json(&public)).unwrap(), public);
            assert_eq!(public_to_json(&PublicSignals::<E>(Vec::new())), "[]");
        });
    }
}

#[test]
fn the_bytes_are_snarkjs_bytes() {
    let signals = PublicSignals::<Bn254>(vec![scalar::<Bn254>(33), scalar::<Bn254>(7)]);
    assert_eq!(public_to_json(&signals), "[\n \"33\",\n \"7\"\n]");
    let text = proof_to_json(&Proof::<Bn254> { a: g1::<Bn254>(1), ..proof() });
    assert!(
        text.starts_with("{\n \"pi_a\": [\n  \"1\",\n  \"2\",\n  \"1\"\n ],\n \"pi_b\": [\n  [\n   \""),
        "{text}"
    );
    assert!(text.ends_with(" \"protocol\": \"groth16\",\n \"curve\": \"bn128\"\n}"), "{text}");
}

#[test]
fn the_pairing_of_a_key_is_snarkjs_pairing() {
    // First and last component of e(G1, G2) as ffjavascript computes it: pairings by different exponents, or towers of
    // another order, would differ here.
    fn check<E: ProvingCurve>(first: &str, last: &str) {
        let key = VerifyingKey::<E> { alpha_g1: g1::<E>(1), beta_g2: g2::<E>(1), ..key() };
        let value: Value = serde_json::from_str(&verifying_key_to_json(&key)).unwrap();
        assert_eq!(value["vk_alphabeta_12"][0][0][0], first);
        assert_eq!(value["vk_alphabeta_12"][1][2][1], last);
    }
    check::<Bn254>(
        "17264119758069723980713015158403419364912226240334615592005620718956030922389",
        "440796048150724096437130979851431985500142692666486515369083499585648077975",
    );
    check::<Bls12_381>(
        "2819105605953691245277803056322684086884703000473961065716485506033588504203831029066448642358042597501014294104502",
        "2348330098288556420918672502923664952620152483128593484301759394583320358354186482723629999370241674973832318248497",
    );
}

/// A file with one field changed.
fn changed(text: &str, pointer: &str, to: Value) -> String {
    let mut value: Value = serde_json::from_str(text).unwrap();
    *value.pointer_mut(pointer).unwrap() = to;
    value.to_string()
}

#[test]
fn wrong_fields_are_named() {
    let text = proof_to_json(&proof::<Bn254>());
    let error = read_proof::<Bls12_381>(&text).unwrap_err().to_string();
    assert!(error.contains("bn128") && error.contains("bls12381"), "{error}");
    let error = read_proof::<Bn254>(&changed(&text, "/protocol", json!("plonk"))).unwrap_err().to_string();
    assert!(error.contains("plonk") && error.contains("groth16"), "{error}");
    let error = read_proof::<Bn254>(&changed(&text, "/curve", json!("secp256k1"))).unwrap_err().to_string();
    assert!(error.contains("secp256k1"), "{error}");

    let q = super::document::to_decimal(Curve::Bn254.base_modulus_le());
    for bad in [
        json!("-1"),
        json!("+1"),
        json!(""),
        json!("0x1"),
        json!(" 1"),
        json!("1_0"),
        json!(1.5),
        json!(-1),
        json!("1e3"),
    ] {
        let error = read_proof::<Bn254>(&changed(&text, "/pi_b/0/1", bad.clone())).unwrap_err().to_string();
        assert!(error.starts_with("proof.json: pi_b[0][1]: must be a string"), "{bad}: {error}");
    }
    for bad in [q.clone(), "9".repeat(100)] {
        let error = read_proof::<Bn254>(&changed(&text, "/pi_a/0", json!(bad))).unwrap_err().to_string();
        assert!(error.contains("pi_a[0]: is not below"), "{error}");
    }
    assert!(read_proof::<Bn254>(&changed(&text, "/pi_a/0", json!("9".repeat(5000)))).is_err());
    assert!(read_proof::<Bn254>(&changed(&text, "/pi_a", json!(["1", "2"]))).is_err());
    assert!(read_proof::<Bn254>(&changed(&text, "/pi_a", json!("1"))).is_err());
    assert!(read_proof::<Bn254>("[]").is_err());
    assert!(matches!(read_proof::<Bn254>("").unwrap_err().kind(), Kind::Empty));
}

#[test]
fn bad_points() {
    let text = proof_to_json(&proof::<Bn254>());
    let error = read_proof::<Bn254>(&changed(&text, "/pi_a", json!(["1", "3", "1"]))).unwrap_err();
    assert!(matches!(error.kind(), Kind::Point { .. }) && error.to_string().contains("pi_a"), "{error}");
    // Projective but not affine, zero without the infinity spelling, and the wire's infinity.
    for bad in [["1", "2", "2"], ["1", "2", "0"], ["0", "0", "0"], ["0", "0", "1"], ["0", "2", "0"]] {
        assert!(read_proof::<Bn254>(&changed(&text, "/pi_a", json!(bad))).is_err(), "{bad:?}");
    }
    for bad in [
        json!([["0", "0"], ["1", "1"], ["0", "0"]]),
        json!([["0", "0"], ["0", "0"], ["1", "0"]]),
        json!([["0", "0"], ["0", "0"], ["1", "1"]]),
    ] {
        assert!(read_proof::<Bn254>(&changed(&text, "/pi_b", bad.clone())).is_err(), "{bad}");
    }
    // (0, 2) has order 3 on BLS12-381's G1 curve.
    let text = proof_to_json(&proof::<Bls12_381>());
    let error = read_proof::<Bls12_381>(&changed(&text, "/pi_c", json!(["0", "2", "1"]))).unwrap_err();
    assert!(matches!(error.kind(), Kind::Subgroup { .. }), "{error}");
}

#[test]
fn counts_of_a_key() {
    let text = verifying_key_to_json(&key::<Bls12_381>());
    for n in [json!(1), json!(3), json!(u64::MAX), json!(-1), json!(2.5), json!("2")] {
        assert!(read_key::<Bls12_381>(&changed(&text, "/nPublic", n.clone())).is_err(), "{n}");
    }
    assert!(read_key::<Bls12_381>(&changed(&text, "/vk_alphabeta_12", json!(null))).is_ok(), "it is ignored");
}

#[test]
fn signals_are_reduced() {
    let r = super::document::to_decimal(Curve::Bn254.scalar_modulus_le());
    let error = read_public::<Bn254>(&format!("[\"1\", \"{r}\"]")).unwrap_err().to_string();
    assert!(error.contains("[1]: is not below"), "{error}");
    assert!(read_public::<Bls12_381>(&format!("[\"{r}\"]")).is_ok(), "r of bn254 is below that of bls12-381");
}

#[test]
fn damaged_files() {
    let text = verifying_key_to_json(&key::<Bn254>()).into_bytes();
    damage::truncations(&text, |bytes| {
        verifying_key_from_json::<Bn254>(&JsonFile::from_bytes("vk", &bytes)?)
    });
    damage::flips(&text, 1000, |bytes| {
        verifying_key_from_json::<Bn254>(&JsonFile::from_bytes("vk", &bytes)?)
    });
    let text = proof_to_json(&proof::<Bls12_381>()).into_bytes();
    damage::truncations(&text, |bytes| proof_from_json::<Bls12_381>(&JsonFile::from_bytes("p", &bytes)?));
    damage::flips(&text, 1000, |bytes| proof_from_json::<Bls12_381>(&JsonFile::from_bytes("p", &bytes)?));
    let text = public_to_json(&PublicSignals::<Bn254>(vec![scalar::<Bn254>(5); 3])).into_bytes();
    damage::truncations(&text, |bytes| public_from_json::<Bn254>(&JsonFile::from_bytes("p", &bytes)?));
    damage::flips(&text, 1000, |bytes| public_from_json::<Bn254>(&JsonFile::from_bytes("p", &bytes)?));
    let nested = "[".repeat(100_000);
    assert!(matches!(JsonFile::from_bytes("n", nested.as_bytes()).unwrap_err().kind(), Kind::JsonSyntax(_)));
}

/// snarkjs takes small JSON numbers for signals; larger ones have lost digits in the program that wrote them.
#[test]
fn small_numbers_will_do_for_signals() {
    let read = |text: &str| {
        public_from_json::<Bn254>(&JsonFile::from_bytes("public.json", text.as_bytes()).unwrap())
    };
    assert_eq!(read("[1, \"9007199254740991\"]").unwrap(), read("[\"1\", 9007199254740991]").unwrap());
    for bad in ["[9007199254740992]", "[1e3]", "[-1]", "[1.5]", "[true]", "[null]"] {
        assert!(read(bad).is_err(), "{bad}");
    }
}

/// Each of these is small and would take a hundred MB parsed, or more.
#[test]
fn what_would_take_much_memory_is_not_parsed() {
    let repeated = |item: &str, count: usize| format!("[{}]", vec![item; count].join(","));
    let entries: Vec<String> = (0..1 << 19).map(|i| format!("\"{i:x}\":0")).collect();
    for text in [
        repeated("0", 1 << 20),
        repeated("[0]", 1 << 18),
        repeated("{}", 1 << 11),
        format!("{{{}}}", entries.join(",")),
        format!("[\"\\n{}\"]", "0".repeat(2 << 20)),
    ] {
        let error = JsonFile::from_bytes("large.json", text.as_bytes()).unwrap_err();
        assert!(matches!(error.kind(), Kind::JsonValues { .. }), "{error}");
    }
    // A key with 100,000 public signals is read.
    assert!(JsonFile::from_bytes("vk.json", repeated("[\"1\",\"2\",\"1\"]", 100_001).as_bytes()).is_ok());
}

#[test]
fn a_message_repeats_the_beginning_of_a_name() {
    let text = format!(r#"{{"protocol": "{}", "curve": "bn128"}}"#, "\u{200b}".repeat(1000));
    let error = proof_from_json::<Bn254>(&JsonFile::from_bytes("p", text.as_bytes()).unwrap()).unwrap_err();
    assert!(error.to_string().len() < 1000, "{error}");
}
