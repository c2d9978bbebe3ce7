package bashsafety

import "strings"

// sysCommands ask about the system and change it.
var sysCommands = []Command{
	{
		Names: []string{
			"groups", "id", "logname", "nproc", "tty", "uname", "uptime", "users", "w", "who", "whoami", "lscpu", "lsblk", "lsusb", "lspci",
			"lsmod", "free", "vmstat", "iostat", "mpstat", "sw_vers", "system_profiler", "getconf", "locale", "cal", "uuidgen", "factor", "numfmt",
			"expr", "seq", "sleep", "gseq", "printenv", "tput", "pgrep", "pidof", "ps", "pstree", "lsof", "ss", "netstat", "blkid", "findmnt", "mdfind",
			"mdls", "jot", "bc",
		},
		Title: "asks about the system, calculates or waits", Style: NoOptions, ReadOnly: true, more: askMore,
		Examples: []Example{{"ps aux", "ro"}, {"uname -a", "ro"}, {"sleep 2", "ro"}, {"seq 1 $n", "ro"}, {"lsof -i :80", "ro"},
			{"printenv PATH", "ro"}, {"printenv", ""}, {"ps auxe", ""}, {"ps -p 1 -o etime", "ro"}, {"ss -tlnp", "ro"}, {"ss -tK dst 10.0.0.1", ""},
			{"ss --ki", ""}, {"ss -nD x", "narrow"}, {"ss -f inet", "ro"}, {"lsof -nD b", ""}, {"lsof -nP -sTCP:ESTABLISHED", "ro"}, {"blkid -c x", ""}, {"blkid -o list", "ro"}},
	},
	{
		Names: []string{"arch"}, Title: "names the machine; on macOS runs a program as another", Style: StopAtOperand | SingleDash, ReadOnly: true,
		Flags: "32 64 arm64 arm64e x86_64 x86_64h i386 ppc c h help version", Values: "arch d", Opts: []Opt{{"e", HasArg, Unsafe}}, more: launchMore,
		Examples: []Example{{"arch", "ro"}, {"arch -x86_64 rm x", "arch>rm x"}, {"arch -arch arm64 make", "arch>make"}, {"arch -e A=b ls", "narrow arch>ls"}},
	},
	{
		Names:  []string{"crontab"},
		Title:  "edits the table of timed commands",
		Flags:  "-lri",
		Values: "-u",
		Opts:   []Opt{{"-e", NoArg, Executes}},
		more:   crontabMore,
		Examples: []Example{
			{"crontab -l", "ro"},
			{"crontab x", "read:x write:/var/spool/cron/crontabs/**"},
			{"crontab -", "write:/var/spool/cron/crontabs/**"},
			{"crontab -r", "delete:/var/spool/cron/crontabs/**"},
		},
	},
	{
		Names:     []string{"date", "gdate"},
		Title:     "prints or sets the time",
		Flags:     "-jnRuz utc universal rfc-email debug resolution help version",
		Values:    "-dv date rfc-3339",
		OptValues: "-I iso-8601",
		Opts:      []Opt{{"-fr file reference", HasArg, ReadsValue}, {"-s set", HasArg, Changes}},
		ReadOnly:  true,
		more:      dateMore,
		tokens:    dateTokens,
		Examples:  []Example{{"date +%F", "ro"}, {"date -s x", ""}, {"date 0101", ""}, {"date -u -d @0", "ro"}},
	},
	{
		Names:     []string{"dmesg", "journalctl"},
		Title:     "prints logs",
		Flags:     "-aefklqrtTuwxHLPpdD follow reverse no-pager catalog dmesg quiet human ctime boot list-boots",
		Values:    "-FgnoSU unit since until lines output grep priority",
		OptValues: "-b",
		Opts:      []Opt{{"-cC clear read-clear vacuum-size vacuum-time vacuum-files rotate flush sync", NoArg, Changes}},
		ReadOnly:  true,
		Examples:  []Example{{"dmesg -T", "ro"}, {"dmesg -C", ""}},
	},
	{
		Names: []string{
			"fdisk", "gdisk", "parted", "sfdisk", "sgdisk", "cfdisk", "wipefs", "mkfs", "mke2fs", "mkswap", "blkdiscard", "hdparm", "newfs", "mkdosfs",
			"fsck", "e2fsck", "tune2fs", "resize2fs", "cryptsetup", "lvremove", "vgremove", "pvremove", "mdadm", "diskpart", "zpool", "zfs", "badblocks",
			"nvme", "swapon", "swapoff",
		},
		Title: "changes disks and file systems", Style: NoOptions, more: diskMore,
		Examples: []Example{{"mkfs.ext4 /dev/sdb1", "write:/dev/sdb1"}, {"wipefs -a /dev/sda", "write:/dev/sda"}},
	},
	{
		Names:    []string{"hostname", "hostnamectl", "domainname", "dnsdomainname"},
		Title:    "prints or sets the host name",
		Flags:    "-aAdfiIsy",
		Opts:     []Opt{{"-Fb file", HasArg, Changes}},
		ReadOnly: true,
		more:     hostnameMore,
		Examples: []Example{{"hostname -f", "ro"}, {"hostname x", ""}},
	},
	{
		Names: []string{"kill", "killall", "pkill", "renice"}, Title: "sends signals", Style: NoOptions, Examples: []Example{{"kill -9 4412", ""}},
	},
	{
		Names:    []string{"open", "xdg-open", "start", "gio"},
		Title:    "opens with another program",
		Flags:    "-egnRWFt",
		Values:   "-ab",
		Operands: Reads,
		Examples: []Example{{"open x.html", "read:x.html"}},
	},
	{
		Names: []string{"permgate"}, Title: "this gate", Style: StopAtOperand, Examples: []Example{{"permgate check x", ""}},
	},
	{
		Names: []string{
			"reboot", "shutdown", "halt", "poweroff", "init", "telinit", "systemctl", "service", "launchctl", "loginctl", "update-rc.d", "chkconfig",
		},
		Title:    "changes services and the machine's state",
		Style:    NoOptions,
		more:     systemctlMore,
		Examples: []Example{{"systemctl status x", "ro"}, {"systemctl stop x", ""}, {"reboot", ""}},
	},
	{
		Names: []string{
			"mount", "umount", "modprobe", "insmod", "rmmod", "sysctl", "iptables", "nft", "ip", "ifconfig", "route", "useradd", "userdel", "usermod",
			"groupadd", "passwd", "chsh", "visudo", "diskutil", "security", "defaults", "setfacl", "chattr", "setcap", "xattr",
		},
		Title:    "changes the system",
		Style:    NoOptions,
		more:     systemMore,
		Examples: []Example{{"mount", "ro"}, {"mount /dev/sda1 /mnt", ""}, {"ip addr", "ro"}, {"ip netns exec n rm x", "narrow ip>rm x"}, {"chattr +i x", ""}},
	},
	{
		Names: []string{
			"pbcopy", "pbpaste", "clear", "reset", "stty", "notify-send", "say", "cowsay", "figlet", "sync", "yes", "ldd", "nm", "objdump",
			"readelf", "size", "c++filt", "addr2line", "otool", "lipo", "codesign", "exiftool", "identify",
		},
		Title:    "small tools",
		Style:    NoOptions,
		more:     askMore,
		Examples: []Example{{"clear", ""}, {"nm a.o", ""}},
	},
}

