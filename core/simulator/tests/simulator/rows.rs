//! The published rows, from one machine file with two free constants.

use interlock_simulator::fit::{Free, fit};
use interlock_simulator::published::{Line, Role, Rows};

fn lines() -> Vec<Line> {
    let rows = Rows::shipped().unwrap();
    rows.lines(&rows.machine().unwrap()).unwrap()
}

fn line<'a>(lines: &'a [Line], name: &str) -> &'a Line {
    lines.iter().find(|line| line.row.name == name).unwrap_or_else(|| panic!("no row {name}"))
}

#[test]
fn the_published_figures_are_those_of_the_notes() {
    let lines = lines();
    let figures = [
        ("whole c5 j3", 50.7),
        ("whole c5 j2", 59.8),
        ("narrow c5 j3", 44.0),
        ("narrow c5 j2", 49.5),
        ("two-lock c1 j1", 73.8),
        ("prestage c1 j1 gw1", 32.1),
    ];
    for (name, published) in figures {
        assert_eq!(line(&lines, name).row.published, Some(published), "{name}");
    }
}

#[test]
fn what_was_fitted_is_met_and_what_was_not_is_within_fifteen_percent() {
    let lines = lines();
    let of = |role: Role| lines.iter().filter(move |line| line.row.role == role);
    assert_eq!(of(Role::Fit).count(), 2);
    for line in of(Role::Fit) {
        assert!(line.residual().unwrap().abs() < 0.001, "{}: {}", line.row.name, line.simulated);
    }
    let predictions: Vec<_> = of(Role::Prediction).collect();
    assert!(predictions.len() >= 4);
    for line in predictions {
        let residual = line.residual().unwrap();
        assert!(residual.abs() <= 0.15, "{}: {:.1} s, {residual:+.3}", line.row.name, line.simulated);
    }
    for name in ["whole c5 j2", "narrow c5 j2", "two-lock c1 j1"] {
        assert_eq!(line(&lines, name).row.role, Role::Prediction, "{name}");
    }
    let deferred = line(&lines, "prestage c1 j1 gw1");
    assert_eq!(deferred.row.variant.as_deref(), Some("deferred-sync"));
    assert!(deferred.residual().unwrap().abs() <= 0.15, "{}", deferred.simulated);
}

#[test]
fn two_locks_overcommit() {
    let lines = lines();
    let three = line(&lines, "two-lock c3 j3 gw3");
    // Nearly every partition is let in where there is no room, and takes the slow path; nothing is allocated that is not there.
    assert!((20..=30).contains(&three.fallbacks), "{}", three.fallbacks);
    assert!(three.peak_device <= 16 << 30, "{}", three.peak_device);
    assert!(lines.iter().all(|line| line.row.interlock == "two-lock" || line.fallbacks == 0));
}

#[test]
fn the_shipped_constants_are_those_that_the_fit_finds() {
    let rows = Rows::shipped().unwrap();
    let machine = rows.machine().unwrap();
    let (contention, rest) = machine.free();
    let mut blank = machine.clone();
    blank.set_free(0, 0);
    assert_eq!(fit(&rows, &blank).unwrap(), Free { contention, rest });
    // They come from those two rows: without the others nothing changes.
    let mut alone = rows.clone();
    alone.rows.retain(|row| row.role == Role::Fit);
    assert_eq!(fit(&alone, &blank).unwrap(), Free { contention, rest });
}

#[test]
fn a_figure_that_no_constant_gives_is_said_so() {
    let mut rows = Rows::shipped().unwrap();
    let machine = rows.machine().unwrap();
    rows.rows[0].published = Some(30.0);
    let said = fit(&rows, &machine).unwrap_err().to_string();
    assert!(said.contains("gives the published 30 s of row \"whole c5 j3\""), "{said}");
}
