//! What the fuzz targets share.

pub use interlock_fuzz_harness as harness;
pub use libfuzzer_sys;

/// A fuzz target: the harness's function of this name, within its limit of memory.
#[macro_export]
macro_rules! target {
    ($name:literal) => {
        #[global_allocator]
        static ALLOCATOR: $crate::harness::memory::Counting = $crate::harness::memory::Counting;

        static TARGET: std::sync::OnceLock<$crate::harness::Target> = std::sync::OnceLock::new();

        $crate::libfuzzer_sys::fuzz_target!(
            init: {
                $crate::harness::use_this_thread();
                let _ = TARGET.set($crate::harness::target($name));
            },
            |data: &[u8]| {
                let target = TARGET.get().expect("set before the first run");
                $crate::harness::memory::limited(data.len(), || target(data));
            }
        );
    };
}
