package checks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// destructiveChecks find what destroys data.
var destructiveChecks = []interp.Check{
	{
		ID:       "recursive-remove",
		Title:    "deletes a directory and everything in it",
		Why:      "files outside git cannot be recovered",
		Instead:  "`rm build/file.o` or `rmdir build`",
		Names:    [2]string{"a directory", "build"},
		Severity: interp.Destructive,
		About:    interp.AboutFiles,
		Trees:    true,
		Fails: []string{
			"rm -rf build", "rm -r build", "rm -Rf build", "rm -f -r build", "rm build -rf", "rm --recursive --force build",
			"rm --recurs build", "rm -v -rf x", "r''m -rf ./src", "/bin/rm -rf ./src", "X=rm; $X -rf build",
			"find . -name x | xargs rm -rf", "find . -exec rm -r {} +", "sudo rm -rf x", "env A=1 rm -rf x", "sh -c 'rm -rf x'",
			"timeout 5 rm -rf x", "for d in a b; do rm -rf $d; done", "echo $(rm -rf x)", "bash <<'EOF'\nrm -rf ./src\nEOF",
			"kubectl exec p -- rm -rf /data", "rm -fvr -- x", "git submodule foreach 'rm -rf x'", `node -e "require('child_process').execSync('rm -rf x')"`,
		},
		Passes: []string{
			"rm notes.tmp", "rm -f a b", "rmdir empty", "docker compose rm -f web", "grep -rf patterns.txt src", "cp -rf a b", "git rm -r --cached x",
			"echo rm -rf x", "rm -- -r", "npm run rm-cache", "which rm", "rm --help",
		},
		Find: func(s *interp.Analysis) []interp.Finding {
			return matching(s, "rm", func(c *commands.Invocation, sub *interp.Subcommand) bool { return c.Recursive })
		},
	},
	{
		ID:       "unknown-option",
		Title:    "runs a destructive command with an unknown option",
		Why:      "the option may be -r, --force or --hard",
		Instead:  "`rm -f build/app.o`, with the option spelled out",
		Severity: interp.Destructive,
		Fails:    []string{"rm -$x build", `rm -"${x:-rf}" build`, "rm -f$x build", "git push --$x origin main", "git reset --${x:-hard}", "git clean -$(cat flags)"},
		Passes: []string{
			"rm -f -- -$x", "git push origin fix-$x", "git push --push-option=$x", "git log -$n", "head -$n f", "git commit -m -$x", "echo rm -$x",
		},
		Find: func(s *interp.Analysis) []interp.Finding {
			all := matching(s, "rm", func(c *commands.Invocation, _ *interp.Subcommand) bool { return unknownOption(c) })
			return append(all, matching(s, "git", func(c *commands.Invocation, _ *interp.Subcommand) bool {
				switch {
				case len(c.Subs) == 0:
					return false
				case c.Subs[0] == "push", c.Subs[0] == "reset", c.Subs[0] == "clean", c.Subs[0] == "branch", c.Subs[0] == "checkout", c.Subs[0] == "switch":
					return unknownOption(c)
				}
				return false
			})...)
		},
	},
	{
		ID:       "find-delete",
		Title:    "deletes every file find matches",
		Why:      "one wrong test deletes everything below the path",
		Instead:  "`find . -name '*.tmp'` to list them first",
		Severity: interp.Destructive,
		About:    interp.AboutFiles,
		Fails:    []string{"find . -type f -delete", "find . -name '*.tmp' -delete", "find -L /tmp/x -del\"ete\""},
		Passes:   []string{"find . -name '*.tmp'", "find . -name -delete", "echo find . -delete"},
		Find: func(s *interp.Analysis) []interp.Finding {
			return matching(s, "find", func(c *commands.Invocation, sub *interp.Subcommand) bool {
				return slices.ContainsFunc(c.Facts.Effects, func(e shell.Effect) bool { return e.Kind == shell.Delete })
			})
		},
	},
	{
		ID:       "chmod-777",
		Title:    "makes a file writable and executable by everyone",
		Why:      "every user and program on the machine can change what you run later",
		Instead:  "`chmod u+x deploy.sh`",
		Severity: interp.Destructive,
		About:    interp.AboutFiles,
		Fails: []string{
			"chmod 777 x", "chmod -R 777 .", "chmod 0777 deploy.sh", "chmod a+rwx x", "chmod ugo+rwx x", "chmod =rwx,a=rwx x", "chmod 4777 x",
			"chmod -R a=rwX x", "mkdir -m 777 d", "chmod o+rwx x", "sudo chmod 777 x",
		},
		Passes: []string{
			"chmod +x scripts/build.sh", "chmod 644 docs/777.md", "chmod 755 x", "printf '%s\\n' 'chmod 777 is bad'", "chmod a+r x", "chmod -x x",
			"chmod u=rwx,go=rx x", "mkdir -p 777",
		},
		Find: opensAll,
	},
	{
		ID:       "dd-write",
		Title:    "overwrites a file or device block by block",
		Why:      "dd does not ask before it overwrites",
		Instead:  "`cp a.img b.img`",
		Severity: interp.Destructive,
		About:    interp.AboutFiles,
		Fails:    []string{"dd if=a of=b", "dd of=b if=a bs=1M conv=notrunc", `dd if=a of="$x"`, "sudo dd of=disk.img if=/dev/zero count=1"},
		Passes:   []string{"dd if=a count=1", "dd if=a of=/dev/null", "git tag -a v1.2 -m \"remove dd if= helper\"", "ls dd"},
		Find: func(s *interp.Analysis) []interp.Finding {
			return matching(s, "dd", func(c *commands.Invocation, sub *interp.Subcommand) bool { return c.Wrote })
		},
	},
	{
		ID:       "disk-tool",
		Title:    "formats or repartitions a disk",
		Why:      "the data on the disk is lost",
		Instead:  "`lsblk` to look first",
		Severity: interp.Destructive,
		Fails: []string{
			"mkfs.ext4 disk.img", "mkfs x", "fdisk /dev/sda", "parted disk.img mklabel gpt", "sgdisk -Z x", `mkfs.ext4 "$dev"`,
			"diskutil eraseDisk JHFS+ x disk2", "cryptsetup luksFormat x", "sudo mkswap f", "mkfs.vfat -n LABEL disk.img", "fdisk -l /dev/sda; fdisk /dev/sda", "parted /dev/sda print rm 1", "zpool destroy tank",
		},
		Passes: []string{
			"fdisk -l", "fdisk -lu /dev/sda", "parted /dev/sda print", "parted -s /dev/sda unit MiB print", "sgdisk /dev/sda -p", "wipefs /dev/sda", "mkfs.ext4 -n /dev/sda", "wipefs -n -a /dev/sda", "parted -l", "diskutil list", "zpool status", "gh issue create --title 'mkfs false positive' --body 'mkfs.ext4'", "ls mkfs",
			"man mkfs", "which fdisk",
		},
		Find: diskTools,
	},
	{
		ID:       "shred",
		Title:    "overwrites files so that they cannot be recovered",
		Why:      "no copy is left",
		Instead:  "`rm key.tmp`",
		Severity: interp.Destructive,
		About:    interp.AboutFiles,
		Fails:    []string{"shred key", "shred -u -n 3 key", "sudo shred -z x", "find . -name k -exec shred {} +"},
		Passes:   []string{"echo shred key", "shred --help", "which shred"},
		Find: func(s *interp.Analysis) []interp.Finding {
			return matching(s, "shred", func(c *commands.Invocation, sub *interp.Subcommand) bool { return len(c.Operands) > 0 })
		},
	},
	{
		ID:       "crontab-remove",
		Title:    "deletes a user's crontab",
		Why:      "crontab -r deletes every entry without asking",
		Instead:  "`crontab -l` to look first",
		Severity: interp.Destructive,
		Fails:    []string{"crontab -r", "crontab -ri", "sudo crontab -u www -r"},
		Passes:   []string{"crontab -l", "echo crontab -r"},
		Find: func(s *interp.Analysis) []interp.Finding {
			return matching(s, "crontab", func(c *commands.Invocation, sub *interp.Subcommand) bool { return c.Has("r") })
		},
	},
	{
		ID:       "device-write",
		Title:    "writes to a disk device",
		Why:      "that destroys the file system on the disk",
		Instead:  "`cp disk.img copy.img`, which writes a file",
		Severity: interp.Destructive,
		Fails: []string{
			"echo x > /dev/sda", "cat img >/dev/nvme0n1", "cp img /dev/disk2", "tee /dev/vdb < img", "echo x >> /dev/mapper/root", "echo x >| /dev/loop0",
			"gzip -dc a.gz > /dev/mmcblk0",
		},
		Passes: []string{"echo x > /dev/null", "echo x >/dev/stderr", "cat /dev/sda > disk.img", "echo '> /dev/sda'"},
		Find: func(s *interp.Analysis) []interp.Finding {
			return writing(s, func(e *shell.Effect) bool { return blockDevice(e.Path) })
		},
	},
}

// opensAll is chmod with a mode that lets everybody read, write and run, and
// the -m of mkdir, install and their like.
func opensAll(s *interp.Analysis) []interp.Finding {
	all := matching(s, "chmod", func(c *commands.Invocation, sub *interp.Subcommand) bool {
		return !c.NoPattern && openMode(c.LiteralOperand(0))
	})
	for _, program := range [...]string{"mkdir", "install", "mkfifo"} {
		all = append(all, matching(s, program, func(c *commands.Invocation, sub *interp.Subcommand) bool {
			o := c.Option("m", "mode")
			return o != nil && o.Value.Known && openMode(o.Value.Text)
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

// unknownOption reports whether the name of an option is known only in part.
func unknownOption(c *commands.Invocation) bool { return slices.ContainsFunc(c.Holes, c.NamedInPart) }
