package checks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/powershell"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// destructiveChecks find what destroys data.
var destructiveChecks = []analysis.Check{
	{
		ID:    "recursive-remove",
		Title: "deletes a directory and everything in it",
		Why:   "files outside git cannot be recovered",
		Says:  []analysis.Said{{For: "rm", Title: "deletes NAME with everything in it"}},
		Instead: []analysis.Hint{
			{For: "rm", When: analysis.OneFile, Text: "`rm NAME`"},
			{For: "rm", When: analysis.EmptyFolder, Text: "`rmdir NAME`"},
			{For: "rm", When: analysis.InGit, Text: "`git rm -r NAME`, which git can undo"},
			{For: "rm", When: analysis.NewToGit, Text: "`git stash -u -- NAME`, which can be undone"},
			{For: "rm", When: analysis.Movable, Text: "`mv NAME FREE`, which can be undone"},
		},
		Severity: analysis.Destructive,
		About:    analysis.AboutFiles,
		Trees:    true, Removes: true,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			all := matching(s, "rm", func(c *commands.Invocation, sub *analysis.Subcommand) bool { return c.Recursive })
			return slices.Concat(all, remote.RunningAt(s, takesTrees), remote.Named(s, emptiesTrash))
		},
	},
	{
		ID:       "unknown-option",
		Title:    "runs a destructive command with an unknown option",
		Why:      "the option may be -r, --force or --hard",
		Instead:  []analysis.Hint{{Text: "writing the option out"}},
		Severity: analysis.Destructive,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			all := matching(s, "rm", func(c *commands.Invocation, _ *analysis.Subcommand) bool { return unknownOption(c) })
			return append(all, matching(s, "git", func(c *commands.Invocation, _ *analysis.Subcommand) bool {
				return len(c.Subs) > 0 && shell.Among("push reset clean branch checkout switch", c.Subs[0]) && unknownOption(c)
			})...)
		},
	},
	{
		ID:       "find-delete",
		Title:    "deletes every file that find matches",
		Of:       "deletes every file that it finds below FILE",
		Says:     []analysis.Said{{For: "find", Title: "deletes every PATTERN below FILE"}},
		Why:      "files outside git cannot be recovered",
		Instead:  []analysis.Hint{{For: "find", Swap: "-delete=-print", Text: "`CALL` to look first"}},
		Severity: analysis.Destructive,
		About:    analysis.AboutFiles,
		Removes:  true,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			all := matching(s, "find", func(c *commands.Invocation, sub *analysis.Subcommand) bool {
				return slices.ContainsFunc(c.Facts.Effects, func(e shell.Effect) bool { return e.Kind == shell.Delete })
			})
			return append(all, sweeps(s, "rm unlink srm truncate", func(by *analysis.Subcommand) bool {
				return by.Call != nil && shell.Listed("find fd", by.Call.Cmd.Name())
			})...)
		},
	},
	{
		ID:       "chmod-777",
		Title:    "makes a file writable and executable by everyone",
		Of:       "makes FILE writable and executable by everyone",
		Why:      "every user and program on the machine can change what you run later",
		Instead:  []analysis.Hint{{For: "chmod", Swap: "777=u+rwx 0777=u+rwx a+rwx=u+rwx ugo+rwx=u+rwx", Text: "`CALL`"}},
		Severity: analysis.Destructive,
		About:    analysis.AboutFiles,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return givesMode(s, openMode) },
	},
	{
		ID:       "dd-write",
		Title:    "overwrites a file or device block by block",
		Of:       "overwrites FILE block by block",
		Why:      "dd does not ask before it overwrites",
		Severity: analysis.Destructive,
		About:    analysis.AboutFiles,
		Writes:   true,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return matching(s, "dd", func(c *commands.Invocation, sub *analysis.Subcommand) bool { return c.Wrote })
		},
	},
	{
		ID:       "disk-tool",
		Title:    "formats or repartitions a disk",
		Why:      "the data on the disk is lost",
		Severity: analysis.Destructive,
		Find:     diskTools,
	},
	{
		ID:       "shred",
		Title:    "overwrites files so that they cannot be recovered",
		Of:       "overwrites FILE",
		Why:      "expect its contents to be lost",
		Instead:  []analysis.Hint{{For: "shred", When: analysis.OneFile, Text: "`rm NAME`"}},
		Severity: analysis.Destructive,
		About:    analysis.AboutFiles,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return matching(s, "shred", func(c *commands.Invocation, sub *analysis.Subcommand) bool { return len(c.Operands) > 0 })
		},
	},
	{
		ID:    "crontab-remove",
		Title: "deletes all scheduled commands of a user",
		Says: []analysis.Said{
			{For: "crontab -u", Title: "deletes the whole crontab of a user"},
			{For: "crontab", Title: "deletes the whole crontab: every command that is scheduled in it"},
		},
		Whole:    true,
		Why:      "no copy of the crontab is kept",
		Instead:  []analysis.Hint{{For: "crontab", Swap: "-r=-l", Text: "`CALL` to look first"}},
		Severity: analysis.Destructive,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return matching(s, "crontab", func(c *commands.Invocation, sub *analysis.Subcommand) bool { return c.Has("r") })
		},
	},
	{
		ID:       "device-write",
		Title:    "writes to a disk device",
		Of:       "writes to FILE, a disk",
		Why:      "that destroys the file system on the disk",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return writingDevice(s, false) },
	},
	{
		ID:    "encrypted-disk",
		Title: "changes an encrypted disk",
		Of:    "changes the encrypted disk FILE",
		Says: []analysis.Said{
			{For: "cryptsetup open", Title: "unlocks the encrypted disk FILE", Why: "what is on it can be read until it is closed"},
		},
		Why:      "a mistake makes its data unreadable",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return writingDevice(s, true) },
	},
}

