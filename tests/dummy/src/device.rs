//! The device: the CPU backend's, called as its script says.

use std::ops::Range;
use std::sync::Arc;

use interlock_cpu::Cpu;
use interlock_sdk::{
    Backend, BackendError, BasesSource, CancelToken, CurveId, Device, DomainSource, Either, Features, Form,
    Group, HostBytes, HostBytesMut, MatrixSource, Memory, MsmRequest, NttOp, OpenParams, PointwiseOp,
};

use crate::account::{Held, Kind, Live};
use crate::bench::Shelf;
use crate::call::Call;
use crate::corrupt::{another_limb, another_sum, flip, three};
use crate::fault::Spoil;
use crate::lock;
use crate::operation::Operation;
use crate::script::Shared;

type CpuDevice = <Cpu as Backend>::Device;

/// Bytes of a scalar.
const SCALAR: usize = 32;

// In each of these, fields are dropped in order: what is booked or counted goes after what it stands for.

/// An opening of a scripted device.
#[derive(Debug)]
pub(crate) struct Scripted {
    cpu: CpuDevice,
    curve: CurveId,
    limit: u64,
    /// See [`State::epoch`](crate::call::State::epoch).
    epoch: u64,
    script: Arc<Shared>,
    _live: Live,
    /// Keeps the bench's table from being given to another one.
    _shelf: Arc<Shelf>,
}

#[derive(Debug)]
pub(crate) struct Lane {
    cpu: <CpuDevice as Device>::Lane,
    number: u64,
    cancel: CancelToken,
    _live: Live,
}

#[derive(Debug)]
pub(crate) struct Scalars {
    cpu: <CpuDevice as Device>::Scalars,
    count: usize,
    script: Arc<Shared>,
    _held: Held,
    _live: Live,
}

impl Drop for Scalars {
    fn drop(&mut self) {
        self.script.free(self.count);
    }
}

#[derive(Debug)]
pub(crate) struct Bases {
    cpu: <CpuDevice as Device>::Bases,
    group: Group,
    _live: Live,
}

#[derive(Debug)]
pub(crate) struct Matrix {
    cpu: <CpuDevice as Device>::Matrix,
    _live: Live,
}

#[derive(Debug)]
pub(crate) struct Domain {
    cpu: <CpuDevice as Device>::Domain,
    _live: Live,
}

impl Scripted {
    /// Opens a device of a bench. One thread, unless the host wants more: the circuits of tests are small.
    pub(crate) fn open(shelf: Arc<Shelf>, params: &OpenParams) -> Result<Self, BackendError> {
        let script = shelf.scripts().get(params.index as usize).map(|script| Arc::clone(script.shared()));
        let script = script
            .ok_or_else(|| BackendError::argument(format!("this bench has no device {}", params.index)))?;
        let epoch = lock(&script.state).epoch;
        let cpu = script.run(None, Operation::Open, None, 0, |call| {
            call.befall()?;
            Cpu::open(&OpenParams { index: 0, threads: params.threads.or(Some(1)), ..*params })
        })?;
        let (curve, limit) = (params.curve, params.memory_limit.unwrap_or(u64::MAX));
        let live = script.account.live(Kind::Device);
        Ok(Self { cpu, curve, limit, epoch, script, _live: live, _shelf: shelf })
    }

