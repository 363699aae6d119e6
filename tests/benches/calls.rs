//! What the function table costs: calls of the CPU backend's library through the host's wrappers, the table and the SDK's
//! checks, against the same methods of the same backend, linked and called directly.
//!
//! `cargo build --workspace --release && cargo bench --workspace --bench calls`

#![allow(clippy::print_stdout, reason = "the result of a measurement")]

use std::hint::black_box;
use std::time::Instant;

use interlock_core::backend::{Device, DeviceOptions, Lane, Scalars};
use interlock_cpu::device::CpuDevice;
use interlock_curves::{Bn254, Curve};
use interlock_sdk::{CancelToken, CurveId, Device as _, Form, OpenParams};

/// Calls in a row, of which the mean is taken; and rows, of which the fastest counts.
const CALLS: u32 = 100_000;
const ROWS: u32 = 7;

fn main() {
    let plugin = interlock_tests::loaded();
    let options = DeviceOptions { threads: Some(1), ..DeviceOptions::default() };
    let device = Device::open(&plugin, Curve::Bn254, options).expect("the device opens");
    let lane = Lane::create(&device).expect("a lane is made");
    let scalars = Scalars::alloc(&device, 1).expect("a scalar fits");

    let params = OpenParams { index: 0, curve: CurveId::Bn254, memory_limit: None, threads: Some(1) };
    let direct = CpuDevice::<Bn254>::open(&params).expect("the device opens");
    let mut own = direct.lane(CancelToken::default()).expect("a lane is made");
    let one = direct.alloc(1).expect("a scalar fits");

    println!("{:>24} {:>10} {:>10} {:>10}", "ns a call", "direct", "table", "more");
    row(
        "memory account",
        || {
            black_box(direct.memory());
        },
        || {
            black_box(device.memory().expect("there is an account"));
        },
    );
    row(
        "wait for a lane",
        || direct.sync(&mut own).expect("there is nothing to wait for"),
        || lane.sync().expect("there is nothing to wait for"),
    );
    let mut own = direct.lane(CancelToken::default()).expect("a lane is made");
    // The host's wrapper waits for the lane afterwards, so these are two calls through the table.
    row(
        "no sums, and the wait",
        || direct.msm(&mut own, &one, Form::Canonical, Vec::new()).expect("there is nothing to add"),
        || drop(black_box(lane.msm(&scalars, &[]).expect("there is nothing to add"))),
    );
}

fn row(what: &str, direct: impl FnMut(), table: impl FnMut()) {
    let (direct, table) = (fastest(direct), fastest(table));
    println!("{what:>24} {direct:10.1} {table:10.1} {:10.1}", table - direct);
}

fn fastest(mut call: impl FnMut()) -> f64 {
    let times = (0..ROWS).map(|_| {
        let start = Instant::now();
        for _ in 0..CALLS {
            call();
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
    });
    times.fold(f64::INFINITY, f64::min)
}
