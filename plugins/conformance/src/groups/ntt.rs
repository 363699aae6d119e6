//! Transforms, for both families of roots of unity.

use ark_ff::{One, Zero};
use interlock_core::backend::{Domain, Form, Lane, NttOp};
use interlock_curves::ProvingCurve;
use interlock_curves::roots::RootFamily;

use crate::outcome::{Outcome, Stop};
use crate::reference::Fr;
use crate::reference::dft::{by_evaluation, by_halves, domain};
use crate::reference::scalars::{FORMS, read, same, scalar, shown, upload, vector};
use crate::row::{Rows, Setting};

const FAMILIES: [RootFamily; 2] = [RootFamily::Snarkjs, RootFamily::Arkworks];

pub(crate) fn rows<E: ProvingCurve>(rows: &mut Rows) {
    for log in 0..=rows.level.largest_log() {
        for family in FAMILIES {
            let name = format!("2^{log}, roots of {}", family_name(family));
            rows.add(name, move |setting| size::<E>(setting, log, family));
        }
    }
    rows.add("the definition, sizes to 2^5", definition::<E>);
    rows.add("linearity", linearity::<E>);
    rows.add("known transforms", known::<E>);
    rows.add("two domains in turn", two_domains::<E>);
    rows.add("repeated transforms give the same values", repeated::<E>);
}

fn family_name(family: RootFamily) -> &'static str {
    match family {
        RootFamily::Snarkjs => "snarkjs",
        RootFamily::Arkworks => "arkworks",
    }
}

fn transform<E: ProvingCurve>(
    lane: &Lane,
    domain: &Domain,
    input: &[Fr<E>],
    op: NttOp,
    form: Form,
) -> Result<Vec<Fr<E>>, Stop> {
    let mut buffer = upload::<E>(lane, input, form)?;
    lane.ntt(domain, &mut buffer, op)?;
    read::<E>(lane, &buffer, form)
}

fn size<E: ProvingCurve>(setting: &mut Setting<'_>, log: u32, family: RootFamily) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    let shift: Fr<E> = scalar(&mut setting.rng);
    let (spec, root) = domain::<E>(log, family, shift)?;
    let loaded = Domain::load(&device, &spec)?;
    let coefficients: Vec<Fr<E>> = vector(1 << log, &mut setting.rng);
    let plain = by_halves(&coefficients, root, Fr::<E>::one());
    let coset = by_halves(&coefficients, root, shift);
    for form in FORMS {
        for (op, input, expected) in [
            (NttOp::Forward, &coefficients, &plain),
            (NttOp::Inverse, &plain, &coefficients),
            (NttOp::CosetForward, &coefficients, &coset),
            (NttOp::CosetInverse, &coset, &coefficients),
        ] {
            let place = format!("{op:?} of {} in {form:?} form, ω = {root}, shift {shift}", shown(input));
            same(&place, expected, &transform::<E>(&lane, &loaded, input, op, form)?)?;
        }
    }
    Ok(())
}

fn definition<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    for log in 0..=5 {
        for family in FAMILIES {
            let shift: Fr<E> = scalar(&mut setting.rng);
            let (spec, root) = domain::<E>(log, family, shift)?;
            let loaded = Domain::load(&device, &spec)?;
            let input: Vec<Fr<E>> = vector(1 << log, &mut setting.rng);
            for (op, shift) in [(NttOp::Forward, Fr::<E>::one()), (NttOp::CosetForward, shift)] {
                let got = transform::<E>(&lane, &loaded, &input, op, Form::Montgomery)?;
                let place = format!("{op:?} of {}, ω = {root}, shift {shift}", shown(&input));
                same(&place, &by_evaluation(&input, root, shift), &got)?;
            }
        }
    }
    Ok(())
}

