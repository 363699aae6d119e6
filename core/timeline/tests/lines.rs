//! Lines: what is written is read again; what is bad is refused, with its number.

mod sample;

use interlock_scheduler::{Action, Event, Outcome, PartId, PhaseName, Time};
use interlock_strategies::stock;
use interlock_timeline::format::MAX_LINE;
use interlock_timeline::{
    DeviceInfo, Error, Fault, Header, Memory, Model, Reader, Record, Source, Span, What, WriteError, Writer,
};
use sample::Scenario;

const HEADER: &str = r#"{"timeline":1,"unit":"us","interlock":"ledger","source":"run","devices":[{"name":"d","budget":16,"workers":2}],"partition_workers":1}"#;

fn header() -> Header {
    let device = DeviceInfo { name: "d".into(), budget: 16, workers: 2 };
    Header::new("ledger", Source::Run, vec![device], 1)
}

fn read(lines: &str) -> Result<Vec<Record>, Error> {
    Reader::new(lines.as_bytes())?.collect()
}

fn after_header(lines: &str) -> Result<Vec<Record>, Error> {
    read(&format!("{HEADER}\n{lines}"))
}

const PART: PartId = PartId { job: 1, index: 0 };

#[test]
fn the_lines_are_as_documented() {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &header()).unwrap();
    writer.event(Time(5), &Event::Cancel { job: 1 }).unwrap();
    writer.event(Time(5), &Event::Tick).unwrap();
    writer
        .event(Time(6), &Event::Ended { part: PART, phase: PhaseName::Stage, outcome: Outcome::NotNow })
        .unwrap();
    writer.action(Time(6), &Action::Drop { part: PART }).unwrap();
    writer.span(Time(7), &Span { span: "quotient".into(), part: PART, us: 4, bytes: None }).unwrap();
    writer.memory(Time(8), Memory { memory: 0, bytes: 1, reserved: 2, budget: 16 }).unwrap();
    drop(writer);
    let expected = [
        HEADER,
        r#"{"t":5,"event":"cancel","job":1}"#,
        r#"{"t":5,"event":"tick"}"#,
        r#"{"t":6,"event":"ended","part":{"job":1,"index":0},"phase":"stage","outcome":"not_now"}"#,
        r#"{"t":6,"action":"drop","part":{"job":1,"index":0}}"#,
        r#"{"t":7,"span":"quotient","part":{"job":1,"index":0},"us":4}"#,
        r#"{"t":8,"memory":0,"bytes":1,"reserved":2,"budget":16}"#,
    ];
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    assert!(text.ends_with('\n'));
}

#[test]
fn what_is_written_is_read_again() {
    for strategy in stock::ALL {
        let bytes = Scenario::with_faults(strategy.name).run();
        let reader = Reader::new(bytes.as_slice()).unwrap();
        let header = reader.header().clone();
        let records: Vec<Record> = reader.map(Result::unwrap).collect();
        let mut again = Vec::new();
        let mut writer = Writer::new(&mut again, &header).unwrap();
        for record in &records {
            writer.record(record).unwrap();
        }
        drop(writer);
        assert!(again == bytes, "{}", strategy.name);
        let kinds = |wanted: fn(&What) -> bool| records.iter().filter(|record| wanted(&record.what)).count();
        assert!(kinds(|what| matches!(what, What::Span(_))) >= 12);
        assert!(kinds(|what| matches!(what, What::Memory(_))) > 12);
    }
}

#[test]
fn times_do_not_go_back_and_equal_memory_is_not_repeated() {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &header()).unwrap();
    let memory = Memory { memory: 0, bytes: 1, reserved: 2, budget: 16 };
    writer.event(Time(9), &Event::Tick).unwrap();
    writer.event(Time(4), &Event::Tick).unwrap();
    writer.memory(Time(10), memory).unwrap();
    writer.memory(Time(11), memory).unwrap();
    writer.memory(Time(12), Memory { bytes: 3, ..memory }).unwrap();
    drop(writer);
    let times: Vec<u64> = Reader::new(bytes.as_slice()).unwrap().map(|record| record.unwrap().t.0).collect();
    assert_eq!(times, [9, 9, 10, 12]);
}

#[test]
fn what_is_not_known_is_passed_over() {
    let header = HEADER.replace("\"unit\"", "\"colour\":\"red\",\"unit\"");
    let lines = "{\"t\":1,\"event\":\"tick\",\"mood\":[1]}\n\n{\"weather\":{\"t\":3}}\n{\"t\":0,\"clouds\":2}\n\
                 {\"t\":2,\"memory\":0,\"bytes\":1,\"reserved\":1,\"budget\":1,\"pages\":7}\n";
    let records = read(&format!("{header}\n{lines}")).unwrap();
    assert_eq!(records.len(), 2);
    assert_eq!(records[0], Record { t: Time(1), what: What::Event(Event::Tick) });
}

