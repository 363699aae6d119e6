//! The rows.

mod abi;
mod arguments;
mod arithmetic;
mod faults;
mod handles;
mod lanes;
mod lifetimes;
mod limits;
mod load;
mod memory;
mod msm;
mod msm_inputs;
mod ntt;
mod places;
mod proofs;
mod vectors;

use interlock_curves::{Curve, with_curve};

use crate::group::Group;
use crate::options::Level;
use crate::row::{Row, Rows};

/// The rows of a group, in order.
pub(crate) fn rows(group: Group, curves: &[Curve], level: Level) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut plain = Rows::new(group, None, level);
    match group {
        Group::Load => load::rows(&mut plain),
        Group::Abi => abi::rows(&mut plain),
        _ => {}
    }
    rows.extend(plain.finish());
    for &curve in curves {
        let mut of_curve = Rows::new(group, Some(curve), level);
        with_curve!(curve, E => match group {
            Group::Load => load::of_curve::<E>(&mut of_curve),
            Group::Abi => {
                handles::rows::<E>(&mut of_curve);
                arguments::rows::<E>(&mut of_curve);
                arithmetic::rows::<E>(&mut of_curve);
                places::rows::<E>(&mut of_curve);
            }
            Group::Msm => {
                msm::rows::<E>(&mut of_curve);
                msm_inputs::rows::<E>(&mut of_curve);
            }
            Group::Ntt => {
                ntt::rows::<E>(&mut of_curve);
                vectors::rows::<E>(&mut of_curve);
            }
            Group::Memory => {
                memory::rows::<E>(&mut of_curve);
                limits::rows::<E>(&mut of_curve);
            }
            Group::Async => {
                lanes::rows::<E>(&mut of_curve);
                lifetimes::rows::<E>(&mut of_curve);
            }
            Group::Faults => faults::rows::<E>(&mut of_curve),
            Group::Proofs => proofs::rows::<E>(&mut of_curve),
        });
        rows.extend(of_curve.finish());
    }
    rows
}
