//! What is uploaded is what is downloaded, and nothing is left of what was there before.

use ark_ff::{One, Zero};
use interlock_core::backend::{Form, Scalars};
use interlock_curves::ProvingCurve;

use crate::outcome::{Outcome, equal, failed, holds};
use crate::reference::scalars::{FORMS, hex, same, shown, to_wire, upload, vector};
use crate::reference::{Fr, scalars};
use crate::row::{Rows, Setting};

pub(crate) fn rows<E: ProvingCurve>(rows: &mut Rows) {
    rows.add("a new buffer is zeros in Montgomery form", zeros::<E>);
    let mut lengths = vec![0, 1, 2, 31, 32, 33];
    for log in [7, 10, 14, 16] {
        if log <= rows.level.largest_log() {
            lengths.extend([(1 << log) - 1, 1 << log, (1 << log) + 1]);
        }
    }
    for n in lengths {
        rows.add(format!("round trip of {n}"), move |setting| round_trip::<E>(setting, n));
    }
    rows.add("scalars at the edges of the field", edges::<E>);
    rows.add("parts of a buffer", parts::<E>);
    rows.add("the form of a buffer is that of the last upload", form::<E>);
    rows.add("memory that is used again holds nothing of before", used_again::<E>);
    rows.add("source and destination at odd addresses", odd::<E>);
    rows.add("buffers that are freed take no memory of the host", freed::<E>);
}

fn zeros<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    for n in [1, 33, 1000] {
        let buffer = Scalars::alloc(&device, n)?;
        let got = scalars::read::<E>(&lane, &buffer, Form::Montgomery)?;
        same(&format!("scalars_alloc of {n}"), &vec![Fr::<E>::zero(); n], &got)?;
    }
    Ok(())
}

/// 512 MiB one after the other, of which no more than half may have stayed with the process: others may be at work in it.
fn freed<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    const COUNT: usize = 1 << 15;
    let (device, lane) = setting.open::<E>()?;
    let bytes = vec![1_u8; 32 * COUNT];
    let once = || -> Outcome {
        let mut buffer = Scalars::alloc(&device, COUNT)?;
        Ok(lane.upload(&mut buffer, 0, &bytes, Form::Canonical)?)
    };
    // What a pool keeps, it has now.
    (0..8).try_for_each(|_| once())?;
    let Some(before) = resident_mib() else { return Ok(()) };
    (0..512).try_for_each(|_| once())?;
    let after = resident_mib().unwrap_or(before);
    let grown = after.saturating_sub(before);
    holds(
        "512 buffers of 1 MiB, filled and freed one after the other",
        "no more memory of the process than before",
        grown < 256,
        format_args!("{grown} MiB more"),
    )
}

/// Resident memory of this process; none on systems that do not say.
fn resident_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? / 1024)
}

fn round_trip<E: ProvingCurve>(setting: &mut Setting<'_>, n: usize) -> Outcome {
    let (_, lane) = setting.open::<E>()?;
    for form in FORMS {
        let values: Vec<Fr<E>> = vector(n, &mut setting.rng);
        let buffer = upload::<E>(&lane, &values, form)?;
        let input = format!("{} in {form:?} form, uploaded and downloaded", shown(&values));
        same(&input, &values, &scalars::read::<E>(&lane, &buffer, form)?)?;
    }
    Ok(())
}

fn edges<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (_, lane) = setting.open::<E>()?;
    let values =
        [Fr::<E>::zero(), Fr::<E>::one(), -Fr::<E>::one(), -Fr::<E>::from(2_u64), Fr::<E>::from(u64::MAX)];
    for form in FORMS {
        let buffer = upload::<E>(&lane, &values, form)?;
        let got = scalars::read::<E>(&lane, &buffer, form)?;
        same(&format!("0, 1, r − 1, r − 2, 2^64 − 1 in {form:?} form"), &values, &got)?;
    }
    Ok(())
}

fn parts<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    let mut values: Vec<Fr<E>> = vector(100, &mut setting.rng);
    let mut buffer = upload::<E>(&lane, &values, Form::Canonical)?;
    for (first, count) in [(0, 1), (99, 1), (31, 33), (0, 0), (50, 0), (100, 0), (0, 100)] {
        let part: Vec<Fr<E>> = vector(count, &mut setting.rng);
        lane.upload(&mut buffer, first, &to_wire::<E>(&part, Form::Canonical), Form::Canonical)?;
        values[first..first + count].copy_from_slice(&part);
        let input = format!("{count} scalars uploaded to {first} of 100");
        same(&input, &values, &scalars::read::<E>(&lane, &buffer, Form::Canonical)?)?;
        let (bytes, _) = lane.download(&buffer, first, count)?;
        let part = to_wire::<E>(&part, Form::Canonical);
        holds(
            format_args!("{count} scalars downloaded from {first} of 100"),
            format_args!("the bytes {} …", hex(&part[..part.len().min(32)])),
            *bytes == part,
            format_args!("{} …", hex(&bytes[..bytes.len().min(32)])),
        )?;
    }
    let empty = Scalars::alloc(&device, 0)?;
    equal("a buffer of no scalars", 0, lane.download(&empty, 0, 0)?.0.len())
}

fn form<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    let mut buffer = Scalars::alloc(&device, 2)?;
    for form in [Form::Canonical, Form::Montgomery, Form::Canonical] {
        let values: Vec<Fr<E>> = vector(2, &mut setting.rng);
        lane.upload(&mut buffer, 0, &to_wire::<E>(&values, form), form)?;
        equal("scalars_download, form", form, lane.download(&buffer, 0, 2)?.1)?;
    }
    Ok(())
}

/// As far as it can be seen from outside: what a buffer was freed with does not come back in a new one.
fn used_again<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    for n in [1, 33, 1024] {
        for _ in 0..8 {
            let secret = vec![-Fr::<E>::one(); n];
            drop(upload::<E>(&lane, &secret, Form::Canonical)?);
            let fresh = Scalars::alloc(&device, n)?;
            let (bytes, _) = lane.download(&fresh, 0, n)?;
            if let Some(at) = bytes.iter().position(|&byte| byte != 0) {
                let input = format!("scalars_alloc of {n} after a buffer of {n} was freed");
                return Err(failed(input, "zeros", format_args!("byte {at} is not zero")));
            }
        }
    }
    Ok(())
}

fn odd<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    let values: Vec<Fr<E>> = vector(17, &mut setting.rng);
    let wire = to_wire::<E>(&values, Form::Canonical);
    let mut buffer = Scalars::alloc(&device, 17)?;
    for odd in [1, 3, 8] {
        let padded: Vec<u8> = std::iter::repeat_n(0xff, odd).chain(wire.iter().copied()).collect();
        lane.upload(&mut buffer, 0, &padded[odd..], Form::Canonical)?;
        let got = scalars::read::<E>(&lane, &buffer, Form::Canonical)?;
        same(&format!("17 scalars uploaded from an address {odd} behind an aligned one"), &values, &got)?;
    }
    Ok(())
}
