//! Memory limits and accounts.

use interlock_core::backend::{
    BackendErrorKind, Bases, Device, DeviceOptions, Domain, Form, Group, Lane, MemoryInfo, Scalars,
};
use interlock_curves::ProvingCurve;
use interlock_curves::roots::RootFamily;

use crate::outcome::{Outcome, Stop, equal, holds, refused};
use crate::reference::Fr;
use crate::reference::dft::domain;
use crate::reference::points::{Points, section};
use crate::reference::scalars::{scalar, upload, vector};
use crate::row::{Rows, Setting};

/// Large against the granularity of any allocator, small against any device.
const LIMIT: u64 = 64 << 20;
const LIMIT_SCALARS: usize = (LIMIT / 32) as usize;

pub(crate) fn rows<E: ProvingCurve>(rows: &mut Rows) {
    rows.add("more than the limit never fits", never::<E>);
    rows.add("more than is free does not fit now", not_now::<E>);
    rows.add("the account follows what is alive", account::<E>);
    rows.add("keys are given back", keys::<E>);
    rows.add("100 openings leave nothing", openings::<E>);
}

fn limited<E: ProvingCurve>(setting: &Setting<'_>) -> Result<Device, Stop> {
    let options = DeviceOptions { memory_limit: Some(LIMIT), ..setting.device };
    Ok(Device::open(setting.plugin, E::CURVE, options)?)
}

fn never<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let device = limited::<E>(setting)?;
    let budget = device.memory()?.budget;
    holds("device_memory under a limit of 64 MiB, budget", "at most the limit", budget <= LIMIT, budget)?;
    for count in [LIMIT_SCALARS + 1, 2 * LIMIT_SCALARS, 1 << 39] {
        let input = format!("{count} scalars under a limit of {LIMIT_SCALARS}");
        refused(input, &[BackendErrorKind::NeverFits], Scalars::alloc(&device, count))?;
    }
    drop(Scalars::alloc(&device, LIMIT_SCALARS / 2)?);
    equal("device_memory afterwards, scalars", 0, device.memory()?.scalars)
}

fn not_now<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let device = limited::<E>(setting)?;
    let part = LIMIT_SCALARS / 5 * 3;
    let first = Scalars::alloc(&device, part)?;
    for _ in 0..3 {
        let input = "three fifths of the limit twice";
        let second = Scalars::alloc(&device, part);
        if let Err(error) = &second {
            let retryable = error.kind != BackendErrorKind::NotNow || error.retryable;
            holds(input, "an error with the flag retryable", retryable, "an error without it")?;
        }
        refused(input, &[BackendErrorKind::NotNow], second)?;
    }
    drop(first);
    drop(Scalars::alloc(&device, part)?);
    equal("device_memory afterwards, scalars", 0, device.memory()?.scalars)
}

fn account<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    let at_least = |what: &str, bytes: u64| {
        let held = device.memory()?.scalars;
        holds(
            format_args!("device_memory, scalars, with {what}"),
            format_args!("at least {bytes}"),
            held >= bytes,
            held,
        )
    };
    equal("device_memory of a new device, scalars", 0, device.memory()?.scalars)?;
    let mut alive = Vec::new();
    let mut bytes = 0;
    for n in [0, 1, 33, 1000, 4096] {
        alive.push(upload::<E>(&lane, &vector(n, &mut setting.rng), Form::Canonical)?);
        bytes += 32 * n as u64;
        at_least(&format!("buffers of {bytes} bytes"), bytes)?;
    }
    while let Some(last) = alive.pop() {
        bytes -= 32 * last.len() as u64;
        drop(last);
        at_least(&format!("buffers of {bytes} bytes"), bytes)?;
    }
    equal("device_memory with all buffers freed, scalars", 0, device.memory()?.scalars)
}

fn keys<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, _lane) = setting.open::<E>()?;
    let before = device.memory()?;
    let points = Points::<E>::chain(200);
    for _ in 0..5 {
        // At an odd address, so that whoever needs them aligned has a copy.
        let g1 = Bases::load(&device, Group::G1, section(&points.g1_wire(), 1)?, None)?;
        let g2 = Bases::load(&device, Group::G2, section(&points.g2_wire(), 1)?, None)?;
        let (spec, _) = domain::<E>(8, RootFamily::Arkworks, scalar::<Fr<E>>(&mut setting.rng))?;
        let domain = Domain::load(&device, &spec)?;
        drop((g1, g2, domain));
    }
    let after = device.memory()?;
    let held = |memory: &MemoryInfo| (memory.scalars, memory.keys);
    equal("device_memory after bases and domains were freed: scalars, keys", held(&before), held(&after))
}

fn openings<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let options = DeviceOptions { threads: Some(1), ..setting.device };
    let witness = Device::open(setting.plugin, E::CURVE, options)?;
    for _ in 0..100 {
        let device = Device::open(setting.plugin, E::CURVE, options)?;
        let lane = Lane::create(&device)?;
        drop(upload::<E>(&lane, &vector(8, &mut setting.rng), Form::Montgomery)?);
        equal("device_memory before a device is closed, scalars", 0, device.memory()?.scalars)?;
    }
    equal("device_memory of a device that stayed open, scalars", 0, witness.memory()?.scalars)
}
