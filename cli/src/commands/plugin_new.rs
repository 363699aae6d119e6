//! `interlock plugin new` and `interlock plugin header`: what a vendor begins with.

mod folder;
mod templates;

use std::path::Path;

use interlock_core::backend::valid_plugin_name;
use serde_json::json;

use super::Context;
use crate::args::{HeaderArgs, Language, NewArgs};
use crate::errors::{CannotWrite, Unfit, Usage};
use crate::exit::Exit;
use crate::output::atomic::{Draft, commit};
use crate::output::{json, print, text};

/// For a report that cannot be printed.
const WRITTEN: &str = "the folder was written, only the report cannot be printed";

/// Writes a backend to start from.
pub(crate) fn new(args: &NewArgs) -> anyhow::Result<Exit> {
    let name = name(args)?;
    let files = match (args.language, &args.sdk) {
        (Language::C, None) => templates::in_c(&name),
        (Language::C, Some(_)) => {
            let text =
                "--sdk is for --language rust: a backend in C needs the header alone, which is in its folder";
            return Err(Usage(text.into()).into());
        }
        (Language::Rust, Some(sdk)) => templates::in_rust(&name, &checked_sdk(sdk)?),
        (Language::Rust, None) => {
            let text = "--language rust needs --sdk PATH, the folder plugins/sdk of a checkout of Interlock: the crate \
                        interlock-sdk is not published yet";
            return Err(Usage(text.into()).into());
        }
    };
    folder::write(&args.folder, &files)
        .map_err(|source| CannotWrite { path: args.folder.clone(), source })?;

    let shown = args.folder.display().to_string();
    let file = format!("libinterlock_{}.so", name.replace('-', "_"));
    let (library, build) = match args.language {
        Language::C => (format!("build/{file}"), "make, and make check for its self-test"),
        Language::Rust => (format!("target/release/{file}"), "cargo build --release, and cargo test"),
    };
    if args.json {
        let names: Vec<&str> = files.iter().map(|file| file.path).collect();
        let body = json!({
            "name": name,
            "language": args.language.name(),
            "folder": shown,
            "files": names,
            "library": library,
        });
        print::report(&json::done("plugin new", body), WRITTEN)?;
    } else {
        let count = text::plural(files.len() as u64, "file");
        let rows = [
            ("written", format!("{shown}: {count}, the backend {name} in {}", args.language.name())),
            ("build", format!("in that folder, {build}")),
            ("try", format!("interlock prove --backend {library} --allow-unsigned …")),
            ("next", "README.md there".to_owned()),
        ];
        print::report(&text::table(&rows), WRITTEN)?;
    }
    Ok(Exit::Ok)
}

/// Writes the C header of the ABI.
pub(crate) fn header(args: &HeaderArgs, context: &Context) -> anyhow::Result<Exit> {
    let Some(file) = &args.file else {
        print::script(templates::HEADER.text)?;
        return Ok(Exit::Ok);
    };
    let targets = context.targets(&[file], &[])?;
    let drafts = targets.iter().map(|target| Draft::with_text(target, templates::HEADER.text));
    commit(drafts.collect::<Result<_, _>>()?)?;
    context.note(&format!("wrote {}", file.display()));
    Ok(Exit::Ok)
}

/// The name that was given, or that of the folder.
fn name(args: &NewArgs) -> Result<String, Usage> {
    let rule = "lower case letters, digits and '-', at most 32, and neither `auto` nor `embedded`";
    if let Some(name) = &args.name {
        return if valid_plugin_name(name) {
            Ok(name.clone())
        } else {
            Err(Usage(format!("{name:?} is no name for a backend: {rule}")))
        };
    }
    // `.` and `..` have a name only where they lead.
    let real = args.folder.canonicalize().unwrap_or_else(|_| args.folder.clone());
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    if valid_plugin_name(&name) {
        return Ok(name.into_owned());
    }
    let folder = args.folder.display();
    Err(Usage(format!(
        "the folder's name is no name for a backend, so give one, --name NAME: {rule} ({folder})"
    )))
}

/// The SDK's folder as an absolute path, for a `Cargo.toml`.
fn checked_sdk(sdk: &Path) -> anyhow::Result<String> {
    let unfit = |problem: String| Unfit {
        what: format!("{}: {problem}", sdk.display()),
        hint: Some("--sdk is the folder plugins/sdk of a checkout of Interlock"),
    };
    let path = sdk.canonicalize().map_err(|error| unfit(error.to_string()))?;
    let manifest = std::fs::read_to_string(path.join("Cargo.toml"))
        .map_err(|error| unfit(format!("its Cargo.toml cannot be read: {error}")))?;
    let package = manifest.parse::<toml::Table>().ok();
    let name = package.as_ref().and_then(|table| table.get("package")?.get("name")?.as_str());
    if name != Some("interlock-sdk") {
        return Err(unfit("it is not the folder of the crate interlock-sdk".into()).into());
    }
    let path = path.to_str().ok_or_else(|| unfit("the path is not UTF-8, which a Cargo.toml is".into()))?;
    Ok(path.to_owned())
}
