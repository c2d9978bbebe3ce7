package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// readsNamed is why a program that else only lists is not proven.
const readsNamed = "reads the file an option names"

// sysCommands ask about the system and change it.
var sysCommands = []Command{
	{
		Names: "groups id logname nproc tty uname uptime users w who whoami lscpu lsblk lsusb lsmod free vmstat " +
			"iostat mpstat sw_vers system_profiler getconf locale cal factor numfmt expr sleep pidof " +
			"pstree mdfind bc", Net: StaysHere,
		Title: "queries the system, calculates or waits", Style: NoOptions, ReadOnly: true, NoRiskyOptions: true,
		Special: &Special{Tokens: systemTokens, Integers: systemNumber},
	},
	{
		Names: "seq gseq jot", Net: StaysHere, Title: "prints numbers", Style: NoOptions, ReadOnly: true, NoRiskyOptions: true,
		Special: &Special{Endless: countsFar, Tokens: countedUp, Integers: countsNumbers},
	},
	{
		Names: "printenv", Title: "prints variables", Style: NoOptions, ReadOnly: true,
		Forms: []Form{{"NAME...:" + secretNames, Disproves, "prints a variable whose name suggests a secret"}, {"**:-* $", Disproves, printsEnvironment}},
	},
	{
		Names: "uuidgen", Net: StaysHere, Title: "makes an identifier", Flags: "-rtmsxhVcd167 random time md5 sha1 hex help version", Values: "-nN namespace name",
		Opts: []Opt{{"-o", HasArg, Changes}}, ReadOnly: true, KnownWords: true, // a file, of FreeBSD
	},
	{Names: "mdls", Title: "lists what macOS knows of a file", Style: NoOptions, Forms: []Form{{"NAME...:-p*|--p*", Changes, ""}}, ReadOnly: true}, // -plist FILE
	// A terminal's initialisation may name a program and files: terminfo(5).
	{Names: "tput", Title: "asks about the terminal", Style: NoOptions, Forms: []Form{{"** init|reset|-S", Changes, ""}}, ReadOnly: true, KnownWords: true},
	{
		Names: "netstat", Title: "lists connections", Values: "-AfILMNpqw protocol",
		Flags: "-46abBcCdDeEFgGhijkKlmnoPQrRsStTuUvVWxXyZ all continuous context extend fib groups help inet inet6 interfaces listening masquerade numeric " +
			"numeric-hosts numeric-ports numeric-users programs raw route sctp statistics symbolic tcp timers udp udplite unix verbose version wide",
		Opts: []Opt{{"-z", NoArg, Changes}}, ReadOnly: true, // sets the counters back, of BSD
	},
	{
		Names: "lspci", Title: "lists devices", Flags: "-mtvkxnbDPMGV version help", Values: "-sdA",
		// -q and -Q ask a server and keep what it says, -O and -H set how it looks.
		Opts: []Opt{{"-qQ", NoArg, Changes}, {"-OH", HasArg, Changes}, {"-ipF", HasArg, Reads}}, ReadOnly: true,
	},
	{
		Names: "blkid", Title: "tells what is on a disk", Flags: "-dDhiklpvV no-encoding no-part-details help info list-filesystems list-one probe version",
		Values: "-HLnoOsStTuU hint label match-types output offset match-tag size match-token usages uuid",
		Opts:   []Opt{{"-cw cache-file", HasArg, Changes}, {"-g garbage-collect", NoArg, Changes}}, ReadOnly: true,
	},
	{
		Names: "pgrep", Net: StaysHere, Title: "finds processes", Flags: "-acfilLnovwxAhV list-name list-full inverse lightweight count full ignore-case newest oldest exact logpidfile",
		Values: "-dgGPstuU delimiter pgroup group parent session terminal euid uid ns nslist cgroup older runstates", Opts: []Opt{{"-F pidfile", HasArg, Reads}},
		Forms: []Form{{"-F|--pidfile", Disproves, readsNamed}}, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "findmnt", Net: StaysHere, Title: "finds mounts", Flags: "-aAbcCDefhiJklmnpPrRsuUvVxy all ascii bytes evaluate first-only json list noheadings output-all raw submounts tree",
		Values: "-dMNoOStTw direction mountpoint task output options source types target timeout", Opts: []Opt{{"-F tab-file", HasArg, Reads}},
		Forms: []Form{{"-F|--tab-file", Disproves, readsNamed}}, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "arch", Net: StaysHere, Title: "prints the architecture; on macOS runs a program for another one", Style: StopAtOperand | SingleDash, ReadOnly: true,
		Flags: "32 64 arm64 arm64e x86_64 x86_64h i386 ppc c h help version", Values: "arch d", Opts: []Opt{{"e", HasArg, Unsafe}}, RunsRest: true,
	},
	{
		Names: "crontab", Special: &Special{Language: crontabText}, Title: "edits a crontab", Flags: "-lri", Values: "-u",
		Opts: []Opt{{"-e", NoArg, Executes}}, Forms: []Form{
			{"-l !-r", Proves, ""}, {"-r >/var/spool/cron/crontabs/", Deletes, ""}, {"!-r|-l FILE", Reads, ""},
			{"!-r|-l * >/var/spool/cron/crontabs/", Writes, ""}, {"!-r|-l|-e $ >/var/spool/cron/crontabs/", Writes, ""},
		},
	},
	{
		Names: "date gdate", Net: StaysHere, Title: "prints or sets the time",
		Flags: "-jnRuz utc universal rfc-email debug resolution help version", Values: "-dv date rfc-3339", OptValues: "-I iso-8601",
		Opts: []Opt{{"-fr file reference", HasArg, Reads}, {"-s set", HasArg, Changes}}, ReadOnly: true, Forms: []Form{{"!-j FILE...:^+*", Changes, ""}}, // BSD sets the time with -r too
		Special: &Special{Tokens: DateTokens, Integers: dateNumber},
	},
	{
		Names: "fdisk gdisk parted sfdisk sgdisk cfdisk wipefs mkfs mke2fs mkswap blkdiscard hdparm newfs mkdosfs " +
			"fsck e2fsck tune2fs resize2fs cryptsetup lvremove vgremove pvremove mdadm diskpart zpool zfs " +
			"badblocks nvme swapon swapoff nwipe scrub ventoy woeusb pvcreate",
		Title: "changes disks and file systems", Style: NoOptions, refine: refineDisk,
		Special: &Special{Losses: []Loss{
			{Of: OfVolumes, Names: "zfs", Dry: "n", Flags: "-rRvp", Verbs: []string{"destroy|rollback"}},
			{Of: OfVolumes, Names: "zpool", Dry: "n", Verbs: []string{"destroy|labelclear|remove|detach|offline"}},
			{Of: OfVolumes, Names: "mdadm", Verbs: []string{" --stop|-S", " --remove|-r", " --fail|-f", " --zero-superblock"}, Values: "-lnc"},
			{Of: OfVolumes, Names: "cryptsetup", Values: "-dSck", Verbs: []string{"erase|luksErase|luksKillSlot|luksRemoveKey|luksFormat|reencrypt"}},
			{Of: OfVolumes, Names: "nvme", Verbs: []string{"delete-ns|format|sanitize|detach-ns"}}}},
	},
	{
		Names: "hostname domainname dnsdomainname", Title: "prints or sets the host name", Flags: "-aAdfiIsy",
		Opts: []Opt{{"-Fb file", HasArg, Changes}}, ReadOnly: true, Bare: true,
	},
	{Names: "killall pkill renice", InfoFlags: "--help --version", Title: "sends signals", Style: NoOptions, NoRiskyOptions: true},
	{
		Names: "start cygstart wt conhost gsudo psexec psexec64 nircmd", Title: "opens a file, or runs a program in a window or as another user",
		Operands: Reads, refine: refineStart,
	},
	{
		Names: "open xdg-open gio", Title: "opens with another program", Flags: "-egnRWFt", Values: "-ab",
		Operands: Reads,
	},
	{Names: "permgate", Title: "permgate", Style: StopAtOperand},
	{
		Names: "reboot shutdown halt poweroff init telinit update-rc.d chkconfig",
		Title: "changes services and the machine's state", Style: NoOptions,
		Special: &Special{Losses: []Loss{
			{Of: OfPower, Names: "shutdown", Dry: "show k", Values: "-th", Verbs: []string{" !-c"}, Spares: []string{"/a", "** /a"}},
			{Of: OfPower, Names: "reboot halt poweroff", Dry: "wtmp-only w", Flags: "-h", Verbs: []string{""}},
			{Of: OfPower, Names: "init telinit", Verbs: []string{"0|1|6|s|S|single $"}}}},
	},
	{
		Names: "umount modprobe insmod rmmod useradd userdel usermod groupadd passwd chsh visudo",
		Title: "changes the system", Style: NoOptions,
		Special: &Special{Losses: []Loss{
			{Of: OfAccounts, Names: "usermod", Verbs: []string{" -L|--lock"}},
			{Of: OfAccounts, Names: "passwd", Verbs: []string{" -d|--delete", " -l|--lock"}},
			{Of: OfVolumes, Names: "umount", Values: "-tO types test-opts", Verbs: []string{" -a|--all"}}}},
	},
	{
		Names: "security", Title: "manages the keychains of macOS", Style: NoOptions,
		Special: &Special{Credentials: []Credential{{"security find-generic-password|find-internet-password -w|-g", "*"}, {"security dump-keychain|export", ""}}},
	},
	{
		Names: "pbpaste", Title: "prints the clipboard of macOS", Style: NoOptions,
		Special: &Special{Credentials: []Credential{{"pbpaste", ""}}},
	},
	{
		Names: "pbcopy clear reset stty notify-send say figlet sync yes ldd otool lipo codesign " +
			"identify",
		Title: "small tools", Style: NoOptions,
	},
}

