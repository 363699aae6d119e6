//! What the plugin says of itself and of its devices.

use interlock_core::backend::{Device, DeviceOptions, Lane};
use interlock_core::loader::elf;
use interlock_core::loader::loading::image_of;
use interlock_curves::ProvingCurve;

use crate::outcome::{Outcome, equal, holds};
use crate::raw::{Raw, accepted, call};
use crate::row::{Rows, Setting};

pub(crate) fn rows(rows: &mut Rows) {
    rows.add("version and texts", |setting| {
        let info = setting.plugin.info();
        let numbers: Vec<&str> = info.version.splitn(3, '.').collect();
        let is_version = numbers.len() == 3
            && numbers[..2].iter().all(|number| number.parse::<u32>().is_ok())
            && numbers[2].starts_with(|c: char| c.is_ascii_digit());
        holds("plugin_info", "a version such as 1.2.3", is_version, &info.version)?;
        for (what, text) in [("description", &info.description), ("licence", &info.license)] {
            holds(format_args!("plugin_info, {what}"), "one line", is_line(text), format_args!("{text:?}"))?;
        }
        holds("plugin_info, curves", "at least one that is known", !info.curves.is_empty(), "none")
    });
    rows.add("probe", |setting| {
        let probe = setting.plugin.probe()?;
        holds("plugin_probe", "a score above 0", probe.score > 0, format_args!("0: {}", probe.reason))?;
        holds("plugin_probe", "a device", !probe.devices.is_empty(), "none")?;
        holds(
            "plugin_probe, reason",
            "one line",
            is_line(&probe.reason),
            format_args!("{:?}", probe.reason),
        )?;
        for (i, device) in probe.devices.iter().enumerate() {
            let named = is_line(&device.name);
            holds(
                format_args!("device_info({i}), name"),
                "one line",
                named,
                format_args!("{:?}", device.name),
            )?;
        }
        equal("plugin_probe, a second time", probe, setting.plugin.probe()?)
    });
    rows.add("optional functions", |setting| {
        let table = Raw::of(setting.plugin).table;
        let all_or_none = |what: &str, slots: &[bool]| {
            let some = slots.iter().filter(|slot| **slot).count();
            holds(
                what,
                "all of them or none",
                some == 0 || some == slots.len(),
                format_args!("{some} of them"),
            )
        };
        all_or_none(
            "matrix_create, matrix_free, spmv",
            &[table.matrix_create.is_some(), table.matrix_free.is_some(), table.spmv.is_some()],
        )?;
        all_or_none(
            "strategy_…",
            &[
                table.strategy_count.is_some(),
                table.strategy_info.is_some(),
                table.strategy_create.is_some(),
                table.strategy_request.is_some(),
                table.strategy_shrink.is_some(),
                table.strategy_release.is_some(),
                table.strategy_cancel.is_some(),
                table.strategy_decide.is_some(),
                table.strategy_destroy.is_some(),
            ],
        )
    });
    rows.add("strategies", |setting| {
        let strategies = setting.plugin.strategies()?;
        for (i, strategy) in strategies.iter().enumerate() {
            let twice = strategies[..i].iter().any(|earlier| earlier.name == strategy.name);
            holds("strategy_info", "names that differ", !twice, &strategy.name)?;
        }
        Ok(())
    });
    rows.add("exported functions", exports);
    rows.add("error_destroy(NULL)", |setting| {
        let raw = Raw::of(setting.plugin);
        if let Some(destroy) = raw.table.error_destroy {
            // SAFETY: NULL is allowed.
            unsafe { destroy(std::ptr::null_mut()) };
        }
        // It still answers.
        let mut probe = interlock_abi::transfer::empty();
        accepted("plugin_probe", call!(&raw, plugin_probe(&raw mut probe)))
    });
}

/// A function that the process has already, under the same name, takes the place of the library's own wherever the library
/// calls it by that name.
#[cfg(target_os = "linux")]
fn exports(setting: &mut Setting<'_>) -> Outcome {
    // One that is linked into the program exports nothing.
    let Some(image) = image_of(setting.plugin) else { return Ok(()) };
    let process = libloading::os::unix::Library::this();
    for name in elf::exports(image.bytes()?.as_ref())? {
        let symbol = format!("{name}\0");
        // SAFETY: its address is not used.
        let known = unsafe { process.get::<*const ()>(symbol.as_bytes()) }.is_ok();
        let got = format!("it exports {name}, which a library of the system has as well");
        holds("the library's symbols", "no function that the process has already", !known, got)?;
    }
    Ok(())
}

/// Other systems load no libraries.
#[cfg(not(target_os = "linux"))]
fn exports(_: &mut Setting<'_>) -> Outcome {
    Ok(())
}

pub(crate) fn of_curve<E: ProvingCurve>(rows: &mut Rows) {
    rows.add("every device opens", |setting| {
        let devices = setting.plugin.probe()?.devices.len() as u32;
        for index in 0..devices {
            let device = Device::open(setting.plugin, E::CURVE, DeviceOptions { index, ..setting.device })?;
            Lane::create(&device)?.sync()?;
            let memory = device.memory()?;
            equal(format_args!("device_memory of device {index}, scalars"), 0, memory.scalars)?;
        }
        Ok(())
    });
}

fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains(['\n', '\r'])
}
