//! Refuses what others may write.

use std::path::Path;

use super::error::LoadError;

/// Checks a file and the folders above it; `path` is canonical, so no symbolic link is left in it.
///
/// The file and its folder must belong to root or to the effective user and be writable by nobody else. A folder
/// further up may be writable by others only when it is sticky (like `/tmp`): there nobody can rename what is not his.
/// A group that has no other member than the effective user (many systems give every user such a group, and a umask
/// that lets it write) is nobody else.
///
/// # Errors
/// [`LoadError::Permissions`] names the offender.
pub fn check(path: &Path) -> Result<(), LoadError> {
    check_above(path, 2)
}

/// As [`check`], for the folder itself.
///
/// # Errors
/// As [`check`].
pub fn check_folder(path: &Path) -> Result<(), LoadError> {
    check_above(path, 1)
}

/// `sticky_from`: at which distance from `path` a sticky folder may be writable by others.
#[cfg(unix)]
fn check_above(path: &Path, sticky_from: usize) -> Result<(), LoadError> {
    use std::os::unix::fs::MetadataExt;

    let me = rustix::process::geteuid().as_raw();
    for (distance, path) in path.ancestors().enumerate() {
        let metadata = std::fs::metadata(path).map_err(|error| LoadError::io(path, "look at", error))?;
        let refuse = |problem: String| Err(LoadError::Permissions { path: path.to_owned(), problem });
        let owner = metadata.uid();
        if owner != 0 && owner != me {
            return refuse(format!("belongs to user {owner}, neither to root nor to you"));
        }
        let mode = metadata.mode();
        let sticky = mode & 0o1000 != 0 && distance >= sticky_from;
        let by_others = mode & 0o002 != 0 || (mode & 0o020 != 0 && !is_private_group(metadata.gid(), me));
        if by_others && !sticky {
            let who = if mode & 0o002 != 0 { "everybody" } else { "its group" };
            return refuse(format!("may be written by {who} (mode {:04o})", mode & 0o7777));
        }
    }
    Ok(())
}

/// Whether a group certainly has no member but one user, by `/etc/passwd` and `/etc/group`. A user or group of another
/// database (LDAP, say) is not in these files, and then the answer is no.
#[cfg(unix)]
fn is_private_group(gid: u32, user: u32) -> bool {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    private_group(gid, user, &read("/etc/passwd"), &read("/etc/group"))
}

#[cfg(unix)]
fn private_group(gid: u32, user: u32, passwd: &str, group: &str) -> bool {
    let fields = |line: &'_ str| line.split(':').map(str::to_owned).collect::<Vec<_>>();
    let is = |field: Option<&String>, number: u32| field.is_some_and(|field| field.parse() == Ok(number));
    let users: Vec<_> = passwd.lines().map(fields).filter(|user| is(user.get(3), gid)).collect();
    let [only] = users.as_slice() else { return false };
    if !is(only.get(2), user) {
        return false;
    }
    let mut groups = group.lines().map(fields).filter(|group| is(group.get(2), gid));
    let (Some(entry), None) = (groups.next(), groups.next()) else { return false };
    let members = entry.get(3).map_or("", String::as_str);
    members.split(',').all(|member| member.is_empty() || Some(member) == only.first().map(String::as_str))
}

/// Other systems have no mode bits to look at; plugin files are refused there anyway.
#[cfg(not(unix))]
fn check_above(_path: &Path, _sticky_from: usize) -> Result<(), LoadError> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{Permissions, set_permissions, write};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_private_group_has_one_member() {
        let passwd = "root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\nbob:x:1001:1001::/home/bob:/bin/sh\n\
                      eve:x:1002:1001::/home/eve:/bin/sh\n";
        let group = "root:x:0:\nann:x:1000:\nbob:x:1001:\nstaff:x:50:ann\n";
        assert!(private_group(1000, 1000, passwd, group));
        assert!(private_group(0, 0, passwd, group));
        assert!(!private_group(1000, 1001, passwd, group), "of somebody else");
        assert!(!private_group(1001, 1001, passwd, group), "a second user has it as his own");
        assert!(!private_group(50, 1000, passwd, group), "nobody's own");
        assert!(!private_group(1000, 1000, passwd, "ann:x:1000:bob\n"), "a listed member");
        assert!(!private_group(1000, 1000, "", group) && !private_group(1000, 1000, passwd, ""));
    }

    #[test]
    fn files_and_folders_that_others_may_write_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let inner = root.join("backends");
        std::fs::create_dir(&inner).unwrap();
        let file = inner.join("lib.so");
        write(&file, "x").unwrap();
        let mode = |path: &Path, mode| set_permissions(path, Permissions::from_mode(mode)).unwrap();
        mode(&inner, 0o755);
        mode(&file, 0o644);
        check(&file).unwrap();
        for (path, bad, good) in
            [(&file, 0o666, 0o644), (&file, 0o646, 0o644), (&inner, 0o1777, 0o755), (&root, 0o777, 0o700)]
        {
            mode(path, bad);
            let error = check(&file).unwrap_err();
            assert!(matches!(&error, LoadError::Permissions { path: named, .. } if named == path), "{error}");
            mode(path, good);
        }
        mode(&root, 0o1777);
        check(&file).unwrap();
    }
}