// askMore: the few options in this family that write, or print what programs
// were told in confidence.
func askMore(c *call) {
	name := programName(c.argv)
	if name == "printenv" && len(c.operands) == 0 {
		c.disprove(printsEnvironment)
	}
	for i := range c.argv[1:] {
		w := &c.argv[i+1]
		switch t := literalPrefix(w); name {
		case "ps":
			if showsEnvironment(c.argv, i+1) {
				c.disprove(printsEnvironment)
			}
		case "ss":
			switch {
			case !w.Known && t == "":
				c.d.readOnly = false
			case abbreviates(t, "--kill"), inCluster(t, 'K', "fAFND"):
				c.wrote = true
			case abbreviates(t, "--diag"), inCluster(t, 'D', "fAFN"):
				c.narrow(t + " writes a file")
			}
		case "lsof":
			c.wrote = c.wrote || inCluster(t, 'D', "acdFfgikLMopSrsTuxz") || !w.Known && t == ""
		case "blkid":
			c.wrote = c.wrote || inCluster(t, 'c', "oLUsTuntpSO") || inCluster(t, 'g', "ocLUsTuntpSO") || abbreviates(t, "--cache-file") ||
				abbreviates(t, "--garbage-collect") || !w.Known && t == ""
		}
	}
}

// abbreviates reports whether a word is a long option or an abbreviation of it.
func abbreviates(word, option string) bool {
	word, _, _ = strings.Cut(word, "=")
	return len(word) > 2 && strings.HasPrefix(option, word)
}

