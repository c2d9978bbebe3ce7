package bashsafety

import "strings"

// destructiveChecks find what destroys data.
var destructiveChecks = []Check{
	{
		ID:       "recursive-remove",
		Title:    "deletes a directory and everything in it",
		Why:      "files outside git cannot be recovered",
		Instead:  "`rm build/file.o` or `rmdir build`",
		Names:    [2]string{"a directory", "build"},
		Severity: Destructive,
		About:    AboutFiles,
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
		Find: func(s *Script) []Finding {
			return matching(s, "rm", func(c *call, sub *Subcommand) bool { return c.recursive })
		},
	},
	{
		ID:       "unknown-option",
		Title:    "runs a destructive command with an unknown option",
		Why:      "the option may be -r, --force or --hard",
		Instead:  "`rm -f build/app.o`, with the option spelled out",
		Severity: Destructive,
		Fails:    []string{"rm -$x build", `rm -"${x:-rf}" build`, "rm -f$x build", "git push --$x origin main", "git reset --${x:-hard}", "git clean -$(echo fdx)"},
		Passes: []string{
			"rm -f -- -$x", "git push origin fix-$x", "git push --push-option=$x", "git log -$n", "head -$n f", "git commit -m -$x", "echo rm -$x",
		},
		Find: func(s *Script) []Finding {
			all := matching(s, "rm", func(c *call, _ *Subcommand) bool { return unknownOption(c) })
			return append(all, matching(s, "git", func(c *call, _ *Subcommand) bool {
				switch {
				case len(c.subs) == 0:
					return false
				case c.subs[0] == "push", c.subs[0] == "reset", c.subs[0] == "clean", c.subs[0] == "branch", c.subs[0] == "checkout", c.subs[0] == "switch":
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
		Severity: Destructive,
		About:    AboutFiles,
		Fails:    []string{"find . -type f -delete", "find . -name '*.tmp' -delete", "find -L /tmp/x -del\"ete\""},
		Passes:   []string{"find . -name '*.tmp'", "find . -name -delete", "echo find . -delete"},
		Find: func(s *Script) []Finding {
			return matching(s, "find", func(c *call, sub *Subcommand) bool {
				for i := range c.d.effects {
					if c.d.effects[i].Kind == Delete {
						return true
					}
				}
				return false
			})
		},
	},
	{
		ID:       "chmod-777",
		Title:    "makes a file writable and executable by everyone",
		Why:      "every user and program on the machine can change what you run later",
		Instead:  "`chmod u+x deploy.sh`",
		Severity: Destructive,
		About:    AboutFiles,
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
		Severity: Destructive,
		About:    AboutFiles,
		Fails:    []string{"dd if=a of=b", "dd of=b if=a bs=1M conv=notrunc", `dd if=a of="$x"`, "sudo dd of=disk.img if=/dev/zero count=1"},
		Passes:   []string{"dd if=a count=1", "dd if=a of=/dev/null", "git tag -a v1.2 -m \"remove dd if= helper\"", "ls dd"},
		Find: func(s *Script) []Finding {
			return matching(s, "dd", func(c *call, sub *Subcommand) bool { return c.wrote })
		},
	},
	{
		ID:       "disk-tool",
		Title:    "formats or repartitions a disk",
		Why:      "the data on the disk is lost",
		Instead:  "`lsblk` to look first",
		Severity: Destructive,
		Fails: []string{
			"mkfs.ext4 disk.img", "mkfs x", "fdisk /dev/sda", "parted disk.img mklabel gpt", "sgdisk -Z x", `mkfs.ext4 "$dev"`,
			"diskutil eraseDisk JHFS+ x disk2", "cryptsetup luksFormat x", "sudo mkswap f", "zpool destroy tank",
		},
		Passes: []string{
			"fdisk -l", "parted -l", "diskutil list", "zpool status", "gh issue create --title 'mkfs false positive' --body 'mkfs.ext4'", "ls mkfs",
			"man mkfs", "which fdisk",
		},
		Find: diskTools,
	},
	{
		ID:       "shred",
		Title:    "overwrites files so that they cannot be recovered",
		Why:      "no copy is left",
		Instead:  "`rm key.tmp`",
		Severity: Destructive,
		About:    AboutFiles,
		Fails:    []string{"shred key", "shred -u -n 3 key", "sudo shred -z x", "find . -name k -exec shred {} +"},
		Passes:   []string{"echo shred key", "shred --help", "which shred"},
		Find: func(s *Script) []Finding {
			return matching(s, "shred", func(c *call, sub *Subcommand) bool { return len(c.operands) > 0 })
		},
	},
	{
		ID:       "crontab-remove",
		Title:    "deletes a user's crontab",
		Why:      "crontab -r drops the whole table without asking",
		Instead:  "`crontab -l` to look first",
		Severity: Destructive,
		Fails:    []string{"crontab -r", "crontab -ri", "sudo crontab -u www -r"},
		Passes:   []string{"crontab -l", "echo crontab -r"},
		Find: func(s *Script) []Finding {
			return matching(s, "crontab", func(c *call, sub *Subcommand) bool { return c.has("r") })
		},
	},
	{
		ID:       "device-write",
		Title:    "writes to a disk device",
		Why:      "that destroys the file system on the disk",
		Instead:  "`cp disk.img copy.img`, which writes a file",
		Severity: Destructive,
		Fails: []string{
			"echo x > /dev/sda", "cat img >/dev/nvme0n1", "cp img /dev/disk2", "tee /dev/vdb < img", "echo x >> /dev/mapper/root", "echo x >| /dev/loop0",
			"gzip -dc a.gz > /dev/mmcblk0",
		},
		Passes: []string{"echo x > /dev/null", "echo x >/dev/stderr", "cat /dev/sda > disk.img", "echo '> /dev/sda'"},
		Find: func(s *Script) []Finding {
			return writing(s, func(e *Effect) bool { return blockDevice(e.Path) })
		},
	},
}

// opensAll is chmod with a mode that lets everybody read, write and run, and
// the -m of mkdir, install and their like.
func opensAll(s *Script) []Finding {
	all := matching(s, "chmod", func(c *call, sub *Subcommand) bool {
		return !c.noPattern && openMode(c.literalOperand(0))
	})
	for _, program := range [...]string{"mkdir", "install", "mkfifo"} {
		all = append(all, matching(s, program, func(c *call, sub *Subcommand) bool {
			o := c.option("m", "mode")
			return o != nil && o.value.Known && openMode(o.value.Text)
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
		if strings.ContainsAny(who, "ao") && strings.Contains(perms, "w") && strings.Contains(perms, "r") && strings.ContainsAny(perms, "xX") {
			return true
		}
	}
	return false
}

// diskTools are the programs that format and partition, but for their listings.
func diskTools(s *Script) []Finding {
	all := matching(s, "fdisk", func(c *call, sub *Subcommand) bool {
		if len(c.argv) < 2 {
			return false
		}
		first := c.argv[1].Text
		switch name := tableName(programName(c.argv)); name {
		case "fdisk", "sfdisk", "gdisk", "sgdisk", "parted", "cfdisk":
			return first != "-l" && first != "--list" && first != "-p" && first != "--help" && first != "--version" && first != "-d" && first != "--dump"
		case "mkfs", "mke2fs", "mkswap", "mkdosfs", "newfs", "blkdiscard", "diskpart":
			return first != "--help" && first != "-V" && first != "--version"
		case "wipefs":
			return len(c.argv) > 2 // without options it lists
		default:
			return anyWord(c.argv, "luksFormat", "erase", "destroy", "--security-erase", "format", "--zero-superblock", "sanitize", "labelclear") || strings.HasSuffix(name, "remove")
		}
	})
	return append(all, matching(s, "diskutil", func(c *call, sub *Subcommand) bool {
		return programName(c.argv) == "diskutil" && anyWord(c.argv, "eraseDisk", "eraseVolume", "partitionDisk", "reformat", "zeroDisk", "secureErase", "randomDisk")
	})...)
}

// anyWord reports whether one of the words stands in argv, whatever its case.
func anyWord(argv []Word, words ...string) bool {
	for i := range argv {
		for _, w := range words {
			if strings.EqualFold(argv[i].Text, w) {
				return true
			}
		}
	}
	return false
}

// unknownOption reports whether the name of an option is known only in part.
func unknownOption(c *call) bool {
	for _, h := range c.holes {
		if strings.HasPrefix(c.argv[h].Text, "-") {
			return true
		}
	}
	return false
}
