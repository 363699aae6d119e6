//! Smaller cases in which two backends still differ.

use ark_ff::Field;
use interlock_curves::{ProvingCurve, with_curve};

use super::case::{Case, Operation};
use super::hex::Hex;

/// Looks for a smaller case that still `differs`: half of the input, then values that are zero. Each try costs a run on both
/// backends, of which there are at most `tries`; gives the smallest case found and how many were tried.
pub fn shrink(case: &Case, tries: usize, differs: &mut dyn FnMut(&Case) -> bool) -> (Case, usize) {
    let mut smallest = case.clone();
    let mut tried = 0;
    loop {
        let better = smaller(&smallest).find(|other| {
            // A case that is none is no smaller one.
            tried < tries && other.check().is_ok() && {
                tried += 1;
                differs(other)
            }
        });
        match better {
            Some(better) => smallest = better,
            None => return (smallest, tried),
        }
    }
}

/// Smaller ones, those that leave out most first.
fn smaller(case: &Case) -> impl Iterator<Item = Case> {
    let mut found = Vec::new();
    let mut with = |operation: Operation| found.push(Case { curve: case.curve, operation });
    match &case.operation {
        Operation::Transfer { form, scalars } => {
            for scalars in halves(scalars, 32).into_iter().chain(zeroed(scalars, 32)) {
                with(Operation::Transfer { form: *form, scalars });
            }
        }
        Operation::Scale { form, data, factor } => {
            for data in halves(data, 32).into_iter().chain(zeroed(data, 32)) {
                with(Operation::Scale { form: *form, data, factor: factor.clone() });
            }
        }
        Operation::Pointwise { dst, a, b } => {
            for range in ranges(a.0.len() / 32) {
                let part = |hex: &Hex| Hex(hex.0[32 * range.start..32 * range.end].to_vec());
                with(Operation::Pointwise { dst: dst.as_ref().map(part), a: part(a), b: part(b) });
            }
            for a in zeroed(a, 32) {
                with(Operation::Pointwise { dst: dst.clone(), a, b: b.clone() });
            }
            for b in zeroed(b, 32) {
                with(Operation::Pointwise { dst: dst.clone(), a: a.clone(), b });
            }
            for dst in dst.iter().flat_map(|dst| zeroed(dst, 32)) {
                with(Operation::Pointwise { dst: Some(dst), a: a.clone(), b: b.clone() });
            }
        }
        Operation::Ntt { transform, log_size, generator, shift, form, data } => {
            let make = |log_size, generator: Hex, data| Operation::Ntt {
                transform: *transform,
                log_size,
                generator,
                shift: shift.clone(),
                form: *form,
                data,
            };
            if let Some((log_size, square)) =
                log_size.checked_sub(1).zip(with_curve!(case.curve, E => square::<E>(generator)))
            {
                for data in data.0.chunks(32 << log_size) {
                    with(make(log_size, square.clone(), Hex(data.to_vec())));
                }
            }
            for data in zeroed(data, 32) {
                with(make(*log_size, generator.clone(), data));
            }
        }
        Operation::Spmv { row_offsets, columns, values, x } => {
            for rows in ranges(row_offsets.len().saturating_sub(1)) {
                let offsets = &row_offsets[rows.start..=rows.end];
                let (from, to) = (offsets[0] as usize, offsets[offsets.len() - 1] as usize);
                with(Operation::Spmv {
                    row_offsets: offsets.iter().map(|offset| offset - offsets[0]).collect(),
                    columns: columns[from..to].to_vec(),
                    values: Hex(values.0[32 * from..32 * to].to_vec()),
                    x: x.clone(),
                });
            }
            for x in zeroed(x, 32) {
                with(Operation::Spmv {
                    row_offsets: row_offsets.clone(),
                    columns: columns.clone(),
                    values: values.clone(),
                    x,
                });
            }
        }
        Operation::Msm { group, form, points, index, scalars } => {
            let count = index.as_ref().map_or(scalars.0.len() / 32, Vec::len);
            let size = points.0.len().checked_div(count).unwrap_or(0);
            if let Some(index) = index {
                // The same sum without the scalars that have no point, and without the index.
                let gathered = index.iter().flat_map(|at| &scalars.0[32 * *at as usize..][..32]);
                with(Operation::Msm {
                    group: *group,
                    form: *form,
                    points: points.clone(),
                    index: None,
                    scalars: Hex(gathered.copied().collect()),
                });
                let used = index.last().map_or(0, |last| 32 * (*last as usize + 1));
                if used < scalars.0.len() {
                    with(Operation::Msm {
                        group: *group,
                        form: *form,
                        points: points.clone(),
                        index: Some(index.clone()),
                        scalars: Hex(scalars.0[..used].to_vec()),
                    });
                }
            }
            for range in ranges(count) {
                let points = points.0.get(size * range.start..size * range.end).unwrap_or_default();
                let (index, scalars) = match index {
                    // The scalars stay: positions are what an index is about.
                    Some(index) => (Some(index[range].to_vec()), scalars.clone()),
                    None => (None, Hex(scalars.0[32 * range.start..32 * range.end].to_vec())),
                };
                with(Operation::Msm {
                    group: *group,
                    form: *form,
                    points: Hex(points.to_vec()),
                    index,
                    scalars,
                });
            }
            for scalars in zeroed(scalars, 32) {
                with(Operation::Msm {
                    group: *group,
                    form: *form,
                    points: points.clone(),
                    index: index.clone(),
                    scalars,
                });
            }
        }
        Operation::Files { .. } => {}
        Operation::Proof { constraints, coefficients, seed } => {
            for constraints in [1, 2, constraints / 4, constraints / 2, constraints - 1] {
                if constraints > 0 && constraints < case.size() as u32 {
                    with(Operation::Proof { constraints, coefficients: *coefficients, seed: *seed });
                }
            }
        }
    }
    found.into_iter()
}

/// The generator of the domain of half the size.
fn square<E: ProvingCurve>(generator: &Hex) -> Option<Hex> {
    let generator = E::scalar_from_montgomery(generator.0.first_chunk()?)?;
    Some(Hex(E::scalar_to_montgomery(&generator.square()).to_vec()))
}

/// The halves of `n` things, then all but a quarter of them at either end, but an eighth, and so on down to one.
fn ranges(n: usize) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut part = n / 2;
    while part > 0 {
        found.extend([0..n - part, part..n]);
        part /= 2;
    }
    found
}

fn halves(hex: &Hex, size: usize) -> Vec<Hex> {
    let ranges = ranges(hex.0.len() / size).into_iter();
    ranges.map(|range| Hex(hex.0[size * range.start..size * range.end].to_vec())).collect()
}

/// The same with a part of it made zero: halves, quarters …, that are not zero already. Of long ones, 64 parts at most.
fn zeroed(hex: &Hex, size: usize) -> Vec<Hex> {
    let n = hex.0.len() / size;
    let mut found = Vec::new();
    let mut part = n.div_ceil(2);
    while part > 0 && n.div_ceil(part) <= 64 {
        for start in (0..n).step_by(part) {
            let range = size * start..size * (start + part).min(n);
            if hex.0[range.clone()].iter().any(|byte| *byte != 0) && n > 1 {
                let mut other = hex.clone();
                other.0[range].fill(0);
                found.push(other);
            }
        }
        part /= 2;
    }
    found
}
