//! The backend template in Rust, which the workspace builds.

use std::sync::{Arc, LazyLock};

use interlock_core::backend::Plugin;
use interlock_core::loader::{Trust, load};

use crate::places;

/// The template, loaded once per process.
///
/// # Panics
/// It was not built: `cargo build --workspace` first.
pub fn loaded() -> Arc<Plugin> {
    static LOADED: LazyLock<Arc<Plugin>> = LazyLock::new(|| {
        load(&places::library("interlock_template_rust"), Trust::Unsigned).expect("the template loads")
    });
    Arc::clone(&LOADED)
}
