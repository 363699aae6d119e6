//! `interlock timeline`.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write as _, stdin};
use std::path::Path;

use interlock_timeline::{Error as TimelineError, Model, Reader, Summary, html, perfetto};
use serde_json::json;

use super::Context;
use crate::args::TimelineArgs;
use crate::errors::{BadTimeline, CannotWrite};
use crate::exit::Exit;
use crate::output::atomic::{Draft, commit};
use crate::output::target::{STDOUT, Target};
use crate::output::{json, print};

/// Bytes that are collected before they are written.
const BUFFER: usize = 1 << 20;

/// Sums up a timeline, and draws it.
pub(crate) fn run(args: &TimelineArgs, context: &Context) -> anyhow::Result<Exit> {
    let stdin_is_input = args.timeline == Path::new("-");
    let outputs: Vec<&Path> = args.html.iter().chain(&args.perfetto).map(|path| path.as_path()).collect();
    let inputs = if stdin_is_input { Vec::new() } else { vec![args.timeline.as_path()] };
    let mut targets = context.targets(&outputs, &inputs)?.into_iter();
    let (page, trace) = (
        args.html.as_ref().and_then(|_| targets.next()),
        args.perfetto.as_ref().and_then(|_| targets.next()),
    );

    let path = if stdin_is_input { Path::new("standard input") } else { &args.timeline };
    let bad = |error| BadTimeline { path: path.to_owned(), error };
    let model = if stdin_is_input {
        read(stdin().lock())
    } else {
        File::open(path).map_err(TimelineError::from).and_then(|file| read(BufReader::new(file)))
    }
    .map_err(bad)?;
    if model.cut {
        print::warning(&format!(
            "{}: the last line is cut off, as when its writer was killed; what comes before it is shown",
            path.display()
        ));
    }
    let mut drafts = Vec::new();
    drafts.extend(page.as_ref().map(|target| page_draft(&model, target)).transpose()?);
    drafts.extend(trace.as_ref().map(|target| trace_draft(&model, target)).transpose()?);
    commit(drafts)?;

    let summary = Summary::new(&model);
    let shown = |path: &Option<_>| path.as_ref().map(|path: &std::path::PathBuf| path.display().to_string());
    if args.json {
        let body = json!({
            "timeline": args.timeline.display().to_string(),
            "cut": model.cut,
            "summary": summary,
            "outputs": { "html": shown(&args.html), "perfetto": shown(&args.perfetto) },
        });
        print::report(&json::done("timeline", body), WRITTEN)?;
        return Ok(Exit::Ok);
    }
    // Beside an output on stdout there is no room for it.
    if outputs.contains(&Path::new(STDOUT)) {
        context.note(summary.to_string().trim_end());
    } else {
        print::report(&summary.to_string(), WRITTEN)?;
    }
    for (what, path) in [("page", shown(&args.html)), ("trace", shown(&args.perfetto))] {
        if let Some(path) = path {
            context.note(&format!("wrote {path}: {what}"));
        }
    }
    Ok(Exit::Ok)
}

const WRITTEN: &str = "outputs that were asked for were written, only the report is missing";

fn read(input: impl BufRead) -> Result<Model, TimelineError> {
    Model::read(Reader::new(input)?)
}

fn page_draft(model: &Model, target: &Target) -> Result<Draft, CannotWrite> {
    let page = html::page(model)
        .map_err(|error| CannotWrite { path: target.path().to_owned(), source: error.into() })?;
    Draft::with_text(target, &page)
}

fn trace_draft(model: &Model, target: &Target) -> Result<Draft, CannotWrite> {
    let cannot = |source| CannotWrite { path: target.path().to_owned(), source };
    let mut out = BufWriter::with_capacity(BUFFER, Draft::begin(target)?);
    perfetto::write(model, &mut out).and_then(|()| out.flush()).map_err(cannot)?;
    out.into_inner().map_err(|error| cannot(error.into_error()))
}
