//! Links inside an archive: they are followed as long as they stay within it.

use std::io::{Cursor, Write as _};

use overfold_cli::source::Upload;
use zip::write::SimpleFileOptions;

use super::build::{Tar, read_tar, read_zip, sum};
use super::{assert_refused, small, special, texts};

/// Adds an entry that points to something: `b'2'` is a symbolic link, `b'1'` a hard link.
fn link(tar: Tar, name: &[u8], kind: u8, target: &[u8]) -> Tar {
    let mut header = super::build::header(name, kind, 0);
    header[157..157 + target.len()].copy_from_slice(target);
    tar.block(sum(header))
}

fn soft(links: &[(&str, &str)]) -> Upload {
    let tar =
        Tar::default().entry(b"main.tf", b'0', b"x").entry(b"m/a.tf", b'0', b"a").entry(b"m/n/b.tf", b'0', b"b");
    let tar = links.iter().fold(tar, |tar, (name, target)| link(tar, name.as_bytes(), b'2', target.as_bytes()));
    read_tar(tar.end(), &small()).unwrap()
}

#[test]
fn a_link_to_a_file_is_that_file() {
    let upload = soft(&[("m/up.tf", "../main.tf"), ("same.tf", "./m//n/../a.tf"), ("chain.tf", "m/up.tf")]);
    let files: Vec<_> =
        texts(&upload).into_iter().filter(|(path, _)| path.contains("up") || !path.contains('/')).collect();
    assert_eq!(files, [("chain.tf", "x"), ("m/up.tf", "x"), ("main.tf", "x"), ("same.tf", "a")]);
    assert!(special(&upload).is_empty());
}

#[test]
fn a_link_to_a_folder_is_an_alias() {
    let upload = soft(&[("env", "m"), ("deep", "env/n"), ("m/top", "..")]);
    let listed = |folder| upload.files.in_folder(folder).map(|file| file.path.as_str()).collect::<Vec<_>>();
    assert_eq!(listed("env"), ["m/a.tf"]);
    assert_eq!(listed("deep"), ["m/n/b.tf"]);
    assert_eq!(listed("env/top/env/n"), ["m/n/b.tf"]);
    assert_eq!(upload.files.get("env/top/main.tf").map(|file| &*file.bytes), Some(&b"x"[..]));
    assert!(upload.files.has_folder("env/n") && !upload.files.has_folder("env/o"));
    assert_eq!(special(&upload), ["deep Folder", "env Folder", "m/top Folder"]);
}

#[test]
fn escaping_and_circular_links_stay_links() {
    let upload = soft(&[
        ("absolute", "/etc/passwd"),
        ("above", "../main.tf"),
        ("nowhere", "m/c.tf"),
        ("through-a-file", "main.tf/x"),
        ("one", "two"),
        ("two", "one"),
        ("self", "self/x"),
    ]);
    let expected = ["above", "absolute", "nowhere", "one", "self", "through-a-file", "two"];
    let mut expected: Vec<String> = expected.iter().map(|name| format!("{name} Link")).collect();
    expected.sort();
    assert_eq!(special(&upload), expected);
    assert_eq!(upload.files.broken_link("above/x").as_deref(), Some("above"));
}

#[test]
fn a_long_chain_ends() {
    let names: Vec<String> = (0..=60).map(|n| format!("l{n:02}")).collect();
    let mut chain: Vec<(&str, &str)> = names.windows(2).map(|pair| (&*pair[0], &*pair[1])).collect();
    chain.push(("l60", "main.tf"));
    let upload = soft(&chain);
    assert!(upload.files.get("l60").is_some() && upload.files.get("l25").is_some());
    assert!(upload.files.get("l00").is_none(), "more links than the system follows");
    // The link itself and 39 others, and one more.
    assert!(upload.files.get("l21").is_some() && upload.files.get("l20").is_none());
}

