//! One page that needs nothing else: what happened, drawn and in tables.

mod tables;

use std::fmt;

use crate::model::Model;
use crate::page_data::Data;
use crate::summary::Summary;

const TEMPLATE: &str = include_str!("../html/page.html");
const STYLE: &str = include_str!("../html/page.css");
const SCRIPT: &str = include_str!("../html/page.js");

/// Text within HTML, outside tags or within a quoted attribute.
pub(crate) struct Escaped<T>(pub(crate) T);

impl<T: fmt::Display> fmt::Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.to_string().chars() {
            match c {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

/// The page.
///
/// # Errors
/// The model cannot be spelled as JSON.
pub fn page(model: &Model) -> Result<String, serde_json::Error> {
    let summary = Summary::new(model);
    let data = data(model)?;
    let title = Escaped(format!("{} · Interlock timeline", model.header.interlock)).to_string();
    let heading = tables::heading(model, &summary);
    let (cards, jobs) = (tables::cards(&summary), tables::jobs(model));
    let (devices, partitions) = (tables::devices(&summary), tables::partitions(model));
    let mut page = String::with_capacity(TEMPLATE.len() + STYLE.len() + SCRIPT.len() + 2 * data.len());
    // Each mark is replaced once and what it is replaced by is not looked at: it may hold anything.
    let mut rest = TEMPLATE;
    while let Some((before, after)) = rest.split_once("{{") {
        let (mark, after) = after.split_once("}}").unwrap_or(("", after));
        page.push_str(before);
        page.push_str(match mark {
            "title" => &title,
            "style" => STYLE,
            "heading" => &heading,
            "cards" => &cards,
            "devices" => &devices,
            "jobs" => &jobs,
            "partitions" => &partitions,
            "data" => &data,
            "script" => SCRIPT,
            _ => "",
        });
        rest = after;
    }
    page.push_str(rest);
    Ok(page)
}

/// JSON that ends no element: it has none of the characters that mean something in HTML.
fn data(model: &Model) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string(&Data::new(model))?;
    Ok(json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026"))
}
