"""A folder shown elsewhere by FUSE, as an NFS server without its lock service shows it: nothing can be locked.

python3 without_locks.py <folder> <mount point>; ends when it is unmounted.
"""

import errno
import os
import sys

import fusepy


class WithoutLocks(fusepy.Operations):
    def __init__(self, folder):
        self.at = lambda path: folder + path

    def __call__(self, op, path, *rest):
        return super().__call__(op, path if path is None else self.at(path), *rest)

    access = None
    chmod = staticmethod(os.chmod)
    chown = staticmethod(os.chown)
    mkdir = staticmethod(os.mkdir)
    rmdir = staticmethod(os.rmdir)
    unlink = staticmethod(os.unlink)

    def getattr(self, path, fh=None):
        stat = os.lstat(path)
        return {name: getattr(stat, name) for name in dir(stat) if name.startswith("st_")}

    def readdir(self, path, fh):
        return [".", "..", *os.listdir(path)]

    def statfs(self, path):
        stat = os.statvfs(path)
        return {name: getattr(stat, name) for name in dir(stat) if name.startswith("f_") and name != "f_fsid"}

    def create(self, path, mode, fi=None):
        return os.open(path, os.O_RDWR | os.O_CREAT, mode)

    def open(self, path, flags):
        return os.open(path, flags)

    def read(self, path, size, offset, fh):
        return os.pread(fh, size, offset)

    def write(self, path, data, offset, fh):
        return os.pwrite(fh, data, offset)

    def truncate(self, path, length, fh=None):
        os.truncate(path, length)

    def release(self, path, fh):
        os.close(fh)

    def fsync(self, path, datasync, fh):
        os.fsync(fh)

    def rename(self, old, new):
        os.rename(old, self.at(new))

    def utimens(self, path, times=None):
        os.utime(path, times)

    def lock(self, path, fh, cmd, lock):
        raise fusepy.FuseOSError(errno.ENOLCK)


fusepy.FUSE(WithoutLocks(sys.argv[1]), sys.argv[2], foreground=True, nothreads=True)
