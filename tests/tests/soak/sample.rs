//! What the jobs prove.

use std::sync::Arc;
use std::time::Duration;

use interlock_core::engine::{Job, PartitionSpec, Priority};
use interlock_core::format::{Witness, Zkey};
use interlock_core::groth16::{Blinding, ProveError, Prover};
use interlock_core::key::ProvingKey;
use interlock_core::setup::{ToxicWaste, setup_zkey};
use interlock_core::types::Proof;
use interlock_curves::Bn254;
use interlock_tests::circuits::edge_cases;
use interlock_tests::linked;

/// The cheapest proof there is.
pub(crate) struct Sample {
    pub(crate) key: Arc<ProvingKey>,
    witness: Arc<Witness>,
    pub(crate) proof: Proof<Bn254>,
}

fn blinding() -> Blinding<Bn254> {
    Blinding::from_seed(&[5; 32])
}

impl Sample {
    pub(crate) fn new() -> Self {
        let sample =
            edge_cases::<Bn254>().into_iter().find(|sample| sample.name == "one constraint").unwrap();
        let mut key = Vec::new();
        setup_zkey::<Bn254>(&sample.r1cs, &ToxicWaste::from_seed([7; 32]), &mut key).unwrap();
        let key = Arc::new(ProvingKey::from_zkey(&Zkey::from_bytes("circuit.zkey", key).unwrap()).unwrap());
        let prover = Prover::<Bn254>::new(&linked(), Arc::clone(&key)).unwrap();
        let proof = prover.prove_blinded(&sample.witness, &blinding()).unwrap().proof;
        Self { key, witness: Arc::new(sample.witness), proof }
    }

    /// A partition whose witness is there.
    pub(crate) fn ready(&self) -> PartitionSpec<Bn254> {
        PartitionSpec::new(&self.key, Arc::clone(&self.witness)).with_blinding(blinding())
    }

    /// A partition, whose witness is there, or is made; makers fail or panic now and then.
    fn partition(&self, below: &mut impl FnMut(u64) -> u64) -> PartitionSpec<Bn254> {
        let spec = match below(4) {
            0 => {
                let (witness, mishap) = (Arc::clone(&self.witness), below(20));
                PartitionSpec::made(&self.key, move |flag| match mishap {
                    _ if flag.is_cancelled() => Err(ProveError::Cancelled),
                    0 => std::panic::resume_unwind(Box::new("a maker's panic")),
                    1 => Err(ProveError::NotOne),
                    _ => Ok((*witness).clone()),
                })
            }
            _ => return self.ready(),
        };
        spec.with_blinding(blinding())
    }

    /// One to three partitions, of any priority; now and then with less time than they take. Without a reference to judge
    /// wrong results by: that opens a device anew each time, and what the threads of its pool leave to be reclaimed later
    /// is a measurable part of so small a process.
    pub(crate) fn job(&self, below: &mut impl FnMut(u64) -> u64) -> Job<Bn254> {
        let partitions = (0..=below(3)).map(|_| self.partition(below)).collect();
        let priorities = [Priority::Low, Priority::Normal, Priority::High, Priority::Critical];
        let job = Job::new(partitions).with_priority(priorities[below(4) as usize]);
        match below(10) {
            0 => job.with_deadline(Duration::from_micros(below(40_000))),
            _ => job,
        }
    }
}
