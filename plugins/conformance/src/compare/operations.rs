//! Running a case on a backend.

use std::sync::Arc;

use interlock_core::backend::{
    BackendError, Bases, Device, DeviceOptions, Domain, DomainSpec, Lane, Matrix, MsmTerm, Plugin, Scalars,
};
use interlock_core::format::zkey::Csr;
use interlock_core::format::{MappedFile, Section};
use interlock_curves::{PointError, ProvingCurve, with_curve};

use super::answer::Answer;
use super::case::{Case, GroupName, Operation, ScalarForm};
use super::hex::Hex;
use super::proofs;

impl Case {
    /// What a backend answers, on a device that is opened for it. The case is checked first, so this can be given any.
    pub fn run(&self, plugin: &Arc<Plugin>, options: DeviceOptions) -> Answer {
        if let Err(problem) = self.check() {
            return Answer::Error { kind: "BadCase".into(), message: problem };
        }
        with_curve!(self.curve, E => self.run_on::<E>(plugin, options))
    }

    fn run_on<E: ProvingCurve>(&self, plugin: &Arc<Plugin>, options: DeviceOptions) -> Answer {
        let device = match Device::open(plugin, E::CURVE, options) {
            Ok(device) => device,
            Err(error) => return refusal(&error),
        };
        match &self.operation {
            Operation::Proof { constraints, coefficients, seed } => {
                return proofs::run::<E>(&device, *constraints, *coefficients, *seed);
            }
            Operation::Files { key, witness } => return proofs::run_files::<E>(&device, key, witness),
            _ => {}
        }
        self.compute::<E>(&device).unwrap_or_else(|stop| match stop {
            Stop::Refused(error) => refusal(&error),
            Stop::Altered(answer) => answer,
        })
    }

    fn compute<E: ProvingCurve>(&self, device: &Device) -> Result<Answer, Stop> {
        let lane = Lane::create(device)?;
        // What an operation is given is looked at first: a wrong transfer is not the operation's fault.
        let upload = |bytes: &Hex, form: ScalarForm| {
            let mut buffer = Scalars::alloc(device, bytes.0.len() / 32)?;
            lane.upload(&mut buffer, 0, &bytes.0, form.into())?;
            let (back, _) = lane.download(&buffer, 0, buffer.len())?;
            let pairs = bytes.0.chunks(32).zip(back.chunks(32));
            match pairs.enumerate().find(|(_, (sent, came))| sent != came) {
                None => Ok(buffer),
                Some((index, (sent, came))) => {
                    let [sent, came] = [sent, came].map(|bytes| Hex(bytes.to_vec()));
                    Err(Stop::Altered(Answer::Altered { index, sent, came }))
                }
            }
        };
        let buffer = match &self.operation {
            Operation::Transfer { form, scalars } => upload(scalars, *form)?,
            Operation::Ntt { transform, log_size, generator, shift, form, data } => {
                let spec =
                    DomainSpec { log_size: *log_size, generator: scalar(generator), shift: scalar(shift) };
                let domain = Domain::load(device, &spec)?;
                let mut data = upload(data, *form)?;
                lane.ntt(&domain, &mut data, (*transform).into())?;
                data
            }
            Operation::Pointwise { dst, a, b } => {
                let (a, b) = (upload(a, ScalarForm::Montgomery)?, upload(b, ScalarForm::Montgomery)?);
                match dst {
                    Some(dst) => {
                        let mut dst = upload(dst, ScalarForm::Montgomery)?;
                        lane.multiply_subtract(&mut dst, &a, &b)?;
                        dst
                    }
                    None => {
                        let mut dst = Scalars::alloc(device, a.len())?;
                        lane.multiply(&mut dst, &a, &b)?;
                        dst
                    }
                }
            }
            Operation::Scale { form, data, factor } => {
                let mut data = upload(data, *form)?;
                lane.scale(&mut data, &scalar(factor))?;
                data
            }
            Operation::Spmv { row_offsets, columns, values, x } => {
                let csr = Csr {
                    rows: row_offsets.len() - 1,
                    cols: x.0.len() / 32,
                    row_offsets: row_offsets.clone(),
                    col_indices: columns.clone(),
                    values: values.0.clone(),
                };
                let rows = csr.rows;
                let matrix = Matrix::load(device, Arc::new(csr))?;
                let x = upload(x, ScalarForm::Canonical)?;
                let mut y = Scalars::alloc(device, rows)?;
                lane.multiply_matrix(&matrix, &x, &mut y)?;
                y
            }
            Operation::Msm { group, form, points, index, scalars } => {
                let Some(points) = section(points) else { return Ok(no_memory()) };
                let index = index.as_ref().map(|index| Arc::from(index.as_slice()));
                let bases = Bases::load(device, (*group).into(), points, index)?;
                let scalars = upload(scalars, *form)?;
                let sums = lane.msm(&scalars, &[MsmTerm { bases: &bases, first: 0 }])?;
                return Ok(point::<E>(*group, sums.first().map_or(&[], Vec::as_slice)));
            }
            // Run by `run_on`.
            Operation::Proof { .. } | Operation::Files { .. } => Scalars::alloc(device, 0)?,
        };
        let (bytes, _) = lane.download(&buffer, 0, buffer.len())?;
        Ok(Answer::Result { bytes: Hex(bytes.to_vec()), steps: Vec::new() })
    }
}

/// Why a case ended before its operation.
enum Stop {
    Refused(BackendError),
    Altered(Answer),
}

impl From<BackendError> for Stop {
    fn from(error: BackendError) -> Self {
        Self::Refused(error)
    }
}

/// An error as an answer.
pub(super) fn refusal(error: &BackendError) -> Answer {
    Answer::Error { kind: format!("{:?}", error.kind), message: error.to_string() }
}

fn no_memory() -> Answer {
    Answer::Error { kind: "Host".into(), message: "the host has no memory for the points".into() }
}

/// 32 bytes, as [`Case::check`] has seen to.
fn scalar(hex: &Hex) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.iter_mut().zip(&hex.0).for_each(|(out, byte)| *out = *byte);
    bytes
}

fn section(points: &Hex) -> Option<Section> {
    let file = MappedFile::from_bytes("points", points.0.clone()).ok()?;
    Section::new(file, 0..points.0.len())
}

/// A Jacobian sum as the affine point that it is.
fn point<E: ProvingCurve>(group: GroupName, sum: &[u8]) -> Answer {
    let affine = |bytes: usize, point: Result<Vec<u8>, PointError>| match point {
        Ok(affine) => {
            debug_assert_eq!(affine.len(), bytes);
            Answer::Result { bytes: Hex(affine), steps: Vec::new() }
        }
        Err(problem) => Answer::NoPoint { bytes: Hex(sum.to_vec()), problem: problem.to_string() },
    };
    match group {
        GroupName::G1 => {
            let size = E::CURVE.g1_bytes();
            let point = E::read_g1_jacobian(sum).map(|point| {
                let mut bytes = vec![0; size];
                E::write_g1(&point.into(), &mut bytes);
                bytes
            });
            affine(size, point)
        }
        GroupName::G2 => {
            let size = E::CURVE.g2_bytes();
            let point = E::read_g2_jacobian(sum).map(|point| {
                let mut bytes = vec![0; size];
                E::write_g2(&point.into(), &mut bytes);
                bytes
            });
            affine(size, point)
        }
    }
}
