//! What partitions do: steps, one after the other, each of tasks that share the machine's resources.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

use interlock_scheduler::{PartId, Path, PhaseName};

use crate::plan::{CpuStep, Plan};
use crate::resource::{Resource, TaskId};

/// Which of the machine's resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum On {
    Cpu,
    Device(usize),
    Link(usize),
}

impl On {
    fn index(self) -> usize {
        match self {
            Self::Cpu => 0,
            Self::Device(device) => 1 + 2 * device,
            Self::Link(device) => 2 + 2 * device,
        }
    }
}

/// What a partition is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    Synthesis,
    Phase(PhaseName),
    Drop,
}

/// A step ends when all of its tasks have.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) name: Cow<'static, str>,
    /// On what, how many microseconds alone, and how much of it.
    pub(crate) tasks: Vec<(On, u64, u64)>,
    /// Bytes that it moves, for the timeline.
    pub(crate) moved: Option<u64>,
    /// Whether it waits for what runs beside.
    pub(crate) after_beside: bool,
    /// The most that the partition has on the device from its end on, when that is less.
    pub(crate) then_peak: Option<u64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Activity {
    pub(crate) doing: Doing,
    pub(crate) steps: VecDeque<Step>,
    /// The step that runs.
    pub(crate) current: Option<Step>,
    pub(crate) pending: usize,
    pub(crate) since: u64,
}

/// Whose a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Part(PartId),
    Beside(PartId),
}

/// The machine's resources and who uses them.
#[derive(Clone, Debug)]
pub(crate) struct Works {
    resources: Vec<Resource>,
    owners: BTreeMap<TaskId, Owner>,
    next_task: TaskId,
}

impl Works {
    pub(crate) fn new(cores: u64, contention: u64, devices: usize, link: u64) -> Self {
        let mut resources = vec![Resource::new(cores, contention)];
        for _ in 0..devices {
            resources.push(Resource::new(1, 0));
            resources.push(Resource::new(link, 0));
        }
        Self { resources, owners: BTreeMap::new(), next_task: 0 }
    }

    /// When the next task ends.
    pub(crate) fn next(&self) -> Option<u64> {
        self.resources.iter().filter_map(Resource::next).min()
    }

    /// A task that has ended by now, if there is one.
    pub(crate) fn ended(&mut self, now: u64) -> Option<Owner> {
        self.resources
            .iter_mut()
            .find_map(|resource| {
                resource.advance(now);
                resource.ended()
            })
            .and_then(|task| self.owners.remove(&task))
    }

    /// Begins tasks; how many there are that take time.
    pub(crate) fn begin(&mut self, owner: Owner, tasks: &[(On, u64, u64)], now: u64) -> usize {
        let mut begun = 0;
        for (on, micros, demand) in tasks.iter().filter(|task| task.1 > 0) {
            if let Some(resource) = self.resources.get_mut(on.index()) {
                resource.advance(now);
                resource.begin(self.next_task, *micros, *demand);
                self.owners.insert(self.next_task, owner);
                self.next_task += 1;
                begun += 1;
            }
        }
        begun
    }
}

fn on_cpu(steps: &[CpuStep]) -> VecDeque<Step> {
    let step = |step: &CpuStep| Step {
        name: Cow::Owned(step.name.clone()),
        tasks: vec![(On::Cpu, step.micros, step.threads)],
        moved: None,
        after_beside: false,
        then_peak: None,
    };
    steps.iter().map(step).collect()
}

impl Plan {
    pub(crate) fn synthesis_steps(&self) -> VecDeque<Step> {
        on_cpu(&self.synthesis)
    }

    pub(crate) fn beside_steps(&self) -> VecDeque<Step> {
        on_cpu(&self.beside)
    }

    pub(crate) fn drop_step(&self, device: usize) -> Step {
        Step {
            name: Cow::Borrowed("drop"),
            // Nobody else is slowed by it.
            tasks: vec![(On::Device(device), self.drop_micros, 0)],
            moved: None,
            after_beside: false,
            then_peak: None,
        }
    }

    fn upload_step(&self, device: usize) -> Step {
        Step {
            name: Cow::Borrowed("upload"),
            tasks: vec![(On::Link(device), self.upload_micros, self.upload_rate)],
            moved: Some(self.upload),
            after_beside: false,
            then_peak: None,
        }
    }

    pub(crate) fn phase_steps(&self, phase: PhaseName, path: Path, device: usize) -> VecDeque<Step> {
        match phase {
            PhaseName::Prepare => on_cpu(&self.prepare),
            PhaseName::Stage => VecDeque::from([self.upload_step(device)]),
            PhaseName::Finish => on_cpu(&self.finish),
            PhaseName::Compute => {
                let upload = (path == Path::Slow).then(|| self.upload_step(device));
                let kernels = self.compute.iter().enumerate().map(|(index, kernel)| {
                    let mut tasks = vec![(On::Device(device), kernel.micros, 1)];
                    if kernel.rate > 0 {
                        tasks.push((On::Link(device), kernel.micros, kernel.rate));
                    }
                    let then = self.peak_from(index + 1);
                    let less = then < self.peak_from(index) && index + 1 < self.compute.len();
                    Step {
                        name: Cow::Owned(kernel.name.clone()),
                        tasks,
                        moved: (kernel.upload > 0).then_some(kernel.upload),
                        after_beside: kernel.after_prepare,
                        then_peak: less.then_some(then),
                    }
                });
                upload.into_iter().chain(kernels).collect()
            }
        }
    }
}
