//! Scratch folders: made, measured and emptied while a bot may do what it likes in them.
//!
//! All is reached by descriptors from the folder itself, and no link is followed, so that what a bot moves about
//! meanwhile leads nowhere else. Nothing goes as deep as a bot can dig, and no mode keeps anybody out.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Once;

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, fchmod, fstat, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::path::Arg;

/// How deep folders may lie in it.
pub(super) const DEPTH: usize = 32;
/// What a file counts for at least, in bytes: one without content takes the machine's room, too, and looking at it
/// takes time.
const LEAST: u64 = 4096;

const PREFIX: &str = "arbiter-scratch-";

/// Where the scratch folder of a process lies.
pub(super) fn place(mark: &str) -> PathBuf {
    static SWEPT: Once = Once::new();
    let base = std::env::temp_dir();
    SWEPT.call_once(|| sweep(&base));
    base.join(format!("{PREFIX}{mark}"))
}

/// Removes what arbiters left that were killed.
fn sweep(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|n| n.strip_prefix(PREFIX)).and_then(|n| n.split('-').next());
        if owner.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            let _ = remove(&entry.path());
        }
    }
}

/// Makes one that only its owner may enter.
pub(super) fn make(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    // One that an arbiter of the same process number left behind.
    let _ = remove(folder);
    fs::DirBuilder::new().mode(0o700).create(folder)
}

/// What a folder takes, in bytes; counting ends at `enough`. None where folders lie deeper in it than [`DEPTH`].
pub(super) fn space(folder: &Path, enough: u64) -> Option<u64> {
    let mut taken = 0;
    let shallow = enter(CWD, folder).is_ok_and(|top| measure(&top, DEPTH, enough, &mut taken));
    (shallow || taken == 0).then_some(taken)
}

/// False where folders lie deeper in this one than so many levels.
fn measure(folder: &OwnedFd, levels: usize, enough: u64, taken: &mut u64) -> bool {
    for name in names(folder).unwrap_or_default() {
        if *taken >= enough {
            break;
        }
        let Ok(stat) = statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        *taken += (stat.st_blocks as u64 * 512).max(LEAST);
        let deeper = FileType::from_raw_mode(stat.st_mode) == FileType::Directory;
        if deeper && levels == 0 {
            return false;
        }
        if deeper
            && let Ok(inner) = enter(folder.as_fd(), &name)
            && !measure(&inner, levels - 1, enough, taken)
        {
            return false;
        }
    }
    true
}

/// Empties a folder.
///
/// # Errors
/// Where something in it stays.
pub(super) fn empty(folder: &Path) -> io::Result<()> {
    let top = enter(CWD, folder)?;
    let mut result = Ok(());
    // More than once, since what still runs may add to it; not for ever, since it may never stop.
    for _ in 0..16 {
        result = Ok(());
        let mut left = names(&top)?;
        if left.is_empty() {
            break;
        }
        let mut moved = 0u64;
        while let Some(name) = left.pop() {
            if unlinkat(&top, &name, AtFlags::empty()).is_ok() {
                continue;
            }
            // It is a folder. The folders in it are moved up to the top, so that each is dealt with there.
            if let Ok(inner) = enter(top.as_fd(), &name) {
                for within in names(&inner).unwrap_or_default() {
                    if unlinkat(&inner, &within, AtFlags::empty()).is_ok() {
                        continue;
                    }
                    // One that changes its parent must be writable itself.
                    drop(enter(inner.as_fd(), &within));
                    moved += 1;
                    let to = CString::new(format!("moved-up-{moved}")).expect("it holds no NUL");
                    if renameat(&inner, &within, &top, &to).is_ok() {
                        left.push(to);
                    }
                }
            }
            if let Err(error) = unlinkat(&top, &name, AtFlags::REMOVEDIR) {
                result = Err(error.into());
            }
        }
    }
    result
}

