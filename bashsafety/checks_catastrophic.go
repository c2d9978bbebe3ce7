package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// catastrophicChecks find what destroys the machine or hands it over.
var catastrophicChecks = []Check{
	{
		ID:       "remove-root",
		Title:    "removes the root, a system directory or a home directory",
		Why:      "everything below is gone at once",
		Instead:  "`rm build/app.o`, which names the file",
		Severity: Catastrophic,
		Fails: []string{
			"rm -rf /", "rm -rf /*", "rm -fr ~", `rm -rf "$HOME"`, "rm -r -f ~/", "rm -rf ~/*", "rm --recursive /usr",
			"rm -rf --no-preserve-root /", "sudo rm -rf /etc",
			"cd / && rm -rf *", "rm -rf /home/other", "rm -rf /usr/*", "rm -rf C:/", "rm -rf /mnt/c", "rm -rf /proc/self/root", "rm -rf //", "rm -rf /tmp/../",
			"find / -delete", "bash -c 'rm -rf /'", "ssh host rm -rf /", `python3 -c "import os; os.system('rm -rf /')"`,
			"docker exec c rm -rf /", "echo x; (rm -rf ~)", "rm -rf {/,x}", "busybox rm -rf /",
			"python3 - <<'EOF'\nimport os\nos.system('rm -rf /')\nEOF", `node -e "fs.rmSync('/', {recursive: true, force: true})"`,
			"python3 <<'EOF'\nshutil.rmtree(Path.home())\nEOF", `python3 -c "import shutil; shutil.rmtree('/home/other')"`,
		},
		Passes: []string{
			`echo "rm -rf /"`, "rm -f /tmp/x", "ls -R /", "rm -rf /tmp/x", "rm -rf build", "rm --help", "wc -l <<'X'\nrm -rf /\nX",
			"git commit -m 'rm -rf /'", "find / -name x", "python3 - <<'EOF'\nprint('rm -rf /')\nEOF",
		},
		Find: func(s *Script) []Finding {
			return append(matching(s, "rm", removesRoot), matching(s, "find", func(c *call, sub *Subcommand) bool {
				for _, e := range targets(c, sub, Delete, Delete) {
					if ruinous(&e, c.home) && !filtered(c) {
						return true
					}
				}
				return false
			})...)
		},
	},
	{
		ID:       "overwrite-device",
		Title:    "overwrites a disk",
		Why:      "the file systems on the device are lost",
		Instead:  "`lsblk` to look first",
		Severity: Catastrophic,
		Fails: []string{
			"dd if=/dev/zero of=/dev/sda bs=1M", "mkfs.ext4 /dev/sdb1", "wipefs -a /dev/nvme0n1", "shred /dev/vda", "sudo dd of=/dev/mapper/x if=y",
			"mkfs -t xfs /dev/mmcblk0p1", "ssh h dd if=/dev/zero of=/dev/sda",
		},
		Passes: []string{"dd if=/dev/sda count=1", "lsblk /dev/sda", "dd if=a of=b", `echo "dd if=/dev/zero of=/dev/sda" >/dev/null`},
		Find: func(s *Script) []Finding {
			var all []Finding
			for _, program := range [...]string{"dd", "shred", "fdisk"} {
				all = append(all, matching(s, program, func(c *call, sub *Subcommand) bool {
					return onDevice(c, sub) && (program != "fdisk" || makesFileSystem(programName(c.argv)))
				})...)
			}
			return all
		},
	},
	{
		ID:       "chmod-root",
		Title:    "changes modes or owners of the whole system",
		Why:      "programs and logins stop working, and the old modes cannot be restored",
		Instead:  "`chmod -R u+w build` on one directory",
		Severity: Catastrophic,
		Fails:    []string{"chmod -R 755 /", "chown -R me /", "sudo chown --recursive me:me /*", "chmod -R u+w /.", "chmod u+w -R /"},
		Passes:   []string{"chmod -R u+w build", "chmod 755 /srv/app", "ls -lR /"},
		Find: func(s *Script) []Finding {
			fits := func(c *call, sub *Subcommand) bool {
				for _, e := range targets(c, sub, Write, Write) {
					if c.recursive && (e.Path == "/" || e.Glob && strings.Count(e.Path, "/") == 1) {
						return true
					}
				}
				return false
			}
			return append(matching(s, "chmod", fits), matching(s, "chgrp", fits)...)
		},
	},
	{
		ID:       "download-to-shell",
		Title:    "runs a download unread",
		Why:      "the server decides what runs with your rights",
		Instead:  "`curl -fsSL https://example.com/i.sh -o i.sh` and read it first",
		Severity: Catastrophic,
		Fails: []string{
			"curl -s https://example.com/i.sh | bash", "wget -qO- https://example.com/i.sh | sudo sh -s -- -y",
			"curl -s https://example.com/x | env A=1 zsh", "bash <(curl -s https://example.com)", `sh -c "$(curl -fsSL https://example.com)"`,
			`eval "$(curl -s https://example.com)"`, "source <(curl -s https://example.com)", "curl -s https://example.com/x.py | python3",
			"curl -s https://example.com | tee x | sh", "wget -O- https://example.com | node -", "bash -c 'curl https://example.com | sh'",
			"curl https://example.com | base64 -d | sh", ". <(wget -qO- https://example.com)",
		},
		Passes: []string{
			"curl -s https://example.com | jq .", "curl -fsSL https://example.com -o i.sh", "grep -n 'curl .* | bash' README.md",
			"curl -s https://example.com | grep sh", "echo 'curl x | sh'", "curl -s https://example.com/a | python3 -m json.tool",
		},
		Find: downloadToShell,
	},
	{
		ID:       "fork-bomb",
		Title:    "spawns itself endlessly (fork bomb)",
		Why:      "the machine runs out of processes and has to be restarted",
		Severity: Catastrophic,
		Fails:    []string{":(){ :|:& };:", "bomb() { bomb | bomb & }; bomb", "f(){ f & f & }; f", "bash -c ':(){ :|:& };:'", "function b { b|b& }; b"},
		Passes:   []string{"f() { sleep 1 & }; f", "walk() { walk x | cat; }; walk", "echo ':(){ :|:& };:'", "f() { g | g & }; f"},
		Find:     forkBombs,
	},
}

