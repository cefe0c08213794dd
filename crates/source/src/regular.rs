//! Which files on this machine are read at all: those that are stored somewhere. What the kernel makes up while it is read
//! (the environment of a process, its memory, its log), devices, pipes and sockets are not, whatever path leads there.

#![expect(
    clippy::disallowed_types,
    reason = "opening what the command line and its configuration name is this module's job"
)]

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use bytes::Bytes;

use super::error::ReadError;
use super::gather::Gather;
use super::limits::read_capped;

/// Folders in which tools keep their own data, never configuration of the module; they are not searched.
pub(super) const TOOL_FOLDERS: &[&str] = &[".git", ".hg", ".svn", ".terraform"];

/// The number of links that one path may pass through, as on Linux (path_resolution(7)).
const MAX_HOPS: u32 = 40;

/// Opens a file that is stored somewhere, without waiting for anything; `None` if what is there is none. What has been
/// opened is what is judged, so nothing can be put in its place meanwhile.
///
/// # Errors
/// Fails if it cannot be opened.
pub(super) fn open(place: &Path) -> io::Result<Option<(File, u64)>> {
    let mut options = OpenOptions::new();
    options.read(true);
    system::never_wait(&mut options);
    let file = options.open(place)?;
    let meta = file.metadata()?;
    Ok((meta.is_file() && !system::is_of_kernel(&file)).then_some((file, meta.len())))
}

/// Whether a folder or file, links followed, is in a file system in which the kernel shows itself, or a link on the way
/// is. What cannot be found is not.
pub(super) fn is_of_kernel(place: &Path) -> bool {
    let mut at = place.to_owned();
    for _ in 0..MAX_HOPS {
        if system::is_place_of_kernel(&at) {
            return true;
        }
        let (Some(parent), Some(name)) = (at.parent(), at.file_name()) else { return false };
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        let Ok(parent) = fs::canonicalize(parent) else { return false };
        // A link there leads to what a process has open.
        if system::is_place_of_kernel(&parent) {
            return true;
        }
        match fs::read_link(parent.join(name)) {
            Ok(target) => at = parent.join(target),
            Err(_) => return false,
        }
    }
    false
}

/// Whether this is the null device, which reads as an empty file: a link to it takes a file out of a module.
#[cfg(target_os = "linux")]
pub(super) fn is_null(meta: &fs::Metadata) -> bool {
    use std::os::linux::fs::MetadataExt as _;
    use std::os::unix::fs::FileTypeExt as _;
    // Documentation/admin-guide/devices.txt of Linux: major number 1, minor number 3.
    meta.file_type().is_char_device() && meta.st_rdev() == 0x103
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_null(_: &fs::Metadata) -> bool {
    false
}

pub(super) fn read_file(place: &Path, name: &[u8], gather: &Gather) -> Result<Bytes, ReadError> {
    let (room, _) = gather.next_file_limit();
    let opened = open(place).map_err(|error| unreadable(place, &error))?;
    let Some((file, length)) = opened else {
        // It is a link to the null device, or was a file until just now.
        let is_empty = fs::metadata(place).is_ok_and(|meta| is_null(&meta));
        return if is_empty {
            Ok(Bytes::new())
        } else {
            Err(unreadable(place, &io::Error::other("not a regular file")))
        };
    };
    let bytes = read_capped(file, room, length).map_err(|error| unreadable(place, &error))?;
    gather.check_size(name, bytes.len() as u64)?;
    Ok(Bytes::from(bytes))
}

pub(super) fn unreadable(path: &Path, error: &io::Error) -> ReadError {
    ReadError::Io { path: path.display().to_string(), problem: error.to_string() }
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs::{File, OpenOptions};
    use std::os::unix::fs::OpenOptionsExt as _;
    use std::path::Path;

    use rustix::fs::{OFlags, StatFs, fstatfs, statfs};

    /// The types of file systems in which the kernel shows itself (linux/magic.h, statfs(2)).
    const KERNEL: &[u32] = &[
        0x0000_9fa0, // proc
        0x6265_6572, // sysfs
        0x6462_6720, // debugfs
        0x7472_6163, // tracefs
        0x7363_6673, // securityfs
        0x6265_6570, // configfs
        0x0027_e0eb, // cgroup
        0x6367_7270, // cgroup2
        0x0000_1cd1, // devpts
        0xcafe_4a11, // bpf
        0xf97c_ff8c, // selinux
        0x4341_5d53, // smack
        0xde5e_81e4, // efivarfs
        0x6165_676c, // pstore
        0x6573_5543, // fusectl
        0x4249_4e4d, // binfmt_misc
        0x1980_0202, // mqueue
        0x6e73_6673, // nsfs
        0x5049_5045, // pipefs
        0x534f_434b, // sockfs
        0x0904_1934, // anonymous inodes
        0x0765_5821, // resctrl
        0xabba_1974, // xenfs
    ];

    fn shows_kernel(stat: &StatFs) -> bool {
        // The field is signed on some architectures; the numbers have 32 bits.
        #[expect(clippy::cast_sign_loss, reason = "a number of 32 bits, whatever its type")]
        let kind = stat.f_type as u32;
        KERNEL.contains(&kind)
    }

    pub(super) fn is_of_kernel(file: &File) -> bool {
        fstatfs(file).is_ok_and(|stat| shows_kernel(&stat))
    }

    pub(super) fn is_place_of_kernel(place: &Path) -> bool {
        statfs(place).is_ok_and(|stat| shows_kernel(&stat))
    }

    /// Opening a pipe would wait for who writes into it; opening a terminal could make it the one of this process.
    pub(super) fn never_wait(options: &mut OpenOptions) {
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::fs::{File, OpenOptions};
    use std::path::Path;

    pub(super) fn is_of_kernel(_: &File) -> bool {
        false
    }

    pub(super) fn is_place_of_kernel(_: &Path) -> bool {
        false
    }

    pub(super) fn never_wait(_: &mut OpenOptions) {}
}
