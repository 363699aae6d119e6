//! Files over 4 GiB: every offset behind a ceremony's contributions of 5 GiB.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};

use interlock_curves::Curve;
use interlock_tests::places::fixture;

use crate::{Home, key_and_witness, section};

const CONTRIBUTIONS: u64 = 5 << 30;

#[test]
fn sections_behind_five_gigabytes_are_read() {
    for curve in [Curve::Bn254, Curve::Bls12_381] {
        let fixture = fixture(curve, "multiplier");
        let (key, _) = key_and_witness(&fixture);
        let home = Home::new();
        let path = home.at("large.zkey");
        let mut file = File::create(&path).unwrap();
        file.write_all(b"zkey").unwrap();
        file.write_all(&[1_u32.to_le_bytes(), 10_u32.to_le_bytes()].concat()).unwrap();
        let mut head = |id: u32, length: u64| {
            file.write_all(&id.to_le_bytes()).unwrap();
            file.write_all(&length.to_le_bytes()).unwrap();
            file.try_clone().unwrap()
        };
        // A hole in the file: it takes no room on the disk, and nobody should read it.
        head(10, CONTRIBUTIONS).seek(SeekFrom::Current(CONTRIBUTIONS as i64)).unwrap();
        for id in 1..=9 {
            let payload = &key[section(&key, id)];
            head(id, payload.len() as u64).write_all(payload).unwrap();
        }
        drop(file);
        assert!(std::fs::metadata(&path).unwrap().len() > CONTRIBUTIONS);
        // To remember a check takes the contents' hash, which reads all of them.
        let flags = ["-q", "--threads", "1", "--check-key", "always"];
        let (code, _, stderr) = home.prove(&path, &fixture.file("witness.wtns"), &flags);
        assert_eq!(code, 0, "{stderr}");
        let vk = fixture.file("verification_key.json");
        let args = ["verify".into(), vk, home.at("public.json"), home.at("proof.json")];
        assert_eq!(interlock_tests::program::call(home.path(), args).1, "OK\n");
    }
}
