//! What the circuit is synthesised into.

use ::bellman::{ConstraintSystem, Index, LinearCombination, SynthesisError, Variable};
use ::ff::PrimeField;

use super::canonical;
use crate::assembly::{Assembly, Mode};

pub(super) struct System<F, M>(pub(super) Assembly<F, M>);

impl<F: PrimeField, M: Mode> System<F, M> {
    fn variable(
        &mut self,
        public: bool,
        value: impl FnOnce() -> Result<F, SynthesisError>,
    ) -> Result<usize, SynthesisError> {
        self.0.allocate(public, || value().map(|value| canonical(&value)))
    }

    fn collect(&mut self, combination: &LinearCombination<F>) {
        for (variable, coefficient) in combination.as_ref() {
            match variable.get_unchecked() {
                Index::Input(index) => self.0.term(true, index, *coefficient),
                Index::Aux(index) => self.0.term(false, index, *coefficient),
            }
        }
        self.0.close(canonical);
    }
}

impl<F: PrimeField, M: Mode> ConstraintSystem<F> for System<F, M> {
    type Root = Self;

    fn alloc<V, A, AR>(&mut self, _: A, value: V) -> Result<Variable, SynthesisError>
    where
        V: FnOnce() -> Result<F, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        Ok(Variable::new_unchecked(Index::Aux(self.variable(false, value)?)))
    }

    fn alloc_input<V, A, AR>(&mut self, _: A, value: V) -> Result<Variable, SynthesisError>
    where
        V: FnOnce() -> Result<F, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        Ok(Variable::new_unchecked(Index::Input(self.variable(true, value)?)))
    }

    fn enforce<A, AR, LA, LB, LC>(&mut self, annotation: A, a: LA, b: LB, c: LC)
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
        LA: FnOnce(LinearCombination<F>) -> LinearCombination<F>,
        LB: FnOnce(LinearCombination<F>) -> LinearCombination<F>,
        LC: FnOnce(LinearCombination<F>) -> LinearCombination<F>,
    {
        if M::ROWS {
            self.collect(&a(LinearCombination::zero()));
            self.collect(&b(LinearCombination::zero()));
            self.collect(&c(LinearCombination::zero()));
        }
        self.0.count(|| annotation().into());
    }

    fn push_namespace<NR, N>(&mut self, name: N)
    where
        NR: Into<String>,
        N: FnOnce() -> NR,
    {
        self.0.push(|| name().into());
    }

    fn pop_namespace(&mut self) {
        self.0.pop();
    }

    fn get_root(&mut self) -> &mut Self::Root {
        self
    }
}