    /// A call without a lane.
    fn plain<T>(
        &self,
        operation: Operation,
        scalars: usize,
        work: impl FnOnce(&Call<'_>) -> Result<T, BackendError>,
    ) -> Result<T, BackendError> {
        self.script.run(Some(self.epoch), operation, None, scalars, work)
    }

    /// A call of a lane, whose work is given the CPU backend's lane and how the result is to be spoiled, if it is.
    fn on_lane<T>(
        &self,
        lane: &mut Lane,
        operation: Operation,
        scalars: usize,
        work: impl FnOnce(&mut <CpuDevice as Device>::Lane, Option<Spoil>) -> Result<T, BackendError>,
    ) -> Result<T, BackendError> {
        let Lane { cpu, number, cancel, .. } = lane;
        self.script.run(Some(self.epoch), operation, Some((*number, cancel)), scalars, |call| {
            let spoil = call.befall()?;
            work(cpu, spoil)
        })
    }

    /// Spoils these of a buffer's scalars, when they are to be.
    fn spoil(
        &self,
        lane: &mut <CpuDevice as Device>::Lane,
        data: &mut Scalars,
        written: Range<usize>,
        spoil: Option<Spoil>,
    ) -> Result<(), BackendError> {
        match spoil {
            None => {}
            Some(Spoil::Plausible) => self.cpu.scale(lane, &mut data.cpu, &three(self.curve))?,
            Some(Spoil::Limb(seed)) => match &mut data.cpu {
                Either::Left(buffer) => another_limb(&mut buffer.data[written], seed),
                Either::Right(buffer) => another_limb(&mut buffer.data[written], seed),
            },
        }
        Ok(())
    }

    fn live(&self, kind: Kind) -> Live {
        self.script.account.live(kind)
    }
}

impl Device for Scripted {
    type Lane = Lane;
    type Scalars = Scalars;
    type Bases = Bases;
    type Matrix = Matrix;
    type Domain = Domain;

    const FEATURES: Features = Features { matrices: true, pointwise: true, scale: true, cancel: true };

    /// The script's limit, or the opening's own when that is less; what this opening holds.
    fn memory(&self) -> Memory {
        Memory { budget: self.script.account.books().limit.min(self.limit), ..self.cpu.memory() }
    }

    fn lane(&self, cancel: CancelToken) -> Result<Lane, BackendError> {
        self.plain(Operation::Lane, 0, |call| {
            call.befall()?;
            let cpu = self.cpu.lane(cancel.clone())?;
            let number = {
                let mut state = lock(&self.script.state);
                state.lanes += 1;
                state.lanes
            };
            Ok(Lane { cpu, number, cancel, _live: self.live(Kind::Lane) })
        })
    }

    fn sync(&self, lane: &mut Lane) -> Result<(), BackendError> {
        self.on_lane(lane, Operation::Sync, 0, |cpu, _| self.cpu.sync(cpu))
    }

    fn alloc(&self, count: usize) -> Result<Scalars, BackendError> {
        self.plain(Operation::Alloc, count, |call| {
            let held = self.script.account.hold((count * SCALAR) as u64, self.limit)?;
            call.befall()?;
            let (cpu, script) = (self.cpu.alloc(count)?, Arc::clone(&self.script));
            Ok(Scalars { cpu, count, script, _held: held, _live: self.live(Kind::Scalars) })
        })
    }

    fn upload(
        &self,
        lane: &mut Lane,
        dst: &mut Scalars,
        first: usize,
        src: HostBytes<'_>,
    ) -> Result<(), BackendError> {
        let count = src.as_slice().len() / SCALAR;
        self.on_lane(lane, Operation::Upload, count, |cpu, spoil| {
            self.cpu.upload(cpu, &mut dst.cpu, first, src)?;
            self.spoil(cpu, dst, first..first + count, spoil)
        })
    }

    fn download(
        &self,
        lane: &mut Lane,
        src: &Scalars,
        first: usize,
        dst: HostBytesMut<'_>,
    ) -> Result<(), BackendError> {
        self.on_lane(lane, Operation::Download, dst.len() / SCALAR, |cpu, _| {
            self.cpu.download(cpu, &src.cpu, first, dst)
        })
    }

    fn load_bases(&self, source: BasesSource) -> Result<Bases, BackendError> {
        let group = source.group;
        self.plain(Operation::LoadBases, source.count, |call| {
            call.befall()?;
            Ok(Bases { cpu: self.cpu.load_bases(source)?, group, _live: self.live(Kind::Bases) })
        })
    }