/// Removes a folder with all that is in it; one that is not there is removed.
///
/// # Errors
/// Where something in it stays.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    match empty(folder).and_then(|()| fs::remove_dir(folder)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Opens a folder of one's own, whatever mode it was given, and gives its owner all rights in it.
fn enter(parent: BorrowedFd<'_>, name: impl Arg + Copy) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = match openat(parent, name, flags, Mode::empty()) {
        #[cfg(target_os = "linux")]
        Err(Errno::ACCESS) => {
            let handle = openat(parent, name, flags | OFlags::PATH, Mode::empty())?;
            // By what is held: the name may stand for something else by now.
            rustix::fs::chmod(format!("/proc/self/fd/{}", handle.as_raw_fd()), Mode::RWXU)?;
            openat(parent, name, flags, Mode::empty())?
        }
        opened => opened?,
    };
    let mode = Mode::from_raw_mode(fstat(&opened)?.st_mode);
    if !mode.contains(Mode::RWXU) {
        fchmod(&opened, mode | Mode::RWXU)?;
    }
    Ok(opened)
}

fn names(folder: &OwnedFd) -> io::Result<Vec<CString>> {
    let entries = Dir::read_from(folder)?.map(|entry| Ok(entry?.file_name().to_owned()));
    let itself = |name: &io::Result<CString>| matches!(name, Ok(name) if [c".", c".."].contains(&&**name));
    entries.filter(|name| !itself(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_folder_is_emptied_however_deep_it_goes_and_whatever_modes_it_has_and_no_link_is_followed() {
        let dir = tempfile::tempdir().expect("a folder");
        let (top, beside) = (dir.path().join("scratch"), dir.path().join("beside"));
        fs::create_dir(&beside).expect("a folder");
        fs::write(beside.join("kept"), "x").expect("a file");
        make(&top).expect("a folder");
        std::os::unix::fs::symlink(&beside, top.join("link")).expect("a link");
        fs::create_dir_all(top.join("a/b/moved-up-1/c")).expect("folders");
        fs::create_dir(top.join("moved-up-1")).expect("a folder");
        fs::write(top.join("a/b/moved-up-1/c/file"), "x").expect("a file");
        std::os::unix::fs::symlink("/", top.join("a/link")).expect("a link");
        for (folder, mode) in [("a/b", 0o000), ("a", 0o400), ("moved-up-1", 0o100)] {
            fs::set_permissions(top.join(folder), fs::Permissions::from_mode(mode)).expect("its mode");
        }
        let mut deep = enter(CWD, &*top).expect("it can be entered");
        for _ in 0..5_000 {
            rustix::fs::mkdirat(&deep, c"d", Mode::RWXU).expect("a folder");
            deep = enter(deep.as_fd(), c"d").expect("it can be entered");
        }
        fs::set_permissions(&top, fs::Permissions::from_mode(0o000)).expect("its mode");
        assert_eq!(space(&top, u64::MAX), None);
        empty(&top).expect("it can be emptied");
        assert_eq!(fs::read_dir(&top).expect("it is there").count(), 0);
        assert!(beside.join("kept").exists());
        remove(&top).expect("it can be removed");
        remove(&top).expect("it is removed");
    }

    #[test]
    fn what_takes_hardly_any_room_is_counted_all_the_same_and_no_further_than_asked() {
        let dir = tempfile::tempdir().expect("a folder");
        assert_eq!(space(dir.path(), 1 << 20), Some(0));
        (0..100).for_each(|n| fs::write(dir.path().join(n.to_string()), "").expect("a file"));
        assert_eq!(space(dir.path(), 1 << 20), Some(100 * LEAST));
        assert_eq!(space(dir.path(), 10 * LEAST), Some(10 * LEAST));
        fs::write(dir.path().join("big"), vec![1; 100_000]).expect("a file");
        assert!(space(dir.path(), 1 << 20) >= Some(100 * LEAST + 100_000));
        assert_eq!(space(&dir.path().join("missing"), 1), Some(0));
    }
}
