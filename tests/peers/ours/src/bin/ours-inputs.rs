//! Makes what the measurements are made on.
//!
//! - `--circuit K --curve C --r1cs F --wtns F`: SHA-256 for a domain of 2^K.
//! - `--profile yes --r1cs F --wtns F`: prints what of a circuit decides how long a proof takes.
//! - `--sums K --curve C --group g1|g2 --points F --scalars F`: 2^K points and scalars.

use std::fs;
use std::io::{BufWriter, Write};

use anyhow::{Context, Result, bail};
use interlock_curves::{Curve, ProvingCurve, with_curve};
use ours::{points, profile, sha256};
use peers_common::{Args, Circuit};

fn main() -> Result<()> {
    let args = Args::from_env()?;
    if args.optional("circuit").is_some() {
        circuit(args.number("circuit")?, args.curve()?, &args)
    } else if args.optional("profile").is_some() {
        let Circuit { r1cs, witness } = Circuit::open(&args)?;
        writeln!(std::io::stdout(), "{}", profile::profile(&r1cs, &witness)).context("cannot print")
    } else {
        with_curve!(args.curve()?, E => sums::<E>(1 << args.number("sums")?, &args))
    }
}

fn circuit(k: u32, curve: Curve, args: &Args) -> Result<()> {
    // Any message will do; this one has as many ones as zeros.
    let word = |i: usize| (i as u32 + 1).wrapping_mul(0x9e37_79b9).rotate_left(i as u32 % 31);
    let made = sha256::of_domain(curve, k, word);
    let unsatisfied = made.r1cs.first_unsatisfied(&made.witness)?;
    if let Some(constraint) = unsatisfied {
        bail!("the witness does not satisfy constraint {constraint:?}");
    }
    let mut out = create(args, "r1cs")?;
    made.r1cs.write(&mut out)?;
    out.flush()?;
    let mut out = create(args, "wtns")?;
    made.witness.write(&mut out)?;
    Ok(out.flush()?)
}

fn sums<E: ProvingCurve>(n: usize, args: &Args) -> Result<()> {
    let bytes = match args.get("group")? {
        "g1" => packed(points::points::<E::G1>(n), E::CURVE.g1_bytes(), E::write_g1),
        "g2" => packed(points::points::<E::G2>(n), E::CURVE.g2_bytes(), E::write_g2),
        other => bail!("--group {other}: g1 or g2"),
    };
    create(args, "points")?.write_all(&bytes)?;
    create(args, "scalars")?.write_all(&points::scalars::<E>(n))?;
    Ok(())
}

fn packed<P>(points: Vec<P>, size: usize, write: impl Fn(&P, &mut [u8])) -> Vec<u8> {
    let mut bytes = vec![0; size * points.len()];
    points.iter().zip(bytes.chunks_exact_mut(size)).for_each(|(point, out)| write(point, out));
    bytes
}

fn create(args: &Args, name: &str) -> Result<BufWriter<fs::File>> {
    let path = args.get(name)?;
    Ok(BufWriter::new(fs::File::create(path).with_context(|| path.to_owned())?))
}
