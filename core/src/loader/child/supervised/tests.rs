use super::*;

fn shell(script: &str) -> Supervised {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]);
    Supervised::start(command, Stdio::null()).unwrap()
}

fn line(text: &str) -> Told {
    Told::Line(text.into())
}

const LONG: Duration = Duration::from_secs(60);

#[test]
fn lines_the_last_words_and_the_end() {
    let mut child = shell("echo one; echo two; echo so long >&2; printf half; exit 3");
    let until = Instant::now() + LONG;
    assert_eq!(child.next(until).unwrap(), line("one"));
    assert_eq!(child.next(until).unwrap(), line("two"));
    assert_eq!(child.next(until).unwrap(), Told::Closed);
    assert_eq!(child.end(LONG).unwrap(), Ended::Exit(3));
    assert_eq!(child.printed().last(3, 99).unwrap(), "so long");
    let mut child = shell("kill -SEGV $$");
    assert_eq!(child.next(Instant::now() + LONG).unwrap(), Told::Closed);
    assert_eq!(child.end(LONG).unwrap().to_string(), "signal 11 (SIGSEGV)");
}

#[test]
fn a_deadline_passes_and_the_whole_group_is_killed() {
    let begin = Instant::now();
    let mut child = shell("echo go; (sleep 1000; echo late) & sleep 1000");
    assert_eq!(child.next(begin + LONG).unwrap(), line("go"));
    assert_eq!(child.next(Instant::now() + Duration::from_millis(20)).unwrap(), Told::Nothing);
    assert!(matches!(child.end(Duration::from_millis(20)).unwrap(), Ended::Running(_)));
    // The write ends are closed: nobody of the group is left.
    while child.stderr.is_some() {
        child.read(LOOK).unwrap();
    }
    assert!(begin.elapsed() < LONG);
}

#[test]
fn who_holds_a_pipe_open_is_not_waited_for() {
    let begin = Instant::now();
    let mut child = shell("echo one; setsid sleep 5 & exit 0");
    let until = begin + LONG;
    assert_eq!(child.next(until).unwrap(), line("one"));
    assert_eq!(child.next(until).unwrap(), Told::Closed);
    assert_eq!(child.end(LONG).unwrap(), Ended::Exit(0));
    assert!(begin.elapsed() < LONG);
}

#[test]
fn a_flood_is_bounded() {
    let mut child = shell("head -c 5000000 /dev/zero; echo; echo end; head -c 300000 /dev/zero >&2");
    let until = Instant::now() + LONG;
    // The line that is too long is not told, the next one is.
    assert_eq!(child.next(until).unwrap(), line("end"));
    assert!(child.unread.capacity() <= 4 * LONGEST_LINE);
    assert_eq!(child.end(LONG).unwrap(), Ended::Exit(0));
}