// writingDevice reports what writes to a block device: by cryptsetup, or by any other program.
func writingDevice(s *analysis.Analysis, encrypted bool) []analysis.Finding {
	all := writing(s, func(e *shell.Effect) bool { return blockDevice(e.Path) })
	return slices.DeleteFunc(all, func(f analysis.Finding) bool {
		return (s.Subcommands[f.Sub].Program == "cryptsetup") != encrypted
	})
}

// givesMode is chmod, or the -m of mkdir and its like, with a mode that fits.
func givesMode(s *analysis.Analysis, fits func(mode string) bool) []analysis.Finding {
	all := matching(s, "chmod", func(c *commands.Invocation, sub *analysis.Subcommand) bool {
		return !c.NoPattern && fits(c.LiteralOperand(0))
	})
	for _, program := range [...]string{"mkdir", "install", "mkfifo"} {
		all = append(all, matching(s, program, func(c *commands.Invocation, sub *analysis.Subcommand) bool {
			o := c.Option("m", "mode")
			return o != nil && o.Value.Known && fits(o.Value.Text)
		})...)
	}
	return all
}

// openMode reports whether a mode gives everybody all of rwx.
func openMode(t string) bool {
	if t == "" {
		return false
	}
	if strings.Trim(t, "01234567") == "" {
		return strings.HasSuffix(t, "777")
	}
	for clause := range strings.SplitSeq(t, ",") {
		i := strings.IndexAny(clause, "+=")
		if i <= 0 {
			continue
		}
		who, perms := clause[:i], clause[i+1:]
		all := strings.Contains(perms, "r") && strings.Contains(perms, "w") && strings.ContainsAny(perms, "xX")
		if all && strings.ContainsAny(who, "ao") {
			return true
		}
	}
	return false
}

// setsUser reports whether a mode has a program run as its owner.
func setsUser(t string) bool {
	if digits := strings.TrimLeft(t, "0"); strings.Trim(t, "01234567") == "" {
		return len(digits) == 4 && digits[0] >= '4'
	}
	return slices.ContainsFunc(strings.Split(t, ","), func(clause string) bool {
		who, perms, _ := strings.Cut(strings.Replace(clause, "=", "+", 1), "+")
		return strings.Contains(perms, "s") && (who == "" || strings.ContainsAny(who, "ua"))
	})
}

