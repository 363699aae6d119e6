//! The table of a backend, and the macro that exports it.

use interlock_abi::{INTERLOCK_ABI_MAJOR, INTERLOCK_ABI_MINOR, InterlockApi, InterlockHost, transfer};

use crate::backend::{Backend, Device};
use crate::thunks::{device, guard, keys, lanes, math, plugin, scalars, strategies};

/// The table of a backend, for a program that links several: [`export_backend!`](crate::export_backend) defines symbols,
/// which a program can have once.
pub const fn table<B: Backend>() -> InterlockApi {
    let features = <B::Device as Device>::FEATURES;
    InterlockApi {
        struct_size: size_of::<InterlockApi>(),
        ext: std::ptr::null(),
        abi_major: INTERLOCK_ABI_MAJOR,
        abi_minor: INTERLOCK_ABI_MINOR,
        error_get: Some(guard::error_get),
        error_destroy: Some(guard::error_destroy),
        plugin_info: Some(plugin::info::<B>),
        plugin_probe: Some(plugin::probe::<B>),
        device_info: Some(plugin::device_info::<B>),
        device_open: Some(device::open::<B>),
        device_memory: Some(device::memory::<B::Device>),
        device_close: Some(device::close::<B::Device>),
        lane_create: Some(lanes::create::<B::Device>),
        lane_sync: Some(lanes::sync::<B::Device>),
        lane_cancel: if features.cancel { Some(lanes::cancel::<B::Device>) } else { None },
        lane_destroy: Some(lanes::destroy::<B::Device>),
        scalars_alloc: Some(scalars::alloc::<B::Device>),
        scalars_upload: Some(scalars::upload::<B::Device>),
        scalars_download: Some(scalars::download::<B::Device>),
        scalars_free: Some(scalars::free::<B::Device>),
        bases_create: Some(keys::bases_create::<B::Device>),
        bases_free: Some(keys::bases_free::<B::Device>),
        matrix_create: if features.matrices { Some(keys::matrix_create::<B::Device>) } else { None },
        matrix_free: if features.matrices { Some(keys::matrix_free::<B::Device>) } else { None },
        domain_create: Some(keys::domain_create::<B::Device>),
        domain_free: Some(keys::domain_free::<B::Device>),
        ntt: Some(math::ntt::<B::Device>),
        pointwise: if features.pointwise { Some(math::pointwise::<B::Device>) } else { None },
        scale: if features.scale { Some(math::scale::<B::Device>) } else { None },
        spmv: if features.matrices { Some(math::spmv::<B::Device>) } else { None },
        msm: Some(math::msm::<B::Device>),
        strategy_count: Some(strategies::count::<B>),
        strategy_info: Some(strategies::info::<B>),
        strategy_create: Some(strategies::create::<B>),
        strategy_request: Some(strategies::request),
        strategy_shrink: Some(strategies::shrink),
        strategy_release: Some(strategies::release),
        strategy_cancel: Some(strategies::cancel),
        strategy_decide: Some(strategies::decide),
        strategy_destroy: Some(strategies::destroy),
    }
}

/// What an exported entry does with the host that calls it: checks it and remembers it for the log. False when the
/// host speaks another ABI, so that the entry answers NULL.
///
/// # Safety
/// `host` is NULL or an `InterlockHost` that lives as long as the process.
pub unsafe fn install_host(host: *const InterlockHost) -> bool {
    // SAFETY: the caller's struct carries its size.
    let Ok(known) = (unsafe { transfer::read(host) }) else { return false };
    if (known.abi_major, known.abi_minor) != (INTERLOCK_ABI_MAJOR, INTERLOCK_ABI_MINOR) {
        return false;
    }
    // SAFETY: as above, and it lives as long as the process.
    unsafe { crate::log::install(host) };
    true
}

/// Exports a [`Backend`] as a plugin through both doors: the C symbol `interlock_get_api`, and an `abi_stable` root
/// module that hands over the same table. Also defines `interlock_api()`, for a host that links the backend.
///
/// A library exports one backend. The crate builds as a `cdylib` with `panic = "unwind"`.
#[macro_export]
macro_rules! export_backend {
    ($backend:ty) => {
        static INTERLOCK_API: $crate::__private::abi::InterlockApi = $crate::__private::table::<$backend>();

        /// The backend's function table, for a program that links it instead of loading it.
        pub fn interlock_api() -> &'static $crate::__private::abi::InterlockApi {
            &INTERLOCK_API
        }

        /// The C door: hands over the function table, or NULL to a host that speaks another ABI.
        ///
        /// # Safety
        /// `host` is NULL or an `InterlockHost` that lives as long as the process.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn interlock_get_api(
            host: *const $crate::__private::abi::InterlockHost,
        ) -> *const $crate::__private::abi::InterlockApi {
            // SAFETY: the caller's contract is this function's.
            if unsafe { $crate::__private::install_host(host) } {
                &raw const INTERLOCK_API
            } else {
                ::std::ptr::null()
            }
        }

        /// The typed door: `abi_stable`'s library header, under the name where its loader looks for it.
        // Written out instead of using `#[export_root_module]`, whose expansion needs `abi_stable` among the plugin's
        // own dependencies.
        #[doc(hidden)]
        #[allow(non_upper_case_globals, reason = "the symbol's name belongs to abi_stable")]
        #[unsafe(no_mangle)]
        pub static _1as_0lib_1header_0root_bmodule_bloader:
            $crate::__private::abi_stable::library::LibHeader = {
            use $crate::__private::abi::door::{InterlockDoor, InterlockDoorRef};
            use $crate::__private::abi_stable::library::{
                __call_root_module_loader, CheckTypeLayout, LibHeader, RootModuleResult,
            };
            use $crate::__private::abi_stable::prefix_type::PrefixTypeTrait;

            fn door() -> InterlockDoorRef {
                InterlockDoor { get_api: interlock_get_api }.leak_into_prefix()
            }

            extern "C" fn erased() -> RootModuleResult {
                __call_root_module_loader(door)
            }

            // SAFETY: `erased` returns the root module type that is named here.
            unsafe { LibHeader::from_constructor::<InterlockDoorRef>(erased, CheckTypeLayout::Yes) }
        };
    };
}

#[cfg(test)]
mod tests {
    /// The macro spells out the symbol that `abi_stable`'s loaders ask for.
    #[test]
    fn the_typed_doors_symbol() {
        assert_eq!(abi_stable::library::ROOT_MODULE_LOADER_NAME, "_1as_0lib_1header_0root_bmodule_bloader");
    }
}
