package bashsafety

import "strings"

// sysCommands ask about the system and change it.
var sysCommands = []Command{
	{
		Names: []string{
			"groups", "id", "logname", "nproc", "tty", "uname", "uptime", "users", "w", "who", "whoami", "lscpu", "lsblk", "lsusb", "lspci",
			"lsmod", "free", "vmstat", "iostat", "mpstat", "sw_vers", "system_profiler", "getconf", "locale", "cal", "uuidgen", "factor", "numfmt",
			"expr", "seq", "sleep", "gseq", "printenv", "tput", "pgrep", "pidof", "pstree", "netstat", "blkid", "findmnt", "mdfind",
			"mdls", "jot", "bc",
		},
		Title: "asks about the system, calculates or waits", Style: NoOptions, ReadOnly: true, more: askMore,
		Examples: []Example{{"uname -a", "ro"}, {"sleep 2", "ro"}, {"seq 1 $n", "ro"},
			{"printenv PATH", "ro"}, {"printenv", ""}, {"printenv -0", ""}, {"uuidgen -o x", ""}, {"mdls -plist x f", ""}, {"tput init", ""}, {"tput cols", "ro"},
			{"blkid -c x", ""}, {"blkid -o list", "ro"}, {"netstat -rn", "ro"}, {"netstat -z", ""}, {"lspci -q", ""}, {"lspci -nnk", "ro"}},
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
			{"crontab -", "write:/var/spool/cron/crontabs/**"}, {"crontab", "write:/var/spool/cron/crontabs/**"}, {"crontab -e", "narrow"},
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
		Examples:  []Example{{"date +%F", "ro"}, {"date -s x", ""}, {"date 0101", ""}, {"date -r 0 0101", "read:0"}, {"date -j -f %s 0 +%F", "ro read:%s"}, {"date -u -d @0", "ro"}},
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
		Names:    []string{"hostname", "domainname", "dnsdomainname"},
		Title:    "prints or sets the host name",
		Flags:    "-aAdfiIsy",
		Opts:     []Opt{{"-Fb file", HasArg, Changes}},
		ReadOnly: true,
		more:     hostnameMore,
		Examples: []Example{{"hostname -f", "ro"}, {"hostname x", ""}},
	},
	{
		Names: []string{"killall", "pkill", "renice"}, Title: "sends signals", Style: NoOptions, Examples: []Example{{"pkill -9 x", ""}},
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
			"reboot", "shutdown", "halt", "poweroff", "init", "telinit", "update-rc.d", "chkconfig",
		},
		Title:    "changes services and the machine's state",
		Style:    NoOptions,
		Examples: []Example{{"reboot", ""}},
	},
	{
		Names: []string{
			"umount", "modprobe", "insmod", "rmmod", "useradd", "userdel", "usermod",
			"groupadd", "passwd", "chsh", "visudo", "security",
		},
		Title:    "changes the system",
		Style:    NoOptions,
		Examples: []Example{{"useradd x", ""}, {"modprobe x", ""}},
	},
	{
		Names: []string{
			"pbcopy", "pbpaste", "clear", "reset", "stty", "notify-send", "say", "cowsay", "figlet", "sync", "yes", "ldd",
			"otool", "lipo", "codesign", "exiftool", "identify",
		},
		Title:    "small tools",
		Style:    NoOptions,
		more:     askMore,
		Examples: []Example{{"clear", ""}, {"stty sane", ""}},
	},
}

// askMore: the few options in this family that write, or print what programs
// were told in confidence.
func askMore(c *call) {
	name := programName(c.argv)
	named := false
	for i := range c.argv[1:] {
		w := &c.argv[i+1]
		switch t := literalPrefix(w); name {
		case "printenv":
			named = named || t != "" && t[0] != '-' || w.Single && w.NoDash
		case "uuidgen": // -o of FreeBSD names a file
			c.wrote = c.wrote || inCluster(t, 'o', "nN") || !w.Known
		case "mdls": // -plist FILE
			c.wrote = c.wrote || strings.HasPrefix(t, "-p") || strings.HasPrefix(t, "--p") || !w.Known && t == ""
		case "tput": // a terminal's initialisation may name a program and files: terminfo(5)
			c.wrote = c.wrote || t == "init" || t == "reset" || t == "-S" || !w.Known
		case "netstat": // -z of BSD sets the counters back
			c.wrote = c.wrote || inCluster(t, 'z', "AfILMNpqw") || !w.Known && t == ""
		case "lspci": // -q and -Q ask a server and keep what it says
			c.wrote = c.wrote || inCluster(t, 'q', "sdioPpAOH") || inCluster(t, 'Q', "sdioPpAOH") || !w.Known && t == ""
		case "blkid":
			c.wrote = c.wrote || inCluster(t, 'c', "oLUsTuntpSO") || inCluster(t, 'g', "ocLUsTuntpSO") || abbreviates(t, "--cache-file") ||
				abbreviates(t, "--garbage-collect") || !w.Known && t == ""
		}
	}
	if name == "printenv" && !named {
		c.disprove(printsEnvironment)
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
const printsEnvironment = "prints the environment, which may hold secrets"

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
	case !c.has("e"): // the table comes from standard input
		c.touch(Write, &table, true)
	}
}

func dateMore(c *call) {
	for _, i := range c.operands {
		if lit := literalPrefix(&c.argv[i]); !strings.HasPrefix(lit, "+") && !c.has("j") { // BSD sets the time with -r too
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

func allKnownWords(argv []Word) bool {
	for i := range argv {
		if !argv[i].Known {
			return false
		}
	}
	return true
}