// unknownOption reports whether the name of an option is known only in part.
func unknownOption(c *commands.Invocation) bool { return slices.ContainsFunc(c.Holes, c.NamedInPart) }

// targets are the known paths that a command touches in one of two ways.
func targets(c *commands.Invocation, sub *analysis.Subcommand, a, b shell.EffectKind) []shell.Effect {
	var all []shell.Effect
	facts := c.Facts.Effects
	if sub.Box != nil && sub.Box.Closed { // they are of the container
		facts = nil
	}
	for _, list := range [...][]shell.Effect{sub.Effects, facts} {
		for _, e := range list {
			if (e.Kind == a || e.Kind == b) && !e.Redirect && strings.HasPrefix(e.Path, "/") {
				all = append(all, e)
			}
		}
	}
	return all
}

// ruins reports whether a command touches, in a way, something ruinous.
func ruins(c *commands.Invocation, sub *analysis.Subcommand, kind shell.EffectKind) bool {
	return slices.ContainsFunc(targets(c, sub, kind, kind), func(e shell.Effect) bool {
		return shell.Ruinous(&e, c.Home) && !(sub.Inside() && shell.Elsewhere(&e, c.Home))
	})
}

// driveRoot reports whether one of the words is the root of a Windows drive.
func driveRoot(c *commands.Invocation, operands []int) bool {
	return slices.ContainsFunc(operands, func(i int) bool {
		t := c.Argv[i].Text
		return powershell.DriveLetter(t) && strings.Trim(t[2:], `\/*.`) == ""
	})
}

// removesRoot is rm -r of something ruinous.
func removesRoot(c *commands.Invocation, sub *analysis.Subcommand) bool {
	return c.Recursive && (driveRoot(c, c.Operands) || ruins(c, sub, shell.Delete))
}

// filtered reports whether a find expression names what it deletes.
func filtered(c *commands.Invocation) bool {
	for i := range c.Argv[1:] {
		t := c.Argv[i+1].Text
		if before := c.Argv[i].Text; before == "!" || before == "-not" {
			continue // all but those
		}
		switch {
		case t == "-mindepth", t == "-maxdepth", t == "-type":
		case t == "-empty", strings.HasPrefix(t, "-") && commands.FindTakesValue(t):
			return i+2 >= len(c.Argv) || strings.Trim(c.Argv[i+2].Text, "*.?/") != ""
		}
	}
	return false
}

// movesAway is mv of something whose loss is that of the machine.
func movesAway(c *commands.Invocation, sub *analysis.Subcommand) bool {
	moved := c.Operands
	if c.Target == nil {
		if len(moved) < 2 {
			return false
		}
		moved = moved[:len(moved)-1]
	}
	return driveRoot(c, moved) || ruins(c, sub, shell.Delete)
}

// findsAll reports a find that starts at something ruinous and names nothing it finds.
func findsAll(sub *analysis.Subcommand) bool {
	c := sub.Call
	return c != nil && c.Cmd.Name() == "find" && !filtered(c) && ruins(c, sub, shell.Read)
}

// sweeps reports what deletes all that a find which fits prints: find / -exec rm {} +, find ~ | xargs rm.
func sweeps(s *analysis.Analysis, removers string, fits func(by *analysis.Subcommand) bool) []analysis.Finding {
	return remote.RunningAt(s, func(i int, sub *analysis.Subcommand) bool {
		removes := sub.Call != nil && shell.Listed(removers, sub.Program) && !asksHelp(s, sub.Call)
		if len(sub.Via) == 0 || !removes && !empties(sub) {
			return false
		}
		added := shell.ContainsAny(strings.Join(sub.Via, " "), "xargs", "parallel")
		if added && slices.ContainsFunc(sub.From, func(k int) bool { return fits(&s.Subcommands[k]) }) {
			return true
		}
		return slices.ContainsFunc(s.Subcommands[:i], func(by analysis.Subcommand) bool {
			above := by.Call != nil && len(by.Via) < len(sub.Via)
			launches := above && slices.Contains(sub.Via[len(by.Via):], by.Call.Cmd.Name())
			return launches && by.Span.Contains(sub.Span) && fits(&by)
		})
	})
}

