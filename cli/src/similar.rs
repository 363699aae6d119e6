//! Did you mean …?

/// The known word that a typing mistake or two would turn into this one.
pub(crate) fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (word.chars().count() / 3).clamp(1, 3);
    let near = known.into_iter().map(|other| (distance(word, other), other));
    near.filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// How many characters must be inserted, left out, replaced, or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(rows[i - 2][j - 2] + 1);
            }
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_only() {
        let known = ["cpu", "cuda", "embedded"];
        for (word, wanted) in [
            ("cpx", Some("cpu")),
            ("cup", Some("cpu")),
            ("cudaa", Some("cuda")),
            ("embeded", Some("embedded")),
            ("vulkan", None),
            ("", None),
        ] {
            assert_eq!(closest(word, known), wanted, "{word}");
        }
        assert_eq!(distance("", "abc"), 3);
    }
}
