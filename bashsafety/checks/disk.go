package checks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// blockDevice reports whether a path names a disk or a part of one.
func blockDevice(p string) bool {
	name, ok := strings.CutPrefix(strings.ToLower(p), "/dev/")
	if !ok {
		return false
	}
	for _, prefix := range [...]string{
		"sd", "hd", "nvme", "vd", "xvd", "mmcblk", "disk", "rdisk", "mapper/", "loop", "dm-", "md", "zd", "nbd", "ram", "pmem",
		"sr", "block/",
	} {
		if strings.HasPrefix(name, prefix) && name != prefix {
			return true
		}
	}
	return false
}

// onDevice reports whether a command writes to a block device: by effect, or by
// an operand of a command that runs elsewhere and has no effects.
func onDevice(c *commands.Invocation, sub *interp.Subcommand) bool {
	device := func(e shell.Effect) bool { return changesFile(&e) && blockDevice(e.Path) }
	return slices.ContainsFunc(sub.Effects, device) || slices.ContainsFunc(c.Facts.Effects, device)
}

// overwritesDevice reports the programs that destroy what a block device holds.
func overwritesDevice(s *interp.Analysis) []interp.Finding {
	all := append(matching(s, "dd", onDevice), matching(s, "shred", onDevice)...)
	return append(all, matching(s, "fdisk", func(c *commands.Invocation, sub *interp.Subcommand) bool {
		return onDevice(c, sub) && commands.ChangesDisk(c.Argv)
	})...)
}

// overwritesOutside reports shred, and wipefs that erases, of anything but a file that a literal
// path below the working directory names.
func overwritesOutside(s *interp.Analysis) []interp.Finding {
	outside := func(c *commands.Invocation, sub *interp.Subcommand) bool {
		return sub.Remote || slices.ContainsFunc(sub.Effects, func(e shell.Effect) bool {
			plain := e.Known && !e.Glob && strings.HasPrefix(e.Path, strings.TrimSuffix(s.Env.Cwd, "/")+"/")
			return changesFile(&e) && !e.Redirect && !plain
		})
	}
	return append(matching(s, "shred", func(c *commands.Invocation, sub *interp.Subcommand) bool {
		return outside(c, sub) || len(sub.Effects) == 0
	}), matching(s, "fdisk", func(c *commands.Invocation, sub *interp.Subcommand) bool {
		return commands.TableName(commands.ProgramName(c.Argv)) == "wipefs" && commands.ChangesDisk(c.Argv) && outside(c, sub)
	})...)
}

// diskTools are the programs that format and partition, except for their listings.
func diskTools(s *interp.Analysis) []interp.Finding {
	all := matching(s, "fdisk", func(c *commands.Invocation, sub *interp.Subcommand) bool {
		return len(c.Argv) > 1 && !commands.ListsDisk(c.Argv) && formats(c.Argv)
	})
	return append(all, matching(s, "diskutil", func(c *commands.Invocation, sub *interp.Subcommand) bool {
		return commands.ProgramName(c.Argv) == "diskutil" &&
			remote.AnyWord(c.Argv, "eraseDisk", "eraseVolume", "partitionDisk", "reformat", "zeroDisk", "secureErase",
				"randomDisk")
	})...)
}

// formats reports whether a program of the disk table is told to change a disk.
func formats(argv []shell.Word) bool {
	first := argv[1].Text
	switch name := commands.TableName(commands.ProgramName(argv)); name {
	case "fdisk", "sfdisk", "gdisk", "sgdisk", "parted", "cfdisk":
		return !shell.Among("-l --list -p --help --version -d --dump", first)
	case "wipefs", "mkfs", "mke2fs", "mkswap", "mkdosfs", "newfs", "blkdiscard":
		return commands.ChangesDisk(argv) && !shell.Among("--help -V --version", first)
	case "diskpart":
		return !shell.Among("--help -V --version", first)
	default:
		return strings.HasSuffix(name, "remove") || remote.AnyWord(argv, "luksFormat", "erase", "destroy",
			"--security-erase", "format", "--zero-superblock", "sanitize", "labelclear")
	}
}
