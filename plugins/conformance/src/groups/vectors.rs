//! Element-wise operations and the matrix product, where the backend has them.

use std::sync::Arc;

use ark_ff::{One, Zero};
use interlock_core::backend::{BackendErrorKind, Form, Matrix, Scalars};
use interlock_core::format::Csr;
use interlock_curves::ProvingCurve;

use crate::outcome::{Outcome, Stop, refused};
use crate::reference::scalars::{read, same, scalar, shown, upload, vector};
use crate::reference::{Fr, sparse};
use crate::row::{Rows, Setting};

pub(crate) fn rows<E: ProvingCurve>(rows: &mut Rows) {
    let largest = 1 << rows.level.largest_log();
    for n in [0, 1, 2, 31, 32, 33, largest - 1, largest + 1] {
        rows.add(format!("pointwise of {n}"), move |setting| pointwise::<E>(setting, n));
        rows.add(format!("scale of {n}"), move |setting| scale::<E>(setting, n));
    }
    rows.add("pointwise needs Montgomery form", forms::<E>);
    rows.add("scale by 0, 1, r − 1, in both forms", factors::<E>);
    for (rows_, cols) in [(1, 1), (8, 5), (300, 33), (largest, largest / 3)] {
        rows.add(format!("spmv, {rows_} × {cols}"), move |setting| spmv::<E>(setting, rows_, cols));
    }
    rows.add("spmv with empty rows, long rows, the same column again", shapes::<E>);
    rows.add("spmv needs a canonical vector", spmv_form::<E>);
}

fn offered(setting: &Setting<'_>, operation: &'static str) -> Outcome {
    let table = setting.plugin.table();
    let has = match operation {
        "pointwise" => table.pointwise.is_some(),
        "scale" => table.scale.is_some(),
        _ => table.spmv.is_some(),
    };
    if has { Ok(()) } else { Err(Stop::NotOffered(operation)) }
}

fn pointwise<E: ProvingCurve>(setting: &mut Setting<'_>, n: usize) -> Outcome {
    offered(setting, "pointwise")?;
    let (device, lane) = setting.open::<E>()?;
    let mut random = || -> Vec<Fr<E>> { vector(n, &mut setting.rng) };
    let (a, b, c) = (random(), random(), random());
    let put = |values: &[Fr<E>]| upload::<E>(&lane, values, Form::Montgomery);
    let (x, y, mut z) = (put(&a)?, put(&b)?, put(&c)?);
    let mut product = Scalars::alloc(&device, n)?;
    lane.multiply(&mut product, &x, &y)?;
    let expected: Vec<Fr<E>> = a.iter().zip(&b).map(|(a, b)| *a * b).collect();
    let input = format!("a·b with a = {}, b = {}", shown(&a), shown(&b));
    same(&input, &expected, &read::<E>(&lane, &product, Form::Montgomery)?)?;
    lane.multiply_subtract(&mut z, &x, &y)?;
    let expected: Vec<Fr<E>> = expected.iter().zip(&c).map(|(ab, c)| *ab - c).collect();
    let input = format!("a·b − c with a = {}, b = {}, c = {}", shown(&a), shown(&b), shown(&c));
    same(&input, &expected, &read::<E>(&lane, &z, Form::Montgomery)?)?;
    // One buffer on both sides.
    lane.multiply(&mut product, &x, &x)?;
    let expected: Vec<Fr<E>> = a.iter().map(|a| *a * a).collect();
    same(&format!("a·a with a = {}", shown(&a)), &expected, &read::<E>(&lane, &product, Form::Montgomery)?)?;
    // The operands stay.
    same("a, after it was an operand", &a, &read::<E>(&lane, &x, Form::Montgomery)?)
}

fn forms<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    offered(setting, "pointwise")?;
    let (device, lane) = setting.open::<E>()?;
    let values = [Fr::<E>::one()];
    let canonical = upload::<E>(&lane, &values, Form::Canonical)?;
    let montgomery = upload::<E>(&lane, &values, Form::Montgomery)?;
    let mut dst = Scalars::alloc(&device, 1)?;
    let kinds = [BackendErrorKind::InvalidArgument];
    refused("pointwise with a canonical a", &kinds, lane.multiply(&mut dst, &canonical, &montgomery))?;
    refused("pointwise with a canonical b", &kinds, lane.multiply(&mut dst, &montgomery, &canonical))?;
    let mut dst = upload::<E>(&lane, &values, Form::Canonical)?;
    let answer = lane.multiply_subtract(&mut dst, &montgomery, &montgomery);
    refused("a·b − dst with a canonical dst", &kinds, answer)?;
    // Without the subtraction, what the result was before does not matter.
    lane.multiply(&mut dst, &montgomery, &montgomery)?;
    same("1·1 into a buffer that was canonical", &values, &read::<E>(&lane, &dst, Form::Montgomery)?)
}