    fn load_matrix(&self, source: MatrixSource) -> Result<Matrix, BackendError> {
        self.plain(Operation::LoadMatrix, source.rows, |call| {
            call.befall()?;
            Ok(Matrix { cpu: self.cpu.load_matrix(source)?, _live: self.live(Kind::Matrix) })
        })
    }

    fn load_domain(&self, source: &DomainSource) -> Result<Domain, BackendError> {
        self.plain(Operation::LoadDomain, 1 << source.log_size, |call| {
            call.befall()?;
            Ok(Domain { cpu: self.cpu.load_domain(source)?, _live: self.live(Kind::Domain) })
        })
    }

    fn ntt(
        &self,
        lane: &mut Lane,
        domain: &Domain,
        data: &mut Scalars,
        op: NttOp,
    ) -> Result<(), BackendError> {
        self.on_lane(lane, Operation::Ntt, data.count, |cpu, spoil| {
            self.cpu.ntt(cpu, &domain.cpu, &mut data.cpu, op)?;
            let all = 0..data.count;
            self.spoil(cpu, data, all, spoil)
        })
    }

    fn pointwise(
        &self,
        lane: &mut Lane,
        op: PointwiseOp,
        dst: &mut Scalars,
        a: &Scalars,
        b: &Scalars,
    ) -> Result<(), BackendError> {
        self.on_lane(lane, Operation::Pointwise, dst.count, |cpu, spoil| {
            self.cpu.pointwise(cpu, op, &mut dst.cpu, &a.cpu, &b.cpu)?;
            let all = 0..dst.count;
            self.spoil(cpu, dst, all, spoil)
        })
    }

    fn scale(&self, lane: &mut Lane, data: &mut Scalars, factor: &[u8; 32]) -> Result<(), BackendError> {
        self.on_lane(lane, Operation::Scale, data.count, |cpu, spoil| {
            self.cpu.scale(cpu, &mut data.cpu, factor)?;
            let all = 0..data.count;
            self.spoil(cpu, data, all, spoil)
        })
    }

    fn spmv(
        &self,
        lane: &mut Lane,
        matrix: &Matrix,
        x: &Scalars,
        y: &mut Scalars,
    ) -> Result<(), BackendError> {
        self.on_lane(lane, Operation::Spmv, y.count, |cpu, spoil| {
            self.cpu.spmv(cpu, &matrix.cpu, &x.cpu, &mut y.cpu)?;
            let all = 0..y.count;
            self.spoil(cpu, y, all, spoil)
        })
    }

    fn msm(
        &self,
        lane: &mut Lane,
        scalars: &Scalars,
        form: Form,
        mut requests: Vec<MsmRequest<'_, Bases>>,
    ) -> Result<(), BackendError> {
        let mut places: Vec<_> = requests
            .iter_mut()
            .map(|request| (request.bases.group, request.result.as_mut_ptr(), request.result.len()))
            .collect();
        let requests = requests
            .into_iter()
            .map(|MsmRequest { bases, first, result }| MsmRequest { bases: &bases.cpu, first, result })
            .collect();
        self.on_lane(lane, Operation::Msm, scalars.count, |cpu, spoil| {
            self.cpu.msm(cpu, &scalars.cpu, form, requests)?;
            let chosen = match spoil {
                None => None,
                Some(Spoil::Plausible) => places.drain(..).next(),
                Some(Spoil::Limb(seed)) if !places.is_empty() => {
                    Some(places.swap_remove(seed as usize % places.len()))
                }
                Some(Spoil::Limb(_)) => None,
            };
            if let (Some((group, place, len)), Some(how)) = (chosen, spoil) {
                // SAFETY: the host's place for a sum, which is written and which nobody touches until the lane
                // has been waited for; that is not before this call returns.
                let sum = unsafe { std::slice::from_raw_parts_mut(place, len) };
                match how {
                    Spoil::Plausible => another_sum(self.curve, group, sum),
                    Spoil::Limb(seed) => flip(sum, seed),
                }
            }
            Ok(())
        })
    }
}
