//! What the README shows is what the documentation runs.

use interlock_tests::places::repository;

/// The first block of Rust after a line.
fn block(text: &str, after: &str, fence: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|line| *line != after);
    let inside = lines.skip_while(|line| *line != fence).skip(1);
    inside.take_while(|line| !line.ends_with("```")).map(str::to_owned).collect()
}

#[test]
fn the_library_example_is_the_doctest() {
    let read = |path: &str| std::fs::read_to_string(repository().join(path)).unwrap();
    let shown = block(&read("README.md"), "## As a library", "```rust");
    let run: Vec<String> =
        block(&read("core/src/lib.rs"), "//! # From a key to a proof", "//! ```standalone_crate")
            .iter()
            .map(|line| line.trim_start_matches("//!").strip_prefix(' ').unwrap_or_default().to_owned())
            .filter(|line| !line.starts_with("# "))
            .collect();
    assert!(shown.len() > 10, "the README's example is not found");
    assert_eq!(shown, run);
}
