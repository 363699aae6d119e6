//! What one partition of a given size takes on a machine.

/// A step on the CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuStep {
    /// Its name on timelines.
    pub name: String,
    /// Microseconds, alone on the machine.
    pub micros: u64,
    /// Cores that it keeps busy.
    pub threads: u64,
}

/// A step on the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its name on timelines.
    pub name: String,
    /// Microseconds, alone on the device and its link.
    pub micros: u64,
    /// Bytes of the device that the partition has meanwhile.
    pub bytes: u64,
    /// Bytes that move over the link meanwhile.
    pub upload: u64,
    /// As a rate, in bytes per millisecond.
    pub rate: u64,
    /// Whether it waits for what prepare left running beside.
    pub after_prepare: bool,
}

/// What a partition takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Synthesis.
    pub synthesis: Vec<CpuStep>,
    /// Prepare.
    pub prepare: Vec<CpuStep>,
    /// What prepare begins and a kernel waits for.
    pub beside: Vec<CpuStep>,
    /// Bytes that stage moves.
    pub upload: u64,
    /// At most so fast, in bytes per millisecond.
    pub upload_rate: u64,
    /// Microseconds that this takes, alone on the link.
    pub upload_micros: u64,
    /// Bytes of the device that it leaves there.
    pub staged: u64,
    /// Microseconds in which these are dropped.
    pub drop_micros: u64,
    /// Compute.
    pub compute: Vec<Kernel>,
    /// Finish.
    pub finish: Vec<CpuStep>,
    /// Bytes of the host, from its synthesis until its kernels end.
    pub host_bytes: u64,
}

impl Plan {
    /// The most bytes of the device that it has at once.
    pub fn peak(&self) -> u64 {
        self.compute.iter().map(|kernel| kernel.bytes).max().unwrap_or(0).max(self.staged)
    }

    /// The most bytes that it has from a kernel on. That of the first is [`peak`](Self::peak), since what is staged is
    /// there when it begins.
    pub(crate) fn peak_from(&self, kernel: usize) -> u64 {
        if kernel == 0 {
            return self.peak();
        }
        self.compute.iter().skip(kernel).map(|kernel| kernel.bytes).max().unwrap_or(0)
    }

    /// Microseconds of all kernels, alone on the device.
    pub fn compute_micros(&self) -> u64 {
        self.compute.iter().map(|kernel| kernel.micros).sum()
    }
}
