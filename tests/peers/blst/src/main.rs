//! Sums of multiples of points by blst's own Pippenger, which brings its own threads: one per CPU that this process may
//! use.
//!
//! `--group g1|g2 --points F --scalars F --threads N`: the files are those of `ours-inputs`. The points' encoding there is
//! that of blst's structures.

use std::fs;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use blst::{MultiPoint, blst_fp, blst_fp2, blst_p1_affine, blst_p2_affine, p1_affines, p2_affines};
use peers_common::{Args, Meter, hex};
use serde_json::json;

const SCALAR_BITS: usize = 255;
const FP_BYTES: usize = 48;

fn main() -> Result<()> {
    let args = Args::from_env()?;
    let meter = Meter::new(&args)?;
    let cpus = std::thread::available_parallelism()?.get();
    ensure!(cpus == meter.threads() as usize, "blst would use {cpus} threads: set the CPU affinity");
    match args.get("group")? {
        "g1" => {
            let points = read(&args, 2 * FP_BYTES, |bytes| blst_p1_affine {
                x: fp(&bytes[..FP_BYTES]),
                y: fp(&bytes[FP_BYTES..]),
            })?;
            run(&args, &meter, points.as_slice(), |sum| {
                let sum = &p1_affines::from(&[*sum])[0];
                [sum.x, sum.y].iter().flat_map(limbs).collect()
            })
        }
        "g2" => {
            let points = read(&args, 4 * FP_BYTES, |bytes| blst_p2_affine {
                x: fp2(&bytes[..2 * FP_BYTES]),
                y: fp2(&bytes[2 * FP_BYTES..]),
            })?;
            run(&args, &meter, points.as_slice(), |sum| {
                let sum = &p2_affines::from(&[*sum])[0];
                [sum.x, sum.y].iter().flat_map(|x| x.fp).flat_map(|x| limbs(&x)).collect()
            })
        }
        other => bail!("--group {other}: g1 or g2"),
    }
}

/// Reads packed points.
fn read<P>(args: &Args, size: usize, point: impl Fn(&[u8]) -> P) -> Result<Vec<P>> {
    let bytes = fs::read(args.get("points")?).context("--points")?;
    ensure!(bytes.len() % size == 0, "no whole number of points");
    Ok(bytes.chunks_exact(size).map(point).collect())
}

fn run<P, S>(args: &Args, meter: &Meter, points: &[P], affine: impl Fn(&S) -> Vec<u8>) -> Result<()>
where
    [P]: MultiPoint<Output = S>,
{
    let start = Instant::now();
    let scalars = fs::read(args.get("scalars")?).context("--scalars")?;
    // Without the points, which were read before: nobody compares this time.
    meter.tell("load", start.elapsed(), json!({}))?;
    ensure!(scalars.len() == 32 * points.len(), "as many scalars as points");
    meter.work(|| {
        let start = Instant::now();
        let sum = points.mult(&scalars, SCALAR_BITS);
        let time = start.elapsed();
        meter.tell("msm", time, json!({ "result": hex(&affine(&sum)) }))
    })
}

/// A base field element from its Montgomery limbs.
fn fp(bytes: &[u8]) -> blst_fp {
    let (limbs, _) = bytes.as_chunks::<8>();
    blst_fp { l: std::array::from_fn(|i| u64::from_le_bytes(limbs[i])) }
}

fn fp2(bytes: &[u8]) -> blst_fp2 {
    blst_fp2 { fp: [fp(&bytes[..FP_BYTES]), fp(&bytes[FP_BYTES..])] }
}

fn limbs(x: &blst_fp) -> Vec<u8> {
    x.l.iter().flat_map(|limb| limb.to_le_bytes()).collect()
}
