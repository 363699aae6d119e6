//! The calls of a device that a script can name.

use std::fmt;

/// A kind of call. Freeing is none: it cannot fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// Opening the device.
    Open,
    /// Making a lane.
    Lane,
    /// Making a scalar buffer.
    Alloc,
    /// Scalars from the host.
    Upload,
    /// Scalars to the host.
    Download,
    /// Making bases known.
    LoadBases,
    /// Making a matrix known.
    LoadMatrix,
    /// Making a domain known.
    LoadDomain,
    /// A transform.
    Ntt,
    /// `a·b`, `a·b − c`.
    Pointwise,
    /// Multiplying by a constant.
    Scale,
    /// Matrix × vector.
    Spmv,
    /// Sums over bases.
    Msm,
    /// Waiting for a lane. Core waits after every upload, download, scaling and MSM, and when a lane is destroyed.
    Sync,
    /// Freeing a scalar buffer. It answers nothing, so it can be delayed, hang or panic, not fail; and it is counted and
    /// written down only when a rule is about it.
    Free,
}

impl Operation {
    /// How many there are, frees among them.
    pub(crate) const COUNT: usize = Self::ALL.len() + 1;

    /// All that answer.
    pub const ALL: [Self; 14] = [
        Self::Open,
        Self::Lane,
        Self::Alloc,
        Self::Upload,
        Self::Download,
        Self::LoadBases,
        Self::LoadMatrix,
        Self::LoadDomain,
        Self::Ntt,
        Self::Pointwise,
        Self::Scale,
        Self::Spmv,
        Self::Msm,
        Self::Sync,
    ];

    /// The table's name for it, which is also `operation` in core's errors.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "device_open",
            Self::Lane => "lane_create",
            Self::Alloc => "scalars_alloc",
            Self::Upload => "scalars_upload",
            Self::Download => "scalars_download",
            Self::LoadBases => "bases_create",
            Self::LoadMatrix => "matrix_create",
            Self::LoadDomain => "domain_create",
            Self::Ntt => "ntt",
            Self::Pointwise => "pointwise",
            Self::Scale => "scale",
            Self::Spmv => "spmv",
            Self::Msm => "msm",
            Self::Sync => "lane_sync",
            Self::Free => "scalars_free",
        }
    }

    /// Whether it is work of a lane, which can be cancelled.
    pub const fn on_lane(self) -> bool {
        !matches!(
            self,
            Self::Open
                | Self::Lane
                | Self::Alloc
                | Self::LoadBases
                | Self::LoadMatrix
                | Self::LoadDomain
                | Self::Free
        )
    }

    /// Whether it has a result on the device, or a sum, that a script can spoil.
    pub const fn can_be_wrong(self) -> bool {
        matches!(self, Self::Upload | Self::Ntt | Self::Pointwise | Self::Scale | Self::Spmv | Self::Msm)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
