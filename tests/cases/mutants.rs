//! Recorded inputs with one edit each: a line lost, doubled or moved, a word replaced by one from elsewhere, a
//! character removed or inserted. They stay close to what people write and get wrong, and reach corner cases that
//! generated modules do not.

use super::folder::{names, read};
use super::generated::Dice;

/// Paths and contents.
type Files = Vec<(String, Vec<u8>)>;

/// Returns the inputs of every case of `suite`, `each` times with an edit. Files that are not configuration stay as
/// they are. Each mutant has a name and its files.
pub(crate) fn of_suite(suite: &str, each: u64) -> Vec<(String, Files)> {
    let mut mutants = Vec::new();
    for (number, case) in names(suite).into_iter().enumerate() {
        let files = read(suite, &case).files;
        for turn in 0..each {
            let mut files = files.clone();
            let dice = &mut Dice::new(number as u64 * 1_000 + turn);
            let editable: Vec<usize> =
                (0..files.len()).filter(|&at| is_configuration(&files[at].0) && !files[at].1.is_empty()).collect();
            let Some(&at) = editable.get(dice.below(editable.len().max(1))) else { continue };
            let words = words(&files);
            edit(dice, &mut files[at].1, &words);
            mutants.push((format!("{case}/{turn}"), files));
        }
    }
    mutants
}

fn is_configuration(name: &str) -> bool {
    name.ends_with(".tf") || name.ends_with(".tf.json")
}

/// Returns every word of the files, in source order.
fn words(files: &[(String, Vec<u8>)]) -> Vec<Vec<u8>> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    files
        .iter()
        .flat_map(|(_, bytes)| bytes.split(move |byte| !is_word(byte)))
        .filter(|word| !word.is_empty())
        .map(<[u8]>::to_vec)
        .collect()
}

fn edit(dice: &mut Dice, bytes: &mut Vec<u8>, words: &[Vec<u8>]) {
    let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let line = dice.below(lines.len());
    match dice.below(10) {
        0 => {
            lines.remove(line);
        }
        1 => lines.insert(line, lines[line].clone()),
        2 => {
            let other = dice.below(lines.len());
            lines.swap(line, other);
        }
        3..=6 => {
            // Replace a word with another one.
            let text = &lines[line];
            let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            let starts: Vec<usize> =
                (0..text.len()).filter(|&at| is_word(text[at]) && (at == 0 || !is_word(text[at - 1]))).collect();
            if let Some(&start) = starts.get(dice.below(starts.len().max(1))) {
                let length = text[start..].iter().take_while(|&&byte| is_word(byte)).count();
                let word = words[dice.below(words.len())].clone();
                lines[line].splice(start..start + length, word);
            }
        }
        7 | 8 => {
            let text = &mut lines[line];
            let at = dice.below(text.len());
            text.remove(at);
        }
        _ => {
            let text = &mut lines[line];
            let at = dice.below(text.len() + 1);
            let crumb =
                dice.pick(&["{", "}", "[", "]", "\"", "=", ",", ".", "${", "}", "(", ")", " ", "\n", "x", "1"]);
            text.splice(at..at, crumb.bytes());
        }
    }
    *bytes = lines.concat();
}