// takesTrees is what copies or packs and then deletes folders: rsync --delete, tar --remove-files, zip -rm.
func takesTrees(_ int, sub *analysis.Subcommand) bool {
	return shell.Among("rsync tar bsdtar gtar zip 7z 7za 7zz 7zr rar", sub.As) && slices.ContainsFunc(sub.Effects, func(e shell.Effect) bool { return e.Kind == shell.Delete && e.Recursive })
}

// empties reports what leaves nothing of a file that it is given in another way: mv FILE /dev/null, > "$1".
func empties(sub *analysis.Subcommand) bool {
	if n := len(sub.Argv); n > 0 {
		return sub.Program == "mv" && sub.Argv[n-1].Text == "/dev/null"
	}
	return slices.ContainsFunc(sub.Effects, func(e shell.Effect) bool {
		return e.Kind == shell.Write && e.Redirect && !e.Append && !e.Known
	})
}

// emptiesTrash reports the commands that delete what can still be taken back.
func emptiesTrash(name string, argv []shell.Word) bool {
	told := shell.Among("trash gio gomi", name) && remote.AnyWord(argv, "empty", "--empty", "--prune")
	return (told || shell.Among("trash-empty trash-rm", name)) &&
		!remote.AnyWord(argv, "-h", "--help", "--version", "--dry-run")
}

// mirrorsOnto is rsync with --delete onto something ruinous, here or on another machine.
func mirrorsOnto(c *commands.Invocation, sub *analysis.Subcommand) bool {
	mirrors := c.Has("delete", "delete-before", "delete-during", "delete-delay", "delete-after", "delete-excluded",
		"del")
	if !mirrors || c.Has("n", "dry-run", "list-only") || len(c.Operands) < 2 {
		return false
	}
	here := slices.ContainsFunc(targets(c, sub, shell.Write, shell.Delete), func(e shell.Effect) bool {
		return shell.Ruinous(&e, c.Home) && e.Path != "/tmp"
	})
	return here || ruinousElsewhere(c.Argv[c.Operands[len(c.Operands)-1]].Text)
}

// ruinousElsewhere reports whether host:path is ruinous on that machine.
func ruinousElsewhere(target string) bool {
	host, at, ok := strings.Cut(target, ":")
	if !ok || strings.Contains(host, "/") {
		return false
	}
	at = shell.CleanPath(strings.TrimPrefix(at, ":"))
	if strings.HasPrefix(at, "/") {
		return shell.Ruinous(&shell.Effect{Path: at, Known: true}, "")
	}
	return at == "~" || at == "" || at == "."
}

// unpacksOver reports the commands that unpack into something ruinous.
func unpacksOver(s *analysis.Analysis) []analysis.Finding {
	over := func(effects []shell.Effect, home string) bool {
		return slices.ContainsFunc(effects, func(e shell.Effect) bool {
			return e.Recursive && e.Known && !workFolder(s, e.Path) && shell.Ruinous(&e, home)
		})
	}
	all := remote.RunningAt(s, func(_ int, sub *analysis.Subcommand) bool {
		return s.HasPowerShell && powershell.CmdletName(sub.Program) == "expand-archive" && over(sub.Effects, s.Env.Home)
	})
	for _, program := range [...]string{"tar", "unzip", "cpio", "7z"} {
		all = append(all, matching(s, program, func(c *commands.Invocation, sub *analysis.Subcommand) bool {
			return over(targets(c, sub, shell.Write, shell.Write), c.Home)
		})...)
	}
	return all
}

// workFolder reports whether a folder is there to be worked in: /tmp, or where the text starts.
func workFolder(a *analysis.Analysis, dir string) bool {
	return dir == "/tmp" || a.Env.Cwd != "/" && dir == shell.CleanPath(a.Env.Cwd) && dir != a.Env.Home
}

// writesKernelKey reports writes to the file by which the kernel stops the machine at once.
func writesKernelKey(s *analysis.Analysis) []analysis.Finding {
	return remote.RunningAt(s, func(_ int, sub *analysis.Subcommand) bool {
		return slices.ContainsFunc(sub.Effects, kernelKey) || slices.ContainsFunc(sub.Away, kernelKey) ||
			sub.Call != nil && slices.ContainsFunc(sub.Call.Facts.Effects, kernelKey)
	})
}