#[test]
fn bad_lines_are_named() {
    let line = |lines: &str| match after_header(lines) {
        Err(Error::Line { line, .. }) => line,
        other => panic!("{lines}: {other:?}"),
    };
    assert_eq!(line("{\"t\":1,\"event\":\"tick\"}\n{\"t\":1,\"event\":\"dance\"}\n"), 3);
    assert_eq!(line("{\"event\":\"tick\"}\n"), 2);
    assert_eq!(line("{\"t\":-1,\"event\":\"tick\"}\n"), 2);
    assert_eq!(line("{\"t\":1,\"memory\":0}\n"), 2);
    assert_eq!(line("7\n"), 2);
    assert_eq!(line("{\"t\":1,\"event\":\n"), 2);
    assert_eq!(line("\u{1}\n"), 2);
    let fault = |lines: &str| match after_header(lines) {
        Err(Error::Fault { line, fault }) => (line, fault),
        other => panic!("{lines}: {other:?}"),
    };
    let tick = "{\"t\":5,\"event\":\"tick\"}\n";
    assert_eq!(fault(&format!("{tick}{}", tick.replace('5', "4"))), (3, Fault::WentBack { t: 4, last: 5 }));
    let memory = "{\"t\":5,\"memory\":1,\"bytes\":1,\"reserved\":1,\"budget\":1}\n";
    assert_eq!(fault(memory), (2, Fault::NoDevice { device: 1, devices: 1 }));
    let run = "{\"t\":5,\"action\":\"run\",\"part\":{\"job\":1,\"index\":0},\"device\":0,\"worker\":2,\"phase\":\"stage\",\"path\":\"fast\"}";
    assert_eq!(fault(run), (2, Fault::NoWorker { device: 0, worker: 2, workers: 2 }));
    // After an error there is nothing more.
    let lines = format!("{HEADER}\nnonsense\n{tick}");
    let mut reader = Reader::new(lines.as_bytes()).unwrap();
    assert!(reader.next().is_some_and(|record| record.is_err()));
    assert!(reader.next().is_none());
}

#[test]
fn a_line_that_is_cut_off_ends_the_timeline() {
    let lines = format!("{HEADER}\n{{\"t\":5,\"event\":\"tick\"}}\n{{\"t\":6,\"event\":\"ti");
    assert!(matches!(read(&lines), Err(Error::Cut { line: 3 })));
    let model = Model::read(Reader::new(lines.as_bytes()).unwrap()).unwrap();
    assert!(model.cut && model.end == 5);
    // Within the timeline it is a bad line.
    assert!(matches!(read(&format!("{lines}\n")), Err(Error::Line { line: 3, .. })));
}

#[test]
fn headers_are_checked() {
    assert!(matches!(read(""), Err(Error::NoHeader)));
    assert!(matches!(read("{\"t\":1}\n"), Err(Error::NoHeader)));
    assert!(matches!(read("PNG\n"), Err(Error::NoHeader)));
    assert!(matches!(read(&HEADER.replace(":1,\"unit", ":2,\"unit")), Err(Error::Version { found: 2 })));
    assert!(matches!(read(&HEADER.replace("\"us\"", "\"ns\"")), Err(Error::Line { line: 1, .. })));
    let many = HEADER.replace("\"workers\":2", "\"workers\":4000000000");
    assert!(matches!(read(&many), Err(Error::Fault { line: 1, fault: Fault::TooMany { devices: 1, .. } })));
    assert_eq!(read(HEADER).unwrap(), []);
}

#[test]
fn long_lines_are_neither_read_nor_written() {
    let long = format!("{{\"t\":1,\"clouds\":\"{}\"}}\n", "x".repeat(MAX_LINE));
    assert!(matches!(after_header(&long), Err(Error::LongLine { line: 2 })));
    assert!(matches!(read(&long), Err(Error::LongLine { line: 1 })));
    let fits = format!("{{\"clouds\":\"{}\"}}\n", "x".repeat(MAX_LINE - 14));
    assert_eq!(fits.len(), MAX_LINE);
    assert_eq!(after_header(&fits).unwrap(), []);

    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &header()).unwrap();
    let reason = "x".repeat(MAX_LINE);
    let event = Event::Synthesised { part: PART, outcome: Outcome::Panicked { reason } };
    assert!(matches!(writer.event(Time(9), &event), Err(WriteError::LongLine { .. })));
    writer.event(Time(7), &Event::Tick).unwrap();
    drop(writer);
    let records: Vec<Record> = Reader::new(bytes.as_slice()).unwrap().map(Result::unwrap).collect();
    assert_eq!(records, [Record { t: Time(7), what: What::Event(Event::Tick) }]);
}

/// Takes so many bytes, and then none.
struct Full(usize);

impl std::io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match bytes.len().min(self.0) {
            0 => Err(std::io::ErrorKind::StorageFull.into()),
            taken => {
                self.0 -= taken;
                Ok(taken)
            }
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_told_once_and_nothing_is_written_after_it() {
    let mut writer = Writer::new(Full(40), &header()).unwrap();
    assert!(matches!(writer.flush(), Err(WriteError::Io(_))));
    assert!(matches!(writer.event(Time(1), &Event::Tick), Err(WriteError::Broken)));
    assert!(matches!(writer.flush(), Err(WriteError::Broken)));
}
