//! Where strategies come from: the stock ones, or a vendor's.

use interlock_strategies::{Limits, MemoryPolicy, Strategy, stock};

/// Makes strategies by their names. A vendor's backend brings its own.
pub trait Factory {
    /// The names, the default first, and what each promises of bytes.
    fn strategies(&self) -> Vec<(String, MemoryPolicy)>;

    /// Makes one for a device.
    ///
    /// # Errors
    /// There is none of this name, or it cannot be made; in words.
    fn create(&self, name: &str, limits: Limits) -> Result<Box<dyn Strategy>, String>;

    /// Why a strategy that was made decides nothing any more, when it knows.
    fn failure(&self) -> Option<String> {
        None
    }
}

/// The five strategies of the SDK.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stock;

impl Factory for Stock {
    fn strategies(&self) -> Vec<(String, MemoryPolicy)> {
        stock::ALL.iter().map(|strategy| (strategy.name.to_owned(), strategy.memory)).collect()
    }

    fn create(&self, name: &str, limits: Limits) -> Result<Box<dyn Strategy>, String> {
        match stock::create(name, limits) {
            Some(strategy) => Ok(Box::new(strategy)),
            None => {
                let known: Vec<_> = stock::ALL.iter().map(|strategy| strategy.name).collect();
                Err(format!("known are {}", known.join(", ")))
            }
        }
    }
}
