//! Sums of multiples of points by our CPU backend, loaded from its library and called through the ABI.
//!
//! `--curve C --group g1|g2 --points F --scalars F --plugin libinterlock_cpu.so --threads N`. The points are with the device
//! before (a key's are); the upload of the scalars is in a sum's time.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use ark_ec::CurveGroup;
use interlock_core::backend::{Bases, Device, DeviceOptions, Form, Group, Lane, MsmTerm, Scalars};
use interlock_core::format::{MappedFile, Section};
use interlock_core::loader::{Trust, load};
use interlock_curves::{ProvingCurve, with_curve};
use peers_common::{Args, Meter, hex};
use serde_json::json;

fn main() -> Result<()> {
    let args = Args::from_env()?;
    let meter = Meter::new(&args)?;
    with_curve!(args.curve()?, E => run::<E>(&args, &meter))
}

fn run<E: ProvingCurve>(args: &Args, meter: &Meter) -> Result<()> {
    let group = match args.get("group")? {
        "g1" => Group::G1,
        "g2" => Group::G2,
        other => bail!("--group {other}: g1 or g2"),
    };
    let plugin = load(Path::new(args.get("plugin")?), Trust::Unsigned)?;
    let options = DeviceOptions { threads: Some(meter.threads()), ..DeviceOptions::default() };
    let device = Device::open(&plugin, E::CURVE, options)?;
    let lane = Lane::create(&device)?;
    let (bases, scalars) = meter.measure("load", || {
        let file = MappedFile::open(args.get("points")?)?;
        let length = usize::try_from(file.len())?;
        let points = Section::new(file, 0..length).context("the points")?;
        let bases = Bases::load(&device, group, points, None)?;
        Ok((bases, fs::read(args.get("scalars")?).context("--scalars")?))
    })?;
    let mut buffer = Scalars::alloc(&device, scalars.len() / 32)?;
    meter.work(|| {
        let start = Instant::now();
        lane.upload(&mut buffer, 0, &scalars, Form::Canonical)?;
        let sums = lane.msm(&buffer, &[MsmTerm { bases: &bases, first: 0 }])?;
        let time = start.elapsed();
        ensure!(sums.len() == 1, "one sum");
        let affine = match group {
            Group::G1 => {
                let mut bytes = vec![0; E::CURVE.g1_bytes()];
                E::write_g1(&E::read_g1_jacobian(&sums[0])?.into_affine(), &mut bytes);
                bytes
            }
            Group::G2 => {
                let mut bytes = vec![0; E::CURVE.g2_bytes()];
                E::write_g2(&E::read_g2_jacobian(&sums[0])?.into_affine(), &mut bytes);
                bytes
            }
        };
        meter.tell("msm", time, json!({ "result": hex(&affine) }))
    })
}