// secretNames are what variables are called that hold a secret.
const secretNames = "*_KEY|*_PAT|*_PASS|*SECRET*|*TOKEN*|*PASSWORD*|*PASSWD*|*PASSPHRASE*|" +
	"*API_KEY*|*APIKEY*|*ACCESS_KEY*|*PRIVATE_KEY*|*CREDENTIAL*"

func secretName(name string) bool { return wordFits(secretNames, &shell.Word{Text: name, Known: true}) }

func endsWithAny(text string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(text, end) })
}

// abbreviates reports whether a word is a long option or an abbreviation of it.
func abbreviates(word, option string) bool {
	word, _, _ = strings.Cut(word, "=")
	return len(word) > 2 && strings.HasPrefix(option, word)
}

// inCluster reports whether a cluster of one-letter options holds one; after a
// letter of values comes a value.
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
// are among them, as in the files of /proc that are asked about.
const printsEnvironment = "prints the environment, which may hold secrets"

// TellsEnvironment reports whether a command shows every variable.
func (f *Facts) TellsEnvironment() bool { return f.Proof.Why() == printsEnvironment }

// refineDisk writes the devices among the operands, and with wipefs every file.
func refineDisk(c *Invocation) {
	if name := ProgramName(c.Argv); makesFileSystem(name) && !ChangesDisk(c.Argv) || ListsDisk(c.Argv) {
		return
	}
	erases := TableName(ProgramName(c.Argv)) == "wipefs"
	for i := 1; i < len(c.Argv); i++ {
		switch w := &c.Argv[i]; {
		case erases && strings.HasPrefix(w.Text, "-"):
			if wipefsTakesValue(w.Text) {
				i++
			}
		case erases, strings.HasPrefix(shell.LiteralPrefix(w), "/dev/"):
			c.write(w)
		}
	}
}