fn scale<E: ProvingCurve>(setting: &mut Setting<'_>, n: usize) -> Outcome {
    offered(setting, "scale")?;
    let (_, lane) = setting.open::<E>()?;
    let values: Vec<Fr<E>> = vector(n, &mut setting.rng);
    let factor: Fr<E> = scalar(&mut setting.rng);
    let mut buffer = upload::<E>(&lane, &values, Form::Montgomery)?;
    lane.scale(&mut buffer, &E::scalar_to_montgomery(&factor))?;
    let expected: Vec<Fr<E>> = values.iter().map(|value| *value * factor).collect();
    let input = format!("{} times {factor}", shown(&values));
    same(&input, &expected, &read::<E>(&lane, &buffer, Form::Montgomery)?)
}

fn factors<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    offered(setting, "scale")?;
    let (_, lane) = setting.open::<E>()?;
    let values: Vec<Fr<E>> = vector(40, &mut setting.rng);
    for form in [Form::Montgomery, Form::Canonical] {
        for factor in [Fr::<E>::zero(), Fr::<E>::one(), -Fr::<E>::one()] {
            let mut buffer = upload::<E>(&lane, &values, form)?;
            lane.scale(&mut buffer, &E::scalar_to_montgomery(&factor))?;
            let expected: Vec<Fr<E>> = values.iter().map(|value| *value * factor).collect();
            let input = format!("{} in {form:?} form times {factor}", shown(&values));
            same(&input, &expected, &read::<E>(&lane, &buffer, form)?)?;
        }
    }
    Ok(())
}

fn product<E: ProvingCurve>(setting: &mut Setting<'_>, csr: Csr, x: &[Fr<E>], expected: &[Fr<E>]) -> Outcome {
    let (device, lane) = setting.open::<E>()?;
    let input =
        format!("a matrix of {} × {} with {} entries times {}", csr.rows, csr.cols, csr.nnz(), shown(x));
    let matrix = Matrix::load(&device, Arc::new(csr))?;
    let x = upload::<E>(&lane, x, Form::Canonical)?;
    let mut y = Scalars::alloc(&device, expected.len())?;
    // Twice: the result does not depend on what was there before.
    for _ in 0..2 {
        lane.multiply_matrix(&matrix, &x, &mut y)?;
        same(&input, expected, &read::<E>(&lane, &y, Form::Montgomery)?)?;
    }
    Ok(())
}

fn spmv<E: ProvingCurve>(setting: &mut Setting<'_>, rows: usize, cols: usize) -> Outcome {
    offered(setting, "spmv")?;
    let x: Vec<Fr<E>> = vector(cols, &mut setting.rng);
    let (csr, expected) = sparse::product::<E>(rows, 4, &x, &mut setting.rng);
    product::<E>(setting, csr, &x, &expected)
}

fn shapes<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    offered(setting, "spmv")?;
    let x: Vec<Fr<E>> = vector(7, &mut setting.rng);
    // No entry at all; long rows, in which every column comes again and again.
    for (rows, most) in [(5, 0), (3, 900)] {
        let (csr, expected) = sparse::product::<E>(rows, most, &x, &mut setting.rng);
        product::<E>(setting, csr, &x, &expected)?;
    }
    let empty = Csr { rows: 0, cols: 7, row_offsets: vec![0], col_indices: Vec::new(), values: Vec::new() };
    product::<E>(setting, empty, &x, &[])
}

fn spmv_form<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    offered(setting, "spmv")?;
    let (device, lane) = setting.open::<E>()?;
    let x: Vec<Fr<E>> = vector(3, &mut setting.rng);
    let (csr, _) = sparse::product::<E>(2, 2, &x, &mut setting.rng);
    let matrix = Matrix::load(&device, Arc::new(csr))?;
    let x = upload::<E>(&lane, &x, Form::Montgomery)?;
    let mut y = Scalars::alloc(&device, 2)?;
    let answer = lane.multiply_matrix(&matrix, &x, &mut y);
    refused("spmv with a vector in Montgomery form", &[BackendErrorKind::InvalidArgument], answer)
}
