//! A circuit after arkworks has synthesised it.

use ark_relations::gr1cs::predicate::PredicateConstraintSystem;
use ark_relations::gr1cs::{
    ConstraintSynthesizer, ConstraintSystem, ConstraintSystemRef, OptimizationGoal, R1CS_PREDICATE_LABEL,
    SynthesisMode, Variable,
};
use ark_serialize::CanonicalSerialize;
use interlock_core::format::{R1cs, Witness};
use interlock_curves::ProvingCurve;
use zeroize::Zeroize;

use crate::FrontendError;
use crate::rows::{Rows, Wire};
use crate::secret::SecretValues;

/// A constraint system, synthesised and finalised. Its assignments are zeroised on drop.
pub(super) struct Synthesised<E: ProvingCurve>(ConstraintSystemRef<E::ScalarField>);

impl<E: ProvingCurve> Synthesised<E> {
    pub(super) fn new<C>(circuit: C, mode: SynthesisMode) -> Result<Self, FrontendError>
    where
        C: ConstraintSynthesizer<E::ScalarField>,
    {
        // Owned by `Self` from the start, so that a failing synthesis is cleaned up after, too.
        let system = Self(ConstraintSystem::new_ref());
        system.0.set_optimization_goal(OptimizationGoal::Constraints);
        system.0.set_mode(mode);
        circuit.generate_constraints(system.0.clone()).map_err(FrontendError::synthesis)?;
        system.0.finalize();
        Ok(system)
    }

    fn with<T>(
        &self,
        read: impl FnOnce(&ConstraintSystem<E::ScalarField>) -> Result<T, FrontendError>,
    ) -> Result<T, FrontendError> {
        match &self.0 {
            ConstraintSystemRef::CS(system) => match system.try_borrow() {
                Ok(system) => read(&system),
                Err(_) => Err(FrontendError::Inconsistent("it is still in use")),
            },
            ConstraintSystemRef::None => Err(FrontendError::Inconsistent("there is none")),
        }
    }

    /// The rows, of a system that constructed its matrices.
    pub(super) fn rows(&self) -> Result<R1cs, FrontendError> {
        self.with(rows::<E>)
    }

    /// The values, of a system that is not in set-up mode.
    pub(super) fn witness(&self) -> Result<Witness, FrontendError> {
        self.with(|system| {
            let instance = system.instance_assignment().map_err(FrontendError::synthesis)?;
            let private = system.witness_assignment().map_err(FrontendError::synthesis)?;
            if (instance.len(), private.len())
                != (system.num_instance_variables(), system.num_witness_variables())
            {
                return Err(FrontendError::Inconsistent("it has more variables than values"));
            }
            let mut values = SecretValues::default();
            values.make_room(32 * (instance.len() + private.len()));
            for value in instance.iter().chain(private) {
                let mut bytes = E::scalar_to_canonical(value);
                values.extend(&bytes);
                bytes.zeroize();
            }
            Ok(Witness::from_canonical(E::CURVE, values.into_bytes())?)
        })
    }

    /// A constraint's path of namespaces, if a `ConstraintLayer` recorded it.
    pub(super) fn name(&self, constraint: usize) -> Option<String> {
        let path = self.with(|system| {
            let trace = system.predicate_traces.get(R1CS_PREDICATE_LABEL).and_then(|all| all.get(constraint));
            let steps = trace.and_then(Option::as_ref).map(|trace| trace.path());
            Ok(steps.map(|steps| steps.iter().map(|step| step.name).collect::<Vec<_>>().join("/")))
        });
        path.ok().flatten().filter(|path| !path.is_empty())
    }
}

impl<E: ProvingCurve> Drop for Synthesised<E> {
    fn drop(&mut self) {
        if let ConstraintSystemRef::CS(system) = &self.0
            && let Ok(mut system) = system.try_borrow_mut()
        {
            system.assignments.instance_assignment.zeroize();
            system.assignments.witness_assignment.zeroize();
            system.assignments.lc_assignment.zeroize();
        }
    }
}

fn rows<E: ProvingCurve>(system: &ConstraintSystem<E::ScalarField>) -> Result<R1cs, FrontendError> {
    let (public, private) = (system.num_instance_variables(), system.num_witness_variables());
    let mut rows = Rows::default();
    if let Some(constraints) = r1cs_constraints::<E>(system)? {
        let [a, b, c] = constraints.get_constraints().as_slice() else {
            return Err(FrontendError::Inconsistent("an R1CS constraint has three linear combinations"));
        };
        let combinations = system.lc_map.num_lcs();
        let mut terms = Vec::new();
        for ((a, b), c) in a.iter().zip(b).zip(c) {
            for combination in [a, b, c] {
                if combination.get_lc_index().is_some_and(|index| index >= combinations) {
                    return Err(FrontendError::Inconsistent("a linear combination was not recorded"));
                }
                for (coefficient, variable) in system.get_lc(*combination).0 {
                    if !variable.is_zero() {
                        terms.push((wire(variable)?, coefficient));
                    }
                }
                rows.push(&mut terms, E::scalar_to_canonical);
            }
        }
    }
    rows.finish(E::CURVE, public, private)
}

fn wire(variable: Variable) -> Result<Wire, FrontendError> {
    let index = variable.index().unwrap_or(0);
    let wire = if variable.is_one() {
        Wire::public(0)
    } else if variable.is_instance() {
        Wire::public(index)
    } else if variable.is_witness() {
        Wire::private(index)
    } else {
        return Err(FrontendError::Inconsistent("a linear combination was not inlined"));
    };
    wire.ok_or(FrontendError::TooManyVariables)
}

/// The system's R1CS constraints; there must be no others.
fn r1cs_constraints<E: ProvingCurve>(
    system: &ConstraintSystem<E::ScalarField>,
) -> Result<Option<&PredicateConstraintSystem<E::ScalarField>>, FrontendError> {
    let mut found = None;
    for (label, constraints) in &system.predicate_constraint_systems {
        if label == R1CS_PREDICATE_LABEL && is_r1cs::<E>(constraints) {
            found = Some(constraints);
        } else if constraints.num_constraints() > 0 {
            let (label, constraints) = (label.clone(), constraints.num_constraints());
            return Err(FrontendError::Predicate { label, constraints });
        }
    }
    Ok(found)
}

/// Whether it is the predicate a · b = c: a circuit may register another one under the same label.
fn is_r1cs<E: ProvingCurve>(constraints: &PredicateConstraintSystem<E::ScalarField>) -> bool {
    let bytes = |constraints: &PredicateConstraintSystem<E::ScalarField>| {
        let mut bytes = Vec::new();
        constraints.get_predicate().serialize_compressed(&mut bytes).ok().map(|()| bytes)
    };
    PredicateConstraintSystem::new_r1cs().is_ok_and(|r1cs| bytes(&r1cs) == bytes(constraints))
}
