//! Everything that must pass.

use std::time::Instant;

use anyhow::Result;

use crate::cmd::Cmd;
use crate::step::{shown, step};
use crate::{check, cuda, deny, fixtures, judges, node, system};

/// Installs what the tests need and runs them all; `offline`: but those with keys from npm that are not there yet.
pub(crate) fn run(offline: bool) -> Result<()> {
    let start = Instant::now();
    step("C compiler", system::ensure_c_compiler)?;
    let tools = step("circom and snarkjs", node::Tools::ensure)?;
    check::source()?;
    // The integration tests load the CPU backend's library, which `cargo test` alone does not build.
    step("build", || Cmd::cargo().args(["build", "--workspace"]).run())?;
    step("circomlib fixtures", fixtures::make_circomlib)?;
    step("committed fixtures", fixtures::check_committed)?;
    step("keys from npm", || fixtures::make_npm(offline))?;
    step("tests", || {
        let tests = Cmd::cargo().args(["test", "--workspace"]).env("INTERLOCK_NODE_TOOLS", tools.modules());
        if offline { tests.env("INTERLOCK_TEST_OFFLINE", "1").run() } else { tests.run() }
    })?;
    // Where the processor has vector instructions, the tests above used them.
    step("portable kernels of the CPU backend", || {
        Cmd::cargo()
            .args(["test", "--workspace", "--test", "backend_ops", "msm"])
            .env("INTERLOCK_CPU_SIMD", "off")
            .run()
    })?;
    // No device is needed for that; their arithmetic was tested above, compiled for the host.
    step("CUDA kernels", cuda::kernels)?;
    step("documentation", || {
        // The front ends are features, none of them on by default.
        Cmd::cargo()
            .args(["doc", "--no-deps", "--workspace", "--all-features"])
            .env("RUSTDOCFLAGS", "-D warnings")
            .run()
    })?;
    step("dependencies", deny::run)?;
    step("judges", judges::run)?;
    println!("\nAll tests passed in {}.", shown(start.elapsed()));
    Ok(())
}