// inCluster reports whether a cluster of one-letter options holds one; behind a
// letter of values stands a value.
func inCluster(word string, letter byte, values string) bool {
	if len(word) < 2 || word[0] != '-' || word[1] == '-' {
		return false
	}
	for i := 1; i < len(word); i++ {
		if word[i] == letter {
			return true
		}
		if strings.IndexByte(values, word[i]) >= 0 {
			return false
		}
	}
	return false
}

// printsEnvironment is why what shows every variable is not proven: secrets
// stand among them, as in the files of /proc that are asked about.
const printsEnvironment = "prints the environment, where secrets stand"

// showsEnvironment reports whether the word at i makes ps print environments:
// the letter e without a dash, -E on macOS.
func showsEnvironment(argv []Word, i int) bool {
	t := literalPrefix(&argv[i])
	if strings.HasPrefix(t, "-") {
		return !strings.HasPrefix(t, "--") && strings.Contains(t, "E")
	}
	value := strings.HasPrefix(literalPrefix(&argv[i-1]), "-")
	return !argv[i].Known || !value && strings.Contains(t, "e") && strings.Trim(t, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

func crontabMore(c *call) {
	table := literal("/var/spool/cron/crontabs", &c.argv[0])
	switch w := c.operand(0); {
	case c.has("r"):
		c.touch(Delete, &table, true)
	case c.has("l"):
		c.d.readOnly = true
	case w != nil:
		c.read(w)
		c.touch(Write, &table, true)
	}
}

func dateMore(c *call) {
	for _, i := range c.operands {
		if lit := literalPrefix(&c.argv[i]); !strings.HasPrefix(lit, "+") && !c.has("j", "r", "d", "date") {
			c.wrote = true
		}
	}
}

// diskMore writes the devices among the operands.
func diskMore(c *call) {
	for i := range c.argv[1:] {
		w := &c.argv[i+1]
		if strings.HasPrefix(literalPrefix(w), "/dev/") {
			c.write(w)
		}
	}
}

func hostnameMore(c *call) { c.wrote = c.wrote || len(c.operands) > 0 }

func systemctlMore(c *call) {
	if programName(c.argv) != "systemctl" || len(c.argv) < 2 {
		return
	}
	verb := ""
	for i := range c.argv[1:] {
		switch t := literalPrefix(&c.argv[i+1]); {
		case !strings.HasPrefix(t, "-"):
			if verb == "" {
				verb = t
			}
		case inCluster(t, 'H', "tpPnos"), inCluster(t, 'M', "tpPnos"), abbreviates(t, "--host"), abbreviates(t, "--machine"), abbreviates(t, "--root"), abbreviates(t, "--image"):
			return // another machine
		}
	}
	switch verb {
	case "status", "show", "list-units", "list-unit-files", "is-active", "is-enabled", "is-failed", "cat", "list-timers", "list-sockets", "list-dependencies":
		c.d.readOnly = allKnownWords(c.argv)
	}
}

func allKnownWords(argv []Word) bool {
	for i := range argv {
		if !argv[i].Known {
			return false
		}
	}
	return true
}

func systemMore(c *call) {
	switch programName(c.argv) {
	case "mount":
		c.d.readOnly = len(c.argv) == 1
	case "ip":
		ipLaunches(c)
		for i := range c.argv[1:] {
			switch t := c.argv[i+1].Text; t {
			case "-br", "-4", "-6", "-c", "-j", "-o", "-s", "a", "addr", "address", "link", "l", "route", "r", "neigh", "show", "list", "ls":
			default:
				return
			}
		}
		c.d.readOnly = true
	}
}
