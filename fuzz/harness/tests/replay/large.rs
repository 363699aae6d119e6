//! Inputs that were findings, too large to be committed: small for what they once took.

use interlock_core::format::{R1cs, Witness};
use interlock_curves::{Bn254, Curve};

/// Target, a word about the input, and the input.
pub(super) fn inputs() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let list = |item: &str, count: usize| format!("[{}]", vec![item; count].join(",")).into_bytes();
    let entries: Vec<String> = (0..1 << 19).map(|i| format!("\"{i:x}\":0")).collect();
    let invisible = "\u{200b}".repeat(9 << 20);
    vec![
        ("public_json", "a million numbers", list("0", 1 << 20)),
        ("public_json", "as many numbers as are read", list("0", 1 << 19)),
        ("public_json", "lists of one number", list("[0]", 1 << 18)),
        ("public_json", "as many lists as are read", list("[0]", 1 << 17)),
        ("proof_json", "an object of many entries", format!("{{{}}}", entries.join(",")).into_bytes()),
        ("proof_json", "a long name", format!(r#"{{"protocol":"{invisible}"}}"#).into_bytes()),
        (
            "vk_json",
            "a long curve",
            format!(r#"{{"protocol":"groth16","curve":"{invisible}"}}"#).into_bytes(),
        ),
        ("detect", "a long name", format!(r#"{{"pi_a":0,"protocol":"{invisible}"}}"#).into_bytes()),
        ("detect", "a string with an escape", format!("[\"\\n{}\"]", "0".repeat(20 << 20)).into_bytes()),
        ("elf", "many symbols in one long name", long_name(200_000, 4 << 20)),
        ("wtns", "a long witness", witness(1 << 20)),
        ("r1cs", "empty constraints", circuit(1 << 18)),
    ]
}

/// A library whose symbols all begin in one name without a door.
fn long_name(symbols: usize, length: usize) -> Vec<u8> {
    const HEADER: usize = 64;
    const SYMBOL: usize = 24;
    let names = HEADER + symbols * SYMBOL;
    let sections = names + length;
    let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let halves = |halves: &[u16]| halves.iter().flat_map(|half| half.to_le_bytes()).collect::<Vec<u8>>();
    let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    let machine = if cfg!(target_arch = "aarch64") { 183 } else { 62 };
    // A shared object, version 1; no entry, no segments, sections at the end: three of 64 bytes, named in the last.
    file.extend(halves(&[3, machine, 1, 0]));
    file.extend(words(&[0, 0, sections as u64]));
    file.extend(halves(&[0, 0, HEADER as u16, 56, 0, 64, 3, 2]));
    for symbol in 0..symbols as u64 {
        // The name (none is at 0), a global function or a local symbol in section 1; an address, a size.
        let info = if symbol % 2 == 0 { 0x12 } else { 0 };
        file.extend(words(&[(1 + symbol % 64) | (info << 32) | (1 << 48), 1, 1]));
    }
    file.resize(sections - 1, b'a');
    file[names] = 0;
    file.push(0);
    file.extend([0; 64]);
    let section = |kind: u64, at: usize, size: usize, link: u64, item: usize| {
        words(&[kind << 32, 0, 0, at as u64, size as u64, link, 8, item as u64])
    };
    file.extend(section(11, HEADER, symbols * SYMBOL, 2, SYMBOL));
    file.extend(section(3, names, length, 0, 0));
    file
}

fn witness(length: usize) -> Vec<u8> {
    let scalars: Vec<_> =
        (1..=length as u64).map(<Bn254 as ark_ec::pairing::Pairing>::ScalarField::from).collect();
    let mut bytes = Vec::new();
    Witness::from_scalars::<Bn254>(&scalars).write(&mut bytes).unwrap();
    bytes
}

fn circuit(constraints: usize) -> Vec<u8> {
    let mut builder = R1cs::builder(Curve::Bn254, 0, 0, 0);
    for _ in 0..constraints {
        builder.constraint::<i64>(&[], &[], &[]);
    }
    let mut bytes = Vec::new();
    builder.build().unwrap().write(&mut bytes).unwrap();
    bytes
}

#[test]
fn the_library_with_long_names_is_read_to_its_symbols() {
    let door = interlock_core::loader::elf::check(&long_name(2, 4096));
    assert!(matches!(door, Err(interlock_core::loader::LoadError::NoDoor)), "{door:?}");
}
