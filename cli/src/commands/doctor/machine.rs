//! Processor, memory and limits.

use super::Check;
use crate::output::text;
use crate::threads;

pub(super) fn checks() -> Vec<Check> {
    let mut checks = vec![processor(), cores(), memory()];
    checks.extend(limits());
    checks
}

/// Extensions that make field arithmetic fast; everything works without them.
#[cfg(target_arch = "x86_64")]
fn processor() -> Check {
    let features = [
        ("adx", std::arch::is_x86_feature_detected!("adx")),
        ("bmi2", std::arch::is_x86_feature_detected!("bmi2")),
        ("avx2", std::arch::is_x86_feature_detected!("avx2")),
        ("avx512ifma", std::arch::is_x86_feature_detected!("avx512ifma")),
    ];
    let said: Vec<_> = features
        .iter()
        .map(|(name, present)| format!("{name} {}", if *present { "yes" } else { "no" }))
        .collect();
    let detail = format!("x86_64: {}", said.join(", "));
    // The assembly of the CPU backend's curves multiplies with ADX and BMI2.
    match features {
        [(_, true), (_, true), ..] => Check::ok("processor", detail),
        _ => Check::warning("processor", format!("{detail}; without adx and bmi2 proving is slower")),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn processor() -> Check {
    Check::ok("processor", std::env::consts::ARCH)
}

fn cores() -> Check {
    let physical = num_cpus::get_physical();
    let allowed = std::thread::available_parallelism().map_or(1, usize::from);
    let used = threads::effective(None);
    let detail =
        format!("{physical} physical cores, {allowed} logical ones allowed; {used} threads by default");
    if allowed < physical {
        Check::warning("cores", format!("{detail}; an affinity mask or a container keeps the others away"))
    } else {
        Check::ok("cores", detail)
    }
}

/// From `/proc/meminfo`, and the container's limit if there is one.
fn memory() -> Check {
    let Ok(info) = std::fs::read_to_string("/proc/meminfo") else {
        return Check::warning("memory", "this system does not tell");
    };
    let field = |name: &str| {
        let line = info.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        kib.checked_mul(1024)
    };
    let (Some(total), Some(available)) = (field("MemTotal:"), field("MemAvailable:")) else {
        return Check::warning("memory", "this system does not tell");
    };
    let limit = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let limit = limit.and_then(|text| text.trim().parse::<u64>().ok()).filter(|&limit| limit < total);
    let mut detail = format!("{} of {} available", text::bytes(available), text::bytes(total));
    if let Some(limit) = limit {
        detail.push_str(&format!("; this container may use {}", text::bytes(limit)));
    }
    // A key of 2^20 constraints on BLS12-381, mapped, with its matrices and the prover's vectors.
    let enough = 2 << 30;
    if available.min(limit.unwrap_or(u64::MAX)) < enough {
        Check::warning("memory", format!("{detail}; large circuits need more"))
    } else {
        Check::ok("memory", detail)
    }
}

#[cfg(unix)]
fn limits() -> Vec<Check> {
    use rustix::process::{Resource, getrlimit};

    let current = |resource| getrlimit(resource).current;
    let shown = |limit: Option<u64>| limit.map_or_else(|| "unlimited".to_owned(), text::bytes);

    let space = current(Resource::As);
    let space = match space {
        Some(_) => Check::warning("address space", format!("{}: larger keys cannot be mapped", shown(space))),
        None => Check::ok("address space", "unlimited"),
    };
    // Only drivers that pin memory ask for it; the CPU backend does not.
    let locked = current(Resource::Memlock);
    let locked = Check::ok("locked memory", format!("{} (for devices that pin host memory)", shown(locked)));
    let files = current(Resource::Nofile);
    let files = match files {
        Some(n) if n < 64 => {
            Check::warning("open files", format!("{n}: every plugin takes one, drivers take more"))
        }
        Some(n) => Check::ok("open files", text::count(n)),
        None => Check::ok("open files", "unlimited"),
    };
    vec![space, locked, files]
}

#[cfg(not(unix))]
fn limits() -> Vec<Check> {
    Vec::new()
}