/// NTT(s·a + b) = s·NTT(a) + NTT(b).
fn linearity<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    let (spec, _) = domain::<E>(9, RootFamily::Snarkjs, scalar(&mut setting.rng))?;
    let loaded = Domain::load(&device, &spec)?;
    let (a, b): (Vec<Fr<E>>, Vec<Fr<E>>) = (vector(512, &mut setting.rng), vector(512, &mut setting.rng));
    let s: Fr<E> = scalar(&mut setting.rng);
    let combine =
        |a: &[Fr<E>], b: &[Fr<E>]| -> Vec<Fr<E>> { a.iter().zip(b).map(|(a, b)| s * a + b).collect() };
    for op in [NttOp::Forward, NttOp::Inverse, NttOp::CosetForward, NttOp::CosetInverse] {
        let of = |input: &[Fr<E>]| transform::<E>(&lane, &loaded, input, op, Form::Montgomery);
        let expected = combine(&of(&a)?, &of(&b)?);
        same(&format!("{op:?} of {s}·a + b, 512 scalars each"), &expected, &of(&combine(&a, &b))?)?;
    }
    Ok(())
}

/// Zeros stay zeros; the unit at 0 becomes ones, and back; ones become N at 0.
fn known<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    for log in [0, 1, 3, 10] {
        let n = 1_usize << log;
        let (spec, _) = domain::<E>(log, RootFamily::Arkworks, scalar(&mut setting.rng))?;
        let loaded = Domain::load(&device, &spec)?;
        let (zeros, ones) = (vec![Fr::<E>::zero(); n], vec![Fr::<E>::one(); n]);
        let at_zero = |value: Fr<E>| {
            let mut vector = zeros.clone();
            vector[0] = value;
            vector
        };
        for form in FORMS {
            for (what, op, input, expected) in [
                ("zeros", NttOp::Forward, zeros.clone(), zeros.clone()),
                ("zeros", NttOp::CosetInverse, zeros.clone(), zeros.clone()),
                ("1, 0, 0 …", NttOp::Forward, at_zero(Fr::<E>::one()), ones.clone()),
                ("1, 0, 0 …", NttOp::CosetForward, at_zero(Fr::<E>::one()), ones.clone()),
                ("ones", NttOp::Forward, ones.clone(), at_zero(Fr::<E>::from(n as u64))),
                ("ones", NttOp::Inverse, ones.clone(), at_zero(Fr::<E>::one())),
            ] {
                let got = transform::<E>(&lane, &loaded, &input, op, form)?;
                same(&format!("{op:?} of 2^{log} scalars {what} in {form:?} form"), &expected, &got)?;
            }
        }
    }
    Ok(())
}

/// Tables that a device keeps belong to a domain, and to its shift.
fn two_domains<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    let shifts: [Fr<E>; 2] = [scalar(&mut setting.rng), scalar(&mut setting.rng)];
    let (first, root) = domain::<E>(6, RootFamily::Snarkjs, shifts[0])?;
    let (second, other_root) = domain::<E>(6, RootFamily::Arkworks, shifts[1])?;
    let domains = [Domain::load(&device, &first)?, Domain::load(&device, &second)?];
    for turn in 0..4 {
        let input: Vec<Fr<E>> = vector(64, &mut setting.rng);
        let (root, shift) = ([root, other_root][turn % 2], shifts[turn % 2]);
        let got = transform::<E>(&lane, &domains[turn % 2], &input, NttOp::CosetForward, Form::Montgomery)?;
        let place = format!("CosetForward of {}, ω = {root}, shift {shift}, turn {turn}", shown(&input));
        same(&place, &by_halves(&input, root, shift), &got)?;
    }
    Ok(())
}

fn repeated<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    let (spec, _) = domain::<E>(10, RootFamily::Snarkjs, scalar(&mut setting.rng))?;
    let loaded = Domain::load(&device, &spec)?;
    let input: Vec<Fr<E>> = vector(1024, &mut setting.rng);
    let once = || transform::<E>(&lane, &loaded, &input, NttOp::CosetForward, Form::Canonical);
    let first = once()?;
    for turn in 2..=4 {
        same(&format!("CosetForward of the same 1024 scalars, turn {turn}"), &first, &once()?)?;
    }
    Ok(())
}
