//! Finds the word that a mistyped one most likely stands for.

/// The word of a list that another most likely stands for, with few letters changed.
pub(crate) fn nearest_word<'a>(
    word: &str,
    listed: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let changes = |other: &str| {
        letters_changed(
            &word.to_lowercase().replace('-', "_"),
            &other.replace('-', "_"),
        )
    };
    let best = listed.min_by_key(|other| changes(other))?;
    (changes(best) <= 1 + word.chars().count() / 4).then_some(best)
}

/// Levenshtein distance: letters to insert, remove or replace to make one word of the other.
pub(crate) fn letters_changed(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