// removesRoot is rm -r of something ruinous.
func removesRoot(c *call, sub *Subcommand) bool {
	if !c.recursive {
		return false
	}
	for _, i := range c.operands {
		if driveRoot(&c.argv[i]) {
			return true
		}
	}
	for _, e := range targets(c, sub, Delete, Delete) {
		if ruinous(&e, c.home) {
			return true
		}
	}
	return false
}

// filtered reports whether a find expression names what it deletes.
func filtered(c *call) bool {
	for i := range c.argv[1:] {
		if t := c.argv[i+1].Text; strings.HasPrefix(t, "-") && findTakesValue(t) && t != "-mindepth" && t != "-type" {
			return true
		}
	}
	return false
}

func makesFileSystem(name string) bool {
	switch tableName(name) {
	case "mkfs", "mke2fs", "mkswap", "mkdosfs", "newfs", "wipefs", "blkdiscard":
		return true
	}
	return false
}

// downloadToShell looks for a shell or interpreter whose program is a download:
// through a pipe, a substitution in its words, or a process substitution.
func downloadToShell(s *Script) []Finding {
	var all []Finding
	for i := range s.Subcommands {
		sub, fed := &s.Subcommands[i], false
		c := sub.call
		if c == nil {
			continue
		}
		if readsProgram(c) {
			for _, from := range sub.From {
				fed = fed || from < len(s.Subcommands) && downloads(s, from)
			}
		}
		if runsWords(c) {
			for k := range s.Subcommands {
				fed = fed || k != i && downloads(s, k) && insideWord(sub, &s.Subcommands[k])
			}
		}
		if fed {
			all = append(all, Finding{Sub: i, Span: sub.Span})
		}
	}
	return all
}

// readsProgram reports whether a command runs its standard input, or text it
// may have read from there.
func readsProgram(c *call) bool {
	for i := range c.d.inner {
		if in := &c.d.inner[i]; !in.remote && (in.kind == innerStdin || in.kind == innerText && !in.text.Known && in.via == "eval") {
			return true
		}
	}
	return c.cmd.Names[0] == "." && len(c.operands) > 0 && c.literalOperand(0) == "/dev/stdin"
}

// runsWords reports whether a command runs one of its words as a program text
// or script.
func runsWords(c *call) bool {
	switch c.cmd.Names[0] {
	case "eval", ".", "bash", "python", "node", "perl":
		return true
	}
	return false
}

func downloads(s *Script, i int) bool {
	switch tableName(s.Subcommands[i].Program) {
	case "curl", "wget", "wget2", "fetch", "aria2c", "http", "https", "xh", "lynx", "w3m", "lwp-request":
		return true
	}
	return false
}

// insideWord reports whether inner is a command in a substitution of one of
// outer's words.
func insideWord(outer, inner *Subcommand) bool {
	if len(inner.Via) <= len(outer.Via) {
		return false
	}
	for i := range outer.Via {
		if outer.Via[i] != inner.Via[i] {
			return false
		}
	}
	if v := inner.Via[len(outer.Via)]; v != "$()" && v != "<()" {
		return false
	}
	for i := range outer.Argv[1:] {
		w := &outer.Argv[i+1]
		if !w.Known && w.Span.Start <= inner.Span.Start && inner.Span.End <= w.Span.End {
			return true
		}
	}
	return false
}

// forkBombs finds functions that call themselves at least twice, in the
// background.
func forkBombs(s *Script) []Finding {
	var all []Finding
	for n, file := range s.files {
		if file == nil {
			continue
		}
		syntax.Walk(file, func(node syntax.Node) bool {
			f, ok := node.(*syntax.FuncDecl)
			if !ok || f.Name == nil || f.Body == nil {
				return true
			}
			if calls, background := callsOf(f.Body, f.Name.Value); calls > 1 && background > 0 {
				span := Span{0, len(s.Text)}
				if n == 0 {
					span = Span{int(f.Pos().Offset()), int(f.End().Offset())}
				}
				all = append(all, Finding{Sub: -1, Span: span})
			}
			return true
		})
	}
	return all
}

// callsOf counts the calls of a command, and those of them in the background.
func callsOf(root syntax.Node, name string) (calls, background int) {
	var path []bool // which nodes from the root to here are in the background
	syntax.Walk(root, func(node syntax.Node) bool {
		if node == nil {
			path = path[:len(path)-1]
			return false
		}
		behind := len(path) > 0 && path[len(path)-1]
		switch x := node.(type) {
		case *syntax.Stmt:
			behind = behind || x.Background
		case *syntax.CallExpr:
			if len(x.Args) > 0 && x.Args[0].Lit() == name {
				if calls++; behind {
					background++
				}
			}
		}
		path = append(path, behind)
		return true
	})
	return calls, background
}
