//! A named case, and what it is given.

use std::sync::Arc;

use interlock_core::backend::{Device, DeviceOptions, Lane, Plugin};
use interlock_curves::{Curve, ProvingCurve};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use sha2::{Digest, Sha256};

use crate::event::RowId;
use crate::group::Group;
use crate::options::Level;
use crate::outcome::{Outcome, Stop};

/// What a row is given.
pub(crate) struct Setting<'a> {
    pub(crate) plugin: &'a Arc<Plugin>,
    pub(crate) device: DeviceOptions,
    pub(crate) rng: ChaCha20Rng,
}

impl Setting<'_> {
    /// A device and a lane of it.
    pub(crate) fn open<E: ProvingCurve>(&self) -> Result<(Device, Lane), Stop> {
        let device = self.device::<E>()?;
        let lane = Lane::create(&device)?;
        Ok((device, lane))
    }

    pub(crate) fn device<E: ProvingCurve>(&self) -> Result<Device, Stop> {
        Ok(Device::open(self.plugin, E::CURVE, self.device)?)
    }
}

type Run = Box<dyn Fn(&mut Setting<'_>) -> Outcome>;

/// A named case.
pub(crate) struct Row {
    pub(crate) group: Group,
    pub(crate) name: String,
    pub(crate) curve: Option<Curve>,
    pub(crate) run: Run,
}

impl Row {
    pub(crate) fn id(&self, seed: u64) -> RowId {
        RowId { group: self.group, row: self.name.clone(), curve: self.curve, seed }
    }
}

/// Rows in the making.
pub(crate) struct Rows {
    group: Group,
    curve: Option<Curve>,
    pub(crate) level: Level,
    rows: Vec<Row>,
}

impl Rows {
    pub(crate) fn new(group: Group, curve: Option<Curve>, level: Level) -> Self {
        Self { group, curve, level, rows: Vec::new() }
    }

    pub(crate) fn add(
        &mut self,
        name: impl Into<String>,
        run: impl Fn(&mut Setting<'_>) -> Outcome + 'static,
    ) {
        self.rows.push(Row { group: self.group, name: name.into(), curve: self.curve, run: Box::new(run) });
    }

    pub(crate) fn finish(self) -> Vec<Row> {
        self.rows
    }
}

/// The generator of a row: by seed, group, name and curve.
pub(crate) fn generator(id: &RowId) -> ChaCha20Rng {
    let text = format!("{} {} {:?} {}", id.seed, id.group, id.curve, id.row);
    ChaCha20Rng::from_seed(Sha256::digest(text.as_bytes()).into())
}