// wipefsTakesValue reports whether the word after an option of wipefs is its value.
func wipefsTakesValue(option string) bool {
	if strings.HasPrefix(option, "--") {
		return shell.Among("--offset --output --types", option)
	}
	return strings.IndexAny(option, "oOt") == len(option)-1
}

func makesFileSystem(name string) bool {
	return shell.Among("mkfs mke2fs mkswap mkdosfs newfs wipefs blkdiscard nwipe scrub ventoy woeusb pvcreate",
		TableName(name))
}

// ChangesDisk reports whether a program that makes file systems or removes their
// signatures does it: without one to remove, wipefs lists, and the makers of
// ext file systems have a trial run.
func ChangesDisk(argv []shell.Word) bool {
	name := ProgramName(argv)
	if !makesFileSystem(name) {
		return false
	}
	switch {
	case TableName(name) == "wipefs":
		return wordsHave(argv[1:], "ao", "--all", "--offset") && !wordsHave(argv[1:], "n", "--no-act")
	case strings.HasPrefix(name, "mkfs.ext"), name == "mke2fs", name == "mkfs" && makesExt(argv):
		return !wordsHave(argv[1:], "n")
	case name == "ventoy":
		return wordsHave(argv[1:], "iI")
	case name == "mkfs.xfs":
		return !wordsHave(argv[1:], "N")
	}
	return true
}

// makesExt reports whether mkfs is told to make an ext file system, as it does by itself.
func makesExt(argv []shell.Word) bool {
	for i := range argv[1:] {
		if argv[i].Text == "-t" || argv[i].Text == "--type" {
			return strings.HasPrefix(argv[i+1].Text, "ext")
		}
	}
	return true
}

// wordsHave reports whether one of the letters or long options is there.
func wordsHave(argv []shell.Word, letters string, long ...string) bool {
	for i := range argv {
		t := argv[i].Text
		if len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.ContainsAny(t[1:], letters) {
			return true
		}
		for _, l := range long {
			if t == l || strings.HasPrefix(t, l+"=") {
				return true
			}
		}
	}
	return false
}

// ListsDisk reports whether a program that partitions only shows what there is.
func ListsDisk(argv []shell.Word) bool {
	switch name := TableName(ProgramName(argv)); name {
	case "fdisk", "sfdisk", "gdisk", "cfdisk":
		return wordsHave(argv[1:], "lx", "--list", "--list-details", "--dump", "--json") ||
			name == "sfdisk" && wordsHave(argv[1:], "dJ")
	case "sgdisk":
		return len(argv) > 1 && !slices.ContainsFunc(argv[1:], sgdiskChanges)
	case "parted":
		return partedLists(argv[1:])
	}
	return false
}

func sgdiskChanges(w shell.Word) bool {
	t := w.Text
	looks := strings.HasPrefix(t, "-i") || shell.Among("-p --print -v --verify -O --info", t)
	return strings.HasPrefix(t, "-") && !looks
}

func partedLists(args []shell.Word) bool {
	shows := false
	for i := range args {
		switch t := args[i].Text; {
		case strings.HasPrefix(t, "-"), strings.HasPrefix(t, "/dev/"):
		case shell.Among("print p unit", t):
			shows = true
		case !shows, !shell.Among("all free list devices number s S B MB MiB GB GiB KB KiB TB TiB compact", t):
			return false
		}
	}
	return shows
}
