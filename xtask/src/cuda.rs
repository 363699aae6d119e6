//! The CUDA compiler, and the kernels.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};

use crate::cmd::Cmd;
use crate::{paths, system};

/// What kernels are compiled for.
const ARCHITECTURE: &str = "sm_90";

/// Installs the compiler below `target/`, in the versions of `backend-cuda/toolkit.txt`; gives its `nvcc`.
pub(crate) fn toolkit() -> Result<PathBuf> {
    let (dir, list) = (paths::at("target/tools/cuda"), paths::at("backend-cuda/toolkit.txt"));
    let wanted = fs::read(&list).with_context(|| format!("cannot read {}", paths::shown(&list)))?;
    let home = dir.join("nvidia/cu13");
    let nvcc = home.join("bin/nvcc");
    // Copied last, so that it also tells that the installation came to its end.
    let installed = dir.join("installed.txt");
    if fs::read(&installed).is_ok_and(|bytes| bytes == wanted) && nvcc.exists() {
        return Ok(nvcc);
    }
    let pip = || Cmd::new("python3").args(["-m", "pip", "--disable-pip-version-check"]);
    system::ensure(&["python3"], &["python3", "python3-pip"])?;
    if !pip().arg("--version").succeeds() {
        system::install(&["python3-pip"])?;
    }
    if dir.exists() {
        fs::remove_dir_all(&dir).with_context(|| format!("cannot remove {}", paths::shown(&dir)))?;
    }
    eprintln!("    installing the CUDA compiler in {}", paths::shown(&dir));
    let mut install = pip().args(["install", "--quiet", "--no-deps", "--target"]).arg(&dir);
    install = install.arg("--requirement").arg(&list);
    install.quiet()?;
    // It looks for libraries where a full toolkit has them.
    #[cfg(unix)]
    std::os::unix::fs::symlink("lib", home.join("lib64")).context("cannot link lib64 to lib")?;
    fs::write(&installed, &wanted)?;
    Ok(nvcc)
}

/// The compiler that `NVCC`, `CUDA_HOME` or `PATH` names, or the one below `target/`, which is installed if need be.
fn nvcc() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("NVCC") {
        let path = PathBuf::from(named);
        return if path.is_file() {
            Ok(path)
        } else {
            bail!("NVCC is {}: there is no such file", path.display())
        };
    }
    if let Some(home) = std::env::var_os("CUDA_HOME") {
        let path = Path::new(&home).join("bin/nvcc");
        return if path.is_file() { Ok(path) } else { bail!("CUDA_HOME: there is no {}", path.display()) };
    }
    system::find("nvcc").map_or_else(toolkit, Ok)
}

/// Compiles each kernel file to `target/cuda`; warnings are errors. No device is needed.
pub(crate) fn kernels() -> Result<()> {
    system::ensure(&["c++"], &["g++"])?;
    let nvcc = nvcc()?;
    let (sources, out) = (paths::at("backend-cuda/kernels"), paths::at("target/cuda"));
    fs::create_dir_all(&out)?;
    let mut files: Vec<PathBuf> = fs::read_dir(&sources)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "cu"))
        .collect();
    files.sort();
    let next = Mutex::new(files.into_iter());
    let compile = || -> Result<()> {
        loop {
            let file = next.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(file) = file else { return Ok(()) };
            let cubin = out.join(file.with_extension("cubin").file_name().unwrap_or_default());
            Cmd::new(&nvcc)
                .args(["-std=c++17", "-O3", "-Werror", "all-warnings", "-cubin", "-arch", ARCHITECTURE, "-o"])
                .arg(&cubin)
                .arg(&file)
                .run()?;
            println!("    {}", paths::shown(&cubin));
        }
    };
    // A file takes up to a minute and a GiB.
    let threads = thread::available_parallelism().map_or(1, usize::from).min(8);
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(compile)).collect();
        running.into_iter().try_for_each(|thread| match thread.join() {
            Ok(outcome) => outcome,
            Err(_) => bail!("a thread that compiles has panicked"),
        })
    })
}
