//! What the integration tests share.
//!
//! | module | holds |
//! |---|---|
//! | [`places`] | where programs, libraries and fixtures are |
//! | [`program`] | running the command line |
//! | [`judge`] | snarkjs, asked through one long-lived process |
//! | [`circuits`] | small circuits with their witnesses, built in memory |
//! | [`random`] | seeded random scalars and points |
//! | [`shell`] | small backends in C, built with one fault each |
//! | [`template_c`], [`template_rust`] | the backend templates, built and loaded |

pub mod circuits;
pub mod judge;
pub mod places;
pub mod program;
pub mod random;
pub mod shell;
pub mod template_c;
pub mod template_rust;

use std::sync::{Arc, LazyLock};

use interlock_core::backend::Plugin;
use interlock_core::loader::{Trust, load};

/// The CPU backend as it is linked into programs; the same object every time.
pub fn linked() -> Arc<Plugin> {
    static LINKED: LazyLock<Arc<Plugin>> = LazyLock::new(|| {
        Plugin::linked(interlock_cpu::interlock_api()).expect("the linked backend's table is acceptable")
    });
    Arc::clone(&LINKED)
}

/// The CPU backend loaded from its library.
pub fn loaded() -> Arc<Plugin> {
    load(&places::cpu_library(), Trust::Unsigned).expect("the built library loads")
}
