//! The page and the trace.

mod sample;

use std::collections::{BTreeMap, BTreeSet};

use interlock_scheduler::PhaseName;
use interlock_strategies::stock;
use interlock_timeline::row::Doing;
use interlock_timeline::{Model, html, perfetto};
use sample::{COMPUTE, GIB, Scenario};
use serde_json::Value;

fn embedded(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").expect("data");
    let (data, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn the_page_needs_nothing_else() {
    let page = html::page(&Scenario::with_faults(stock::LEDGER).model()).unwrap();
    for word in [
        "http:",
        "https:",
        "src=",
        "href=",
        "url(",
        "@import",
        "import(",
        "fetch(",
        "XMLHttpRequest",
        "//cdn",
        "{{",
    ] {
        assert!(!page.contains(word), "the page has {word}");
    }
    for word in [
        "<html lang=\"en\">",
        "<title>ledger · Interlock timeline</title>",
        "default-src 'none'",
        "<caption>Jobs</caption>",
    ] {
        assert!(page.contains(word), "the page lacks {word}");
    }
}

#[test]
fn the_page_s_data_are_the_model_s() {
    let model = Scenario::with_faults(stock::TWO_LOCK).model();
    let data = embedded(&html::page(&model).unwrap());
    assert_eq!(data["wall"], model.wall());
    assert_eq!(data["devices"][0]["budget"], 16 * GIB);
    let kinds = data["kinds"].as_array().unwrap();
    let numbers = |value: &Value| -> Vec<i64> {
        value.as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect()
    };
    let rows = data["rows"].as_array().unwrap();
    assert_eq!(rows.len(), model.rows().count());
    let (mut computing, mut waiting) = (0, 0);
    for (row, drawn) in model.rows().zip(rows) {
        let columns = numbers(&drawn["intervals"]);
        let intervals: Vec<_> = row.intervals.iter().filter(|interval| interval.part.is_some()).collect();
        assert_eq!(columns.len(), 6 * intervals.len());
        for (interval, columns) in intervals.iter().zip(columns.chunks(6)) {
            assert_eq!(
                [columns[0], columns[1]],
                [interval.from - model.start, interval.length()].map(|n| n as i64)
            );
            let part = interval.part.unwrap();
            assert_eq!(data["parts"][columns[3] as usize]["name"], format!("{}.{}", part.job, part.index));
            let kind = kinds[columns[2] as usize].as_str().unwrap();
            computing += if kind == "compute" || kind == "slow" { columns[1] } else { 0 };
            if let Doing::Wait { cause, .. } = interval.doing {
                waiting += 1;
                assert_eq!(kind, format!("wait-{}", cause.name()));
                let told = data["causes"][columns[4] as usize].as_str().unwrap();
                assert!(told.ends_with(&cause.to_string()), "{told}");
            }
        }
    }
    let expected = model.workers.iter().flat_map(|row| &row.intervals).filter(|i| i.computes());
    assert_eq!(computing as u64, expected.map(|i| i.length()).sum::<u64>());
    assert!(waiting > 3);
    assert_eq!(numbers(&data["devices"][0]["memory"]).len(), 4 * model.memory[0].len());
}

#[test]
fn names_cannot_leave_their_place() {
    let hostile = "</script><script>alert(1)</script><!-- {{script}} & \"'";
    let scenario = Scenario::with_faults(stock::LEDGER);
    let (mut header, records) = scenario.records();
    header.devices[0].name = hostile.into();
    header.interlock = hostile.into();
    let model = Model::new(header, &records).unwrap();
    let page = html::page(&model).unwrap();
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(page.matches("<script").count(), 2);
    assert!(!page.contains("<!-- ") && !page.contains("<instruction>"));
    let data = embedded(&page);
    assert_eq!(data["devices"][0]["name"], hostile);
    assert_eq!(data["parts"][1]["failures"][0], "an illegal <instruction> & \"more\"");
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
    // Nor can they move a terminal's cursor.
    let mut model = model;
    model.header.devices[0].name = "\u{1b}[2J\nidle".into();
    model.header.interlock = "\u{1b}[2J".into();
    assert!(!interlock_timeline::Summary::new(&model).to_string().contains('\u{1b}'));
}

fn trace(model: &Model) -> Vec<Value> {
    let mut bytes = Vec::new();
    perfetto::write(model, &mut bytes).unwrap();
    let trace: Value = serde_json::from_slice(&bytes).expect("JSON");
    assert_eq!(trace["displayTimeUnit"], "ms");
    trace["traceEvents"].as_array().expect("events").clone()
}

#[test]
fn the_trace_has_the_format_s_fields() {
    let model = Scenario::with_faults(stock::LEDGER).model();
    let events = trace(&model);
    let mut named = BTreeSet::new();
    let mut used = BTreeSet::new();
    for event in &events {
        let number = |field: &str| event[field].as_u64().unwrap_or_else(|| panic!("{field} of {event}"));
        assert!(event["name"].is_string());
        let pid = number("pid");
        match event["ph"].as_str().unwrap() {
            "M" => match event["name"].as_str().unwrap() {
                "process_name" => assert!(named.insert((pid, 0))),
                "thread_name" => assert!(named.insert((pid, number("tid")))),
                "process_sort_index" | "thread_sort_index" => assert!(event["args"]["sort_index"].is_u64()),
                other => panic!("{other}"),
            },
            "X" => {
                number("ts");
                number("dur");
                used.insert((pid, number("tid")));
            }
            "C" => {
                assert!(["bytes", "reserved", "budget"].iter().all(|name| event["args"][name].is_u64()));
                used.insert((pid, 0));
            }
            "s" | "f" | "b" | "e" => {
                assert!(number("id") > 0 && number("tid") > 0 && event["ts"].is_u64());
            }
            other => panic!("{other}"),
        }
    }
    assert!(used.is_subset(&named), "{used:?} is not all named");
    assert!(events.iter().any(|event| event["args"]["name"] == "device 0: sample 0"));
    let counters = events.iter().filter(|event| event["ph"] == "C").count();
    assert_eq!(counters, model.memory[0].len());
}

#[test]
fn the_trace_s_slices_nest_and_its_flows_lead_from_stage_to_compute() {
    for strategy in stock::ALL {
        let model = Scenario::equal(strategy.name).model();
        let events = trace(&model);
        let mut threads: BTreeMap<u64, Vec<(u64, u64, String)>> = BTreeMap::new();
        for event in events.iter().filter(|event| event["ph"] == "X") {
            let (from, length) = (event["ts"].as_u64().unwrap(), event["dur"].as_u64().unwrap());
            let name = event["name"].as_str().unwrap().to_owned();
            threads.entry(event["tid"].as_u64().unwrap()).or_default().push((from, from + length, name));
        }
        let computing = threads.values().flatten().filter(|slice| slice.2 == "compute");
        let slow: u64 = model
            .workers
            .iter()
            .flat_map(|row| &row.intervals)
            .filter(|i| i.computes() && i.length() > COMPUTE)
            .map(|i| i.length() - COMPUTE)
            .sum();
        assert_eq!(computing.map(|slice| slice.1 - slice.0).sum::<u64>(), 6 * COMPUTE + slow);
        for slices in threads.values_mut() {
            slices.sort_by_key(|slice| (slice.0, std::cmp::Reverse(slice.1)));
            let mut around: Vec<u64> = Vec::new();
            for (from, to, name) in &*slices {
                around.retain(|end| end > from);
                assert!(around.iter().all(|end| to <= end), "{name} at {from} ends after what it is in");
                around.push(*to);
            }
        }
        let on = |event: &Value, wanted: &str| {
            let (t, tid) = (event["ts"].as_u64().unwrap(), event["tid"].as_u64().unwrap());
            threads[&tid].iter().any(|(from, to, name)| name == wanted && (*from..*to).contains(&t))
        };
        let ends = |ph: &str| events.iter().filter(|event| event["ph"] == ph).collect::<Vec<_>>();
        let (starts, finishes) = (ends("s"), ends("f"));
        let staged = |phase| {
            let intervals = model.workers.iter().flat_map(|row| &row.intervals);
            intervals.filter(|i| matches!(i.doing, Doing::Phase { phase: of, .. } if of == phase)).count()
        };
        assert!(starts.len() <= staged(PhaseName::Stage) && starts.len() >= 3, "{}", strategy.name);
        let ids = |events: &[&Value]| {
            events.iter().map(|event| event["id"].as_u64().unwrap()).collect::<BTreeSet<_>>()
        };
        assert_eq!((ids(&starts), starts.len()), (ids(&finishes), finishes.len()));
        assert!(starts.iter().all(|event| on(event, "stage")));
        assert!(finishes.iter().all(|event| on(event, "compute") && event["bp"] == "e"));
    }
}

#[test]
fn spans_that_overlap_are_asynchronous() {
    use interlock_scheduler::{PartId, Time};
    use interlock_timeline::{Record, Span, What};
    let scenario = Scenario::equal(stock::WHOLE);
    let (header, mut records) = scenario.records();
    // 1.0 computes from 1600 ms to 2300 ms.
    let at = records.iter().position(|record| record.t.0 >= 1_950_000).unwrap();
    let span = |t, us| {
        let span = Span { span: "copy".into(), part: PartId { job: 1, index: 0 }, us, bytes: Some(8) };
        Record { t: Time(t), what: What::Span(span) }
    };
    records.splice(at..at, [span(1_820_000, 50_000), span(1_860_000, 60_000), span(1_920_000, 9_000_000)]);
    let events = trace(&Model::new(header, &records).unwrap());
    let of = |ph: &str| -> Vec<(u64, u64)> {
        let copies = events.iter().filter(|event| event["ph"] == ph && event["name"] == "copy");
        copies.map(|event| (event["ts"].as_u64().unwrap(), event["dur"].as_u64().unwrap_or(0))).collect()
    };
    // The longest is no longer than its phase; the second overlaps the first.
    assert_eq!(of("X"), [(1_600_000, 320_000), (1_770_000, 50_000)]);
    assert_eq!((of("b"), of("e")), (vec![(1_800_000, 0)], vec![(1_860_000, 0)]));
}