/// A link counts every link that its path passes through, each time it does, however often it was met before.
#[test]
fn links_are_counted_along_the_whole_path() {
    let names: Vec<String> = (0..=19).map(|n| format!("l{n:02}")).collect();
    let mut chain: Vec<(&str, &str)> = names.windows(2).map(|pair| (&*pair[0], &*pair[1])).collect();
    chain.push(("l19", "m"));
    // From l00, 20 links lead to the folder, which has a link back to the top.
    chain.extend([
        ("m/top", ".."),
        ("fits", "l00/top/l04/a.tf"),
        ("too-far", "l00/top/l02/a.tf"),
        ("around", "fits"),
        ("back", "l05/top/back/a.tf"),
    ]);
    let upload = soft(&chain);
    assert!(upload.files.get("fits").is_some(), "1 + 20 + 1 + 16 links");
    assert!(upload.files.get("around").is_some(), "one more than that");
    assert!(upload.files.get("too-far").is_some(), "1 + 20 + 1 + 18 links are 40");
    assert_eq!(special(&upload).iter().filter(|entry| entry.ends_with(" Link")).collect::<Vec<_>>(), ["back Link"]);
}

/// The name of a folder may be the beginning of another's, which sorts between the folder and its contents.
#[test]
fn links_among_similar_names() {
    let tar = ["m-n/a.tf", "m.tf", "m/a.tf", "m/n-o/a.tf", "m/n/a.tf", "m0/a.tf"]
        .iter()
        .fold(Tar::default(), |tar, name| tar.entry(name.as_bytes(), b'0', name.as_bytes()));
    let links = [("x", "m/n"), ("y", "m"), ("m/z", "n-o"), ("w", "y/z/a.tf"), ("v", "x/../../m-n/a.tf")];
    let tar = links.iter().fold(tar, |tar, (name, target)| link(tar, name.as_bytes(), b'2', target.as_bytes()));
    let upload = read_tar(tar.end(), &small()).unwrap();
    let text = |path| upload.files.get(path).map(|file| String::from_utf8_lossy(&file.bytes).into_owned());
    assert_eq!(text("x/a.tf").as_deref(), Some("m/n/a.tf"));
    assert_eq!(text("y/a.tf").as_deref(), Some("m/a.tf"));
    assert_eq!(text("w").as_deref(), Some("m/n-o/a.tf"));
    assert_eq!(text("v").as_deref(), Some("m-n/a.tf"));
}

/// The targets are paths of the archive, including the top folder.
#[test]
fn hard_links() {
    let tar = Tar::default().entry(b"top/m/a.tf", b'0', b"a");
    let upload = read_tar(link(tar, b"top/b.tf", b'1', b"top/m/a.tf").end(), &small()).unwrap();
    assert_eq!(texts(&upload), [("b.tf", "a"), ("m/a.tf", "a")]);
}

#[test]
fn targets_in_pax_and_gnu_headers() {
    let long = "d/".repeat(80) + "main.tf";
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(1);
    header.set_mode(0o644);
    builder.append_data(&mut header, &long, &b"x"[..]).unwrap();
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    builder.append_link(&mut header, "gnu.tf", &long).unwrap();
    builder.append_pax_extensions([("linkpath", long.as_bytes())]).unwrap();
    let mut header = tar::Header::new_ustar();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    builder.append_link(&mut header, "pax.tf", "short").unwrap();
    builder.append_data(&mut plain(), "z", &b"x"[..]).unwrap();
    let limits = overfold_cli::source::Limits { path_depth: 100, ..small() };
    let upload = read_tar(builder.into_inner().unwrap(), &limits).unwrap();
    for name in ["gnu.tf", "pax.tf"] {
        assert_eq!(upload.files.get(name).map(|file| &*file.bytes), Some(&b"x"[..]), "{name}");
    }
}

fn plain() -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_size(1);
    header.set_mode(0o644);
    header
}

#[test]
fn in_a_zip() {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    writer.start_file("m/a.tf", options).unwrap();
    writer.write_all(b"a").unwrap();
    writer.add_symlink("m/b.tf", "a.tf", options).unwrap();
    writer.add_symlink("env", "m", options).unwrap();
    let upload = read_zip(writer.finish().unwrap().into_inner(), &small()).unwrap();
    assert_eq!(texts(&upload), [("m/a.tf", "a"), ("m/b.tf", "a")]);
    assert_eq!(upload.files.in_folder("env").count(), 2);
}

/// A linked file is read again, so it counts again.
#[test]
fn linked_files_count() {
    let limits = overfold_cli::source::Limits { unpacked_bytes: 25, ..small() };
    let tar = Tar::default().entry(b"a", b'0', b"0123456789");
    let tar = link(link(tar, b"b", b'2', b"a"), b"c", b'2', b"a");
    assert_refused(read_tar(tar.end(), &limits), "over-limit", "max-unpacked-bytes");
}