func kernelKey(e shell.Effect) bool {
	const key = "/proc/sysrq-trigger"
	memory := shell.Among("/dev/mem /dev/kmem /dev/port", e.Path)
	inOtherRoot := strings.HasPrefix(e.Path, "/proc/") && strings.HasSuffix(e.Path, "/root"+key)
	return e.Kind == shell.Write && (e.Path == key || inOtherRoot || memory)
}

// blockDevice reports whether a path names a disk or a part of one.
func blockDevice(p string) bool {
	name, ok := strings.CutPrefix(strings.ToLower(p), "/dev/")
	if !ok {
		return false
	}
	return slices.ContainsFunc([]string{
		"sd", "hd", "nvme", "vd", "xvd", "mmcblk", "disk", "rdisk", "mapper/", "loop", "dm-", "md", "zd", "nbd", "ram", "pmem",
		"sr", "block/",
	}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix) && name != prefix
	})
}

// onDevice reports whether a command writes to a block device: by effect, or by
// an operand of a command that runs elsewhere and has no effects.
func onDevice(c *commands.Invocation, sub *analysis.Subcommand) bool {
	device := func(e shell.Effect) bool { return changesFile(&e) && blockDevice(e.Path) }
	return slices.ContainsFunc(sub.Effects, device) || slices.ContainsFunc(c.Facts.Effects, device)
}

// overwritesDevice reports the programs that destroy what a block device holds.
func overwritesDevice(s *analysis.Analysis) []analysis.Finding {
	all := append(matching(s, "dd", onDevice), matching(s, "shred", onDevice)...)
	return append(all, matching(s, "fdisk", func(c *commands.Invocation, sub *analysis.Subcommand) bool {
		return onDevice(c, sub) && commands.ChangesDisk(c.Argv)
	})...)
}

// overwritesOutside reports shred, and wipefs that erases, except on a file that is named below the
// working directory.
func overwritesOutside(s *analysis.Analysis) []analysis.Finding {
	outside := func(c *commands.Invocation, sub *analysis.Subcommand) bool {
		return !sub.Here() || slices.ContainsFunc(sub.Effects, func(e shell.Effect) bool {
			plain := e.Known && !e.Glob && strings.HasPrefix(e.Path, strings.TrimSuffix(s.Env.Cwd, "/")+"/")
			return changesFile(&e) && !e.Redirect && !plain
		})
	}
	return append(matching(s, "shred", func(c *commands.Invocation, sub *analysis.Subcommand) bool {
		return outside(c, sub) || len(sub.Effects) == 0
	}), matching(s, "fdisk", func(c *commands.Invocation, sub *analysis.Subcommand) bool {
		wipes := commands.TableName(commands.ProgramName(c.Argv)) == "wipefs"
		return wipes && commands.ChangesDisk(c.Argv) && outside(c, sub)
	})...)
}

// diskTools are the programs that format and partition, except for their listings.
func diskTools(s *analysis.Analysis) []analysis.Finding {
	all := matching(s, "fdisk", func(c *commands.Invocation, sub *analysis.Subcommand) bool {
		return len(c.Argv) > 1 && !commands.ListsDisk(c.Argv) && formats(c.Argv)
	})
	return append(all, matching(s, "diskutil", func(c *commands.Invocation, sub *analysis.Subcommand) bool {
		return commands.ProgramName(c.Argv) == "diskutil" &&
			remote.AnyWord(c.Argv, "eraseDisk", "eraseVolume", "partitionDisk", "reformat", "zeroDisk", "secureErase",
				"randomDisk")
	})...)
}

// formats reports whether a program of the disk table is told to change a disk.
func formats(argv []shell.Word) bool {
	first := argv[1].Text
	if alone := len(argv) == 2 && first == "-h"; alone && shell.Among("fdisk sfdisk cfdisk parted mkfs mkswap blkdiscard", commands.ProgramName(argv)) {
		return false // usage, as their manual pages say
	}
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
