//! The kernels' headers as a library of this host.

use std::process::Command;
use std::sync::LazyLock;

use interlock_tests::places::repository;
use libloading::{Library, Symbol};

/// What a field does, in the library's order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FieldOp {
    Add,
    Sub,
    Mul,
    Square,
    Negate,
    Double,
}

impl FieldOp {
    pub(crate) const ALL: [Self; 6] =
        [Self::Add, Self::Sub, Self::Mul, Self::Square, Self::Negate, Self::Double];
}

type FieldFn = unsafe extern "C" fn(u32, u32, usize, *const u8, *const u8, *mut u8);
type SumFn = unsafe extern "C" fn(u32, usize, *const u8, u32, u32, *mut u8);
type NttFn = unsafe extern "C" fn(u32, i32, i32, *const u8, *const u8, *const u8, *mut u8);
type MsmFn = unsafe extern "C" fn(u32, usize, i32, *const u8, *const u32, *const u8, usize, u32, *mut u8);
type DigitsFn = unsafe extern "C" fn(*const u32, i32, *mut i32) -> i32;

/// A sum over bases.
pub(crate) struct Sum<'a> {
    pub(crate) count: usize,
    pub(crate) points: &'a [u8],
    pub(crate) index: Option<&'a [u32]>,
    pub(crate) scalars: &'a [u8],
    pub(crate) montgomery: bool,
    pub(crate) result_bytes: usize,
}

/// The library.
pub(crate) struct Kernels(Library);

/// It, built once.
pub(crate) fn library() -> &'static Kernels {
    static BUILT: LazyLock<Kernels> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("libkernels.so");
        let source = repository().join("backend-cuda/kernels/host/functions.cpp");
        let mut command = Command::new("c++");
        command.args([
            "-std=c++17",
            "-O2",
            "-shared",
            "-fPIC",
            "-Wall",
            "-Wextra",
            "-Wno-unknown-pragmas",
            "-Werror",
        ]);
        let status = command.arg("-o").arg(&library).arg(&source).status();
        assert!(
            status.expect("a C++ compiler is installed").success(),
            "{} does not compile",
            source.display()
        );
        // SAFETY: the library is ours and has no constructors.
        Kernels(unsafe { Library::new(&library) }.unwrap())
    });
    &BUILT
}

impl Kernels {
    /// An operation on pairs of elements of `bytes` bytes.
    pub(crate) fn field(&self, field: u32, op: u32, a: &[u8], b: &[u8], bytes: usize) -> Vec<u8> {
        assert_eq!(a.len(), b.len());
        let mut out = vec![0; a.len()];
        // SAFETY: the symbol has this type; the three places have as many elements as it is told.
        unsafe {
            let function: Symbol<'_, FieldFn> = self.0.get(b"il_field\0").unwrap();
            function(field, op, a.len() / bytes, a.as_ptr(), b.as_ptr(), out.as_mut_ptr());
        }
        out
    }

    /// A sum of affine points, doubled so many times.
    pub(crate) fn sum(
        &self,
        group: u32,
        count: usize,
        points: &[u8],
        in_halves: bool,
        doublings: u32,
        bytes: usize,
    ) -> Vec<u8> {
        let mut out = vec![0; bytes];
        // SAFETY: the symbol has this type; there are `count` points, and a place for three coordinates.
        unsafe {
            let function: Symbol<'_, SumFn> = self.0.get(b"il_sum\0").unwrap();
            function(group, count, points.as_ptr(), in_halves.into(), doublings, out.as_mut_ptr());
        }
        out
    }

    /// Σ scalar · point.
    pub(crate) fn msm(&self, group: u32, width: i32, sum: &Sum<'_>) -> Vec<u8> {
        let mut out = vec![0; sum.result_bytes];
        let index = sum.index.map_or(std::ptr::null(), <[u32]>::as_ptr);
        // SAFETY: the symbol has this type; points, index and scalars are as long as is told, each index is below the number of
        // scalars, and there is a place for three coordinates.
        unsafe {
            let function: Symbol<'_, MsmFn> = self.0.get(b"il_msm\0").unwrap();
            let (points, scalars) = (sum.points.as_ptr(), sum.scalars.as_ptr());
            let scalars_count = sum.scalars.len() / 32;
            let montgomery = sum.montgomery.into();
            function(
                group,
                sum.count,
                width,
                points,
                index,
                scalars,
                scalars_count,
                montgomery,
                out.as_mut_ptr(),
            );
        }
        out
    }

    /// A transform; `inverses` are those of generator, shift and size.
    pub(crate) fn ntt(
        &self,
        field: u32,
        op: i32,
        log_size: i32,
        [generator, shift, inverses]: [&[u8]; 3],
        mut data: Vec<u8>,
    ) -> Vec<u8> {
        assert_eq!((data.len(), inverses.len()), (32 << log_size, 96));
        // SAFETY: the symbol has this type; the data has 2^log_size scalars, the others one, one and three.
        unsafe {
            let function: Symbol<'_, NttFn> = self.0.get(b"il_ntt\0").unwrap();
            let (generator, shift, inverses) = (generator.as_ptr(), shift.as_ptr(), inverses.as_ptr());
            function(field, op, log_size, generator, shift, inverses, data.as_mut_ptr());
        }
        data
    }

    /// A scalar's digits.
    pub(crate) fn digits(&self, scalar: &[u32; 8], width: i32) -> Vec<i32> {
        let mut out = vec![0; 256];
        // SAFETY: the symbol has this type; a scalar has at most 86 digits of three bits or more.
        let count = unsafe {
            let function: Symbol<'_, DigitsFn> = self.0.get(b"il_digits\0").unwrap();
            function(scalar.as_ptr(), width, out.as_mut_ptr())
        };
        out.truncate(usize::try_from(count).unwrap());
        out
    }
}
