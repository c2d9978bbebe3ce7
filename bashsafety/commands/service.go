package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// What the programs of systemd that ask and set one thing have in common.
const (
	systemdFlags = "-alq all full quiet no-pager no-legend no-ask-password value json static transient pretty " +
		"reverse user system verbose help version"
	systemdValues = "-pnotSUSA property lines output signal since until type"
)

var systemdOpts = []Opt{{"-HM host machine address", HasArg, Unsafe}, {"-D directory", HasArg, Unsafe}}

var systemdSubs = []Command{
	{
		Names: "status show list-sessions session-status show-session list-users user-status show-user list-seats " +
			"seat-status show-seat list-timezones timesync-status show-timesync list-locales list-keymaps " +
			"statistics list info",
		ReadOnly: true,
	},
	{Names: "query", ReadOnly: true, Operands: Sends},
	{Names: "*"},
}

// plainWords are words that neither set nor clear anything and write no file, in the options that several programs
// share.
const plainWords = "**:^-C*|-S*|-dump*|--dump-b*|--d|--du|--dum|--s|--se|--set*|--c|--cl|--cle|--clea|--clear*|" +
	"--d=*|--du=*|--dum=*|--dump=*|--s=*|--se=*|--c=*|--cl=*|--cle=*|--clea=*"

// The options of chattr, setfacl and setfattr.
const (
	attributeFlags  = "-RVfbkdPL"
	attributeValues = "-vpnmxvh modify remove"
)

var attributeOpts = []Opt{{"-MX restore modify-file remove-file", HasArg, Reads}}

// serviceCommands are the programs that look after services, logs, the network and what the machine is made of.
var serviceCommands = []Command{
	{
		Names: "systemctl", Title: "manages services", ReadOnly: true,
		Flags: "-alqrifv all full quiet no-pager no-legend user system plain failed recursive reverse value show-types no-ask-password " +
			"global now force runtime after before no-block no-wall wait no-reload mkdir marked with-dependencies show-transaction " +
			"version help no-warn",
		Values: "-tpnos type state property lines output signal kill-whom kill-who job-mode what timestamp check-inhibitors preset-mode when message boot-loader-entry",
		Opts:   []Opt{{"-HM host machine root image image-policy", HasArg, Unsafe}, {"firmware-setup", OptArg, Unsafe}, {"-P", HasArg, 0}},
		Subs: []Command{
			{
				Names: "status show cat is-active is-enabled is-failed is-system-running list-units list-unit-files " +
					"list-timers list-sockets list-dependencies list-jobs list-machines list-automounts list-paths " +
					"get-default",
				ReadOnly: true,
			},
			{Names: "edit link set-environment import-environment", Forms: []Form{{"", Narrows, "it changes what services run"}}},
			{Names: "*"},
		},
		Special: &Special{Losses: []Loss{{
			Of: OfServices, Dry: "dry-run",
			Verbs: []string{
				"stop|disable|mask|kill|isolate|exit|clean|revert|preset-all !--user",
				"poweroff|reboot|halt|kexec|soft-reboot|rescue|emergency|suspend|hibernate|hybrid-sleep|suspend-then-hibernate",
			},
		}}},
	},
	{Names: "service", Title: "runs the script of a service", Flags: "status-all", Style: StopAtOperand, Forms: []Form{{"!--status-all !~/ * status $", Proves, ""}}, KnownWords: true},
	{
		Names: "launchctl", Title: "manages services of macOS", Style: StopAtOperand,
		Subs: []Command{
			{
				Names: "list print print-disabled print-cache blame managername managerpid manageruid version error " +
					"hostinfo", ReadOnly: true,
			},
			{Names: "load bootstrap", Flags: "-wF", Values: "-SD", Operands: Reads},
			{Names: "asuser bsexec", Style: NoOptions, Forms: []Form{{"* COMMAND", Runs, "it runs a command"}}},
			{Names: "submit", Flags: "-l", Forms: []Form{{"-- COMMAND", Runs, "it runs a command"}}},
			{Names: "*", Style: NoOptions},
		},
		Special: &Special{Losses: []Loss{{
			Of: OfServices, Verbs: []string{"bootout|unload|remove|disable|kill|stop|reboot"}, Flags: "-wF", Values: "-SD",
			Spares: []string{"bootout|disable gui/*|user/*", "kill * gui/*|user/*", "unload *LaunchAgents*"},
		}}},
	},
	{
		Names: "journalctl", Title: "prints logs", ReadOnly: true,
		Flags: "-aefklqrxNmW0123456789 follow reverse no-pager catalog dmesg quiet no-hostname utc merge system user all full no-full " +
			"pager-end list-boots disk-usage verify fields header no-tail truncate-newline list-catalog dump-catalog version help " +
			"list-invocations",
		Values:    "-FgoSUuptcTI unit user-unit since until output grep priority identifier facility cursor after-cursor field case-sensitive output-fields namespace interval exclude-identifier",
		OptValues: "-bn boot lines",
		Opts: []Opt{
			{"vacuum-size vacuum-time vacuum-files", HasArg, Changes}, {"rotate flush sync relinquish-var smart-relinquish-var setup-keys update-catalog force", NoArg, Changes},
			{"cursor-file", HasArg, WritesValue}, {"-M machine root image image-policy verify-key", HasArg, Unsafe}, {"-iD file directory", HasArg, Reads}, {"-h", NoArg, 0},
		},
	},
	{
		Names: "dmesg", Title: "prints the messages of the kernel", ReadOnly: true,
		Flags:  "-dehHkLPrSTtuwWx human kernel noescape force-prefix nopager raw syslog ctime notime userspace follow follow-new decode show-delta reltime help version json since until color",
		Values: "-fls facility level buffer-size time-format", OptValues: "",
		Opts: []Opt{{"-cCDE clear read-clear console-off console-on", NoArg, Changes}, {"-n console-level", HasArg, Changes}, {"-FK file kmsg-file", HasArg, Reads}},
	},
	{
		Names: "coredumpctl", Title: "asks what systemd keeps of crashes", Flags: systemdFlags, Values: systemdValues, Opts: systemdOpts,
		ReadOnly: true, Subs: systemdSubs, Forms: []Form{{"-o|--output=PATH", WritesValue, ""}},
	},
	{
		Names: "loginctl timedatectl hostnamectl localectl resolvectl networkctl busctl", Title: "queries or sets systemd's settings",
		Flags: systemdFlags, Values: systemdValues, Opts: systemdOpts, ReadOnly: true, Subs: systemdSubs,
		Special: &Special{Losses: []Loss{
			{Of: OfServices, Names: "loginctl", Verbs: []string{"terminate-*|kill-*|poweroff|reboot|halt|suspend|hibernate"}},
			{Of: OfNetwork, Names: "networkctl", Verbs: []string{"down|delete"}}}},
	},
	{
		Names: "ip", Title: "shows and changes the network", Style: NoOptions, ReadsSome: true, KnownWords: true, refine: refineIp,
		Special: &Special{Losses: []Loss{
			{
				Of: OfNetwork, Values: "-nfbd netns family batch", Style: SingleDash, Flags: "4 6 s d br brief color",
				Verbs: []string{"* d|de|del|dele|delet|delete|f|fl|flu|flus|flush", "l|li|lin|link s|se|set ** down"},
			},
		}},
	},
	{
		Names: "ifconfig", Title: "shows and changes the network", Style: SingleDash, Flags: "a v s n e N 4 6 l",
		Forms: []Form{{"!-- $", Proves, ""}, {"!-- ^- $", Proves, ""}}, KnownWords: true,
		Special: &Special{Losses: []Loss{{Of: OfNetwork, Style: SingleDash, Verbs: []string{"* down|delete|destroy", " -alias", "* * delete"}}}},
	},
	{
		Names: "route", Title: "shows and changes the routes", Style: SingleDash, Flags: "a v s n e N 4 6 l",
		Forms: []Form{{"!-- $", Proves, ""}, {"!-- get **:^- $", Proves, ""}}, KnownWords: true,
		Special: &Special{Losses: []Loss{{Of: OfNetwork, Flags: "-n", Verbs: []string{"del|delete|flush", "-n del|delete|flush"}}}},
	},
	{Names: "arp", Title: "shows and changes addresses", Style: SingleDash, Flags: "a v s n e N 4 6 l", Forms: []Form{{"!-- $", Proves, ""}}, KnownWords: true},
	{
		Names: "iptables ip6tables ebtables arptables", Title: "shows and changes the packet filter",
		Flags: "-nvx4 numeric verbose exact line-numbers", Values: "-t table", OptValues: "-LSw list list-rules wait", Opts: []Opt{{"-M modprobe", HasArg, Executes}}, Forms: []Form{{"-L|-S|--list|--list-rules", Proves, ""}}, KnownWords: true,
	},
	{Names: "iptables-save ip6tables-save", Title: "prints the packet filter", Opts: []Opt{{"-M modprobe", HasArg, Executes}, {"-f file", HasArg, Writes}}},
	{
		Names: "nft", Title: "shows and changes the packet filter", Flags: "-ajnNsSpyt handle json numeric stateless terse", Opts: []Opt{{"-fID file includepath define", HasArg, Unsafe}, {"-i interactive", NoArg, Unsafe}},
		Subs: []Command{
			{Names: "list", ReadOnly: true, Style: NoOptions, refine: refineNft},
			{Names: "*", Style: NoOptions, refine: refineNft},
		},
		Special: &Special{Losses: []Loss{{Of: OfNetwork, Dry: "check c", Verbs: []string{"flush|delete|destroy|reset"}}}},
	},
	{
		Names: "ufw", Title: "shows and changes the packet filter", Style: NoOptions, Forms: []Form{{"status|version", Proves, ""}}, KnownWords: true,
		Special: &Special{Losses: []Loss{{Of: OfNetwork, Dry: "dry-run", Verbs: []string{"disable|reset|delete", "route delete"}}}},
	},
	{
		Names: "firewall-cmd", Title: "shows and changes the packet filter", Style: NoOptions, KnownWords: true,
		Forms:   []Form{{"**:--list-*|--get-*|--zone=*|--state|--permanent $", Proves, ""}, {"$", Disproves, ""}},
		Special: &Special{Losses: []Loss{{Of: OfNetwork, Values: "zone", Flags: "permanent", Verbs: []string{" --remove-*", " --panic-on", " --delete-*"}}}},
	},
	{Names: "pfctl", Title: "shows and changes the packet filter", Style: NoOptions, Special: &Special{Losses: []Loss{{Of: OfNetwork, Values: "-afiktTKsDoF", Verbs: []string{" -d", " -F"}}}}},
	{
		Names: "sysctl", Title: "prints and sets parameters of the kernel", Flags: "-aAbeinNqoxdX all names values ignore quiet binary deprecated dry-run", Values: "-r pattern",
		Opts: []Opt{{"-w write system", NoArg, Changes}, {"-pf load", OptArg, Changes}}, ReadOnly: true, refine: refineSysctl,
	},
	{Names: "mount", Title: "shows and mounts file systems", Flags: "-lV show-labels version", Operands: ModeWrites, ReadsSome: true, Bare: true},
	{Names: "kill", Title: "sends signals", Style: NoOptions, ReadsSome: true, NoRiskyOptions: true, refine: refineKill},
	{Names: "ps", Title: "lists processes", Style: NoOptions, ReadsSome: true, NoRiskyOptions: true, refine: refinePs},
	{Names: "lsof", Title: "lists open files", Style: NoOptions, ReadsSome: true, refine: refineLsof},
	{
		Names: "ss", Title: "lists sockets", ReadOnly: true,
		Flags: "-anrlBoemTpsiEZzNbhVMt4u6wxdOHSQ0 numeric resolve listening all options extended memory processes threads info tos " +
			"cgroup events context contexts summary tipcinfo bpf help version ipv4 ipv6 packet tcp mptcp sctp udp dccp raw unix tipc " +
			"vsock xdp inet-sockopt oneline no-header no-queues bound-inactive",
		Values: "-fA family query socket net", Opts: []Opt{{"-K kill", NoArg, Changes}, {"-D diag", HasArg, WritesValue}, {"-F filter", HasArg, Reads}},
	},
	{
		// Only the forms that end by themselves.
		Names: "top", Title: "watches processes", Style: NoOptions, Forms: []Form{{"** -b*|-l*", Proves, ""}}, KnownWords: true,
	},
	{Names: "htop atop btop", Title: "watches processes", Style: NoOptions},
	{
		Names: "last lastb lastlog hostid pmap pwdx lsns lslocks lsipc lslogins lsmem ipcs lshw dmidecode getfacl " +
			"lsattr getcap getfattr numastat acpi lsscsi",
		Title: "queries the system", Style: NoOptions, Forms: []Form{{plainWords + " $", Proves, ""}}, KnownWords: true,
	},
	{Names: "sar", Title: "reports what the machine did", Style: NoOptions, Forms: []Form{{plainWords + "|-o* $", Proves, ""}}, KnownWords: true},
	{Names: "pidstat", Title: "reports what processes do", Style: NoOptions, Forms: []Form{{plainWords + "|-e* $", Proves, ""}}, KnownWords: true, refine: refinePidstat},
	{Names: "sensors", Title: "reads the sensors", Flags: "-Afhjuv no-adapter fahrenheit help version bus-list allow-no-sensors", Opts: []Opt{{"-c config-file", HasArg, Reads}, {"-s set", NoArg, Changes}}, ReadOnly: true, KnownWords: true},
	{Names: "inxi", Title: "queries the system", Style: NoOptions, Forms: []Form{{plainWords + " $", Proves, ""}}, KnownWords: true, refine: refineInxi},
	{Names: "chattr", Title: "changes attributes of files", Flags: attributeFlags, Values: attributeValues, Opts: attributeOpts, refine: refineChattr},
	{Names: "setcap", Title: "changes attributes of files", Flags: "-fqv", Values: "-n", Opts: []Opt{{"-r", NoArg, GivesPattern}}, Operands: ModeWrites},
	{Names: "chflags", Title: "changes flags of files on macOS", Flags: "-HLPfhvx", Opts: []Opt{{"-R", NoArg, Recurses}}, Operands: ModeWrites},
	{Names: "hdiutil", Title: "makes and mounts disk images of macOS", Style: SingleDash, Values: "srcfolder srcdir", Forms: []Form{{"-srcfolder|-srcdir=DIR", Reads, ""}}},
	{
		Names: "setfacl setfattr", Title: "changes attributes of files", Flags: attributeFlags, Values: attributeValues, Opts: attributeOpts,
		refine: func(c *Invocation) { c.changesAttributes(c.Operands) },
	},
	{
		Names: "defaults", Title: "reads and writes preferences of macOS", Style: StopAtOperand, Flags: "-currentHost", Subs: []Command{{Names: "read read-type domains find help", ReadOnly: true, Flags: "-app", Forms: []Form{{"FILE:*/*", Reads, ""}}}, {Names: "*", Style: NoOptions}},
	},
	{
		Names: "plutil", Title: "prints, checks and changes property lists", Style: SingleDash, ReadOnly: true, Flags: "p lint s help",
		Operands: Reads, Files: true, refine: refinePlutil,
	},
	{Names: "PlistBuddy", Title: "prints and changes property lists", Style: SingleDash, Flags: "xlh", Values: "c", Operands: Reads, Files: true, Forms: []Form{{"-c=^Print*|print* ** FILE $", Writes, ""}}},
	{Names: "ioreg", Title: "lists the devices of macOS", Flags: "-abfilrtxy", Values: "-cdknpw", ReadOnly: true, Operands: Words},
	{Names: "xcode-select", Title: "queries and sets which Xcode is used", Style: NoOptions, InfoFlags: "-p --print-path -v --version -h --help"},
	{
		Names: "diskutil", Title: "lists and changes the disks of macOS", Style: NoOptions, Forms: []Form{{"list|info|activity", Proves, ""}}, KnownWords: true,
		Special: &Special{Losses: []Loss{{Of: OfVolumes, Verbs: []string{"apfs deleteVolume|deleteContainer|deleteVolumeGroup|deleteSnapshot", "ap* delete*", "eraseDisk|eraseVolume|secureErase|zeroDisk"}}}},
	},
	{Names: "pmset", Title: "asks and sets when macOS sleeps", Style: NoOptions, Forms: []Form{{"-g", Proves, ""}}, KnownWords: true},
	{Names: "scutil", Title: "asks and sets the network of macOS", Style: NoOptions, Forms: []Form{{"--dns|--proxy|--nwi|--get", Proves, ""}}, KnownWords: true},
	{
		Names: "networksetup systemsetup", Title: "queries and sets parts of macOS", Style: NoOptions, Forms: []Form{{"-list*|-get*", Proves, ""}}, KnownWords: true,
		Special: &Special{Losses: []Loss{{Of: OfPower, Names: "systemsetup", Style: SingleDash, Verbs: []string{" -setremotelogin=off"}, Values: "setremotelogin"}}},
	},
	{Names: "softwareupdate", Title: "lists and installs updates of macOS", Style: NoOptions, Forms: []Form{{"-l|--list|--history $", Proves, ""}}, KnownWords: true},
	{Names: "csrutil", Title: "asks and sets what macOS protects", Style: NoOptions, Forms: []Form{{"status", Proves, ""}}, KnownWords: true},
	{Names: "spctl", Title: "asks and sets what macOS lets run", Style: NoOptions, Forms: []Form{{"--status $", Proves, ""}, {"--assess **:--verbose|--raw|--type|^--* $", Proves, ""}}, KnownWords: true},
	{
		Names: "tmutil", Title: "asks about and makes backups of macOS", Style: NoOptions, Forms: []Form{{"list*|status|latestbackup|destinationinfo", Proves, ""}}, KnownWords: true,
		Special: &Special{Losses: []Loss{{Of: OfBackup, Verbs: []string{"delete|deletelocalsnapshots|deleteinprogress|disable|thinlocalsnapshots"}}}},
	},
	{Names: "xattr", Title: "lists and changes attributes of files", Style: NoOptions, Forms: []Form{{"-l|-p **:^-* $", Proves, ""}, {"^-* $", Proves, ""}}, KnownWords: true},
}

// refinePlutil: every verb but these may rewrite the file it names last.
func refinePlutil(c *Invocation) {
	if n := len(c.Operands); n > 0 && len(c.Unknown) > 0 {
		c.write(c.Operand(n - 1))
	}
}

// refineIp: an object without a verb, or with one that shows: ip(8). Words may be abbreviated.
func refineIp(c *Invocation) {
	words, ok := c.ipOptions(c.Argv[1:])
	if !ok {
		c.Disprove("")
		return
	}
	c.ipLaunches(words)
	c.disproveIf(len(words) == 0 || !ipShows(words))
}

// ipPlain are options of ip that say how something is shown, ipValued those with
// a value; ipObjects are what it shows, abbreviated or not.
const (
	ipPlain = "4 6 0 s stats statistics d details br brief c color o oneline j json p pretty r resolve N " +
		"Numeric force h human a all ts t timestamp tshort iec"
	ipValued  = "n f family rc rcvbuf l loops"
	ipObjects = "a ad addr address l li link r ro route ru rule n ne neigh neighbour maddr mroute tunnel"
)

// ipOptions returns the words after the options of ip; false when they are not
// known, or a file holds the commands.
func (c *Invocation) ipOptions(words []shell.Word) ([]shell.Word, bool) {
	all := false
	for len(words) > 0 && strings.HasPrefix(shell.LiteralPrefix(&words[0]), "-") {
		name := strings.TrimLeft(words[0].Text, "-")
		words = words[1:]
		switch {
		case strings.HasPrefix(name, "b") && !shell.Among("br brief", name):
			c.ipBatch(words)
			return nil, false
		case strings.HasPrefix(name, "net"), shell.Listed(ipValued, name):
			words = words[min(1, len(words)):]
		case !shell.Listed(ipPlain, name):
			c.ipLaunches(nil)
			return nil, false
		}
		all = all || shell.Among("a all", name)
	}
	if all && len(words) > 2 && words[0].Text == "netns" && words[1].Text == "exec" { // no name follows
		c.Narrow("ip netns exec runs a command")
		c.runs(Inner{Kind: InnerArgv, Via: "ip", Argv: words[2:]})
		return nil, false
	}
	return words, true
}

func (c *Invocation) ipBatch(words []shell.Word) {
	c.Narrow("-batch reads commands from a file")
	if len(words) > 0 {
		c.readValue(&words[0])
	}
}

// ipLaunches runs the command of ip [options] netns exec NAME COMMAND.
func (c *Invocation) ipLaunches(words []shell.Word) {
	for i := 1; i+3 < len(c.Argv); i++ {
		if c.Argv[i].Text == "netns" && c.Argv[i+1].Text == "exec" {
			c.Narrow("ip netns exec runs a command")
			c.runs(Inner{Kind: InnerArgv, Via: "ip", Argv: c.Argv[i+3:]})
			return
		}
	}
	inSpace := len(words) > 3 && shell.Listed("vrf net netns", words[0].Text)
	if inSpace && words[1].Text == "exec" && shell.AllKnown(c.Argv) {
		c.Narrow("it runs a command")
		c.runs(Inner{Kind: InnerArgv, Via: "ip", Argv: words[3:]})
	}
}

// ipShows reports whether an object of ip and its verb only show.
func ipShows(words []shell.Word) bool {
	object, verb := words[0].Text, "show"
	if len(words) > 1 {
		verb = words[1].Text
	}
	switch {
	case shell.Listed("vrf net netns", object):
		return verb == "list" || verb == "show"
	case !shell.Listed(ipObjects, object):
		return false
	case verb == "s": // ip link s is set, not show
		return !strings.HasPrefix("link", object)
	}
	return shell.Listed("sh sho show l li lis list lst ls get", verb)
}

// refineNft: one argument may hold several commands.
func refineNft(c *Invocation) {
	for i := range c.Argv {
		w := &c.Argv[i]
		option := i >= c.From && strings.HasPrefix(w.Text, "-")
		if option || !w.Known || strings.ContainsAny(w.Text, ";\n") {
			c.Disprove("gets several commands, unknown ones, or an option after the command")
		}
		if !w.Known {
			c.Narrow("a word only known at run time could be an option")
		}
	}
}

// refineSysctl: name=value sets.
func refineSysctl(c *Invocation) {
	for _, w := range c.operands() {
		if !w.Known || strings.Contains(w.Text, "=") {
			c.Disprove("sets a parameter, or may")
			if shell.ContainsAny(w.Text, "core_pattern", "modprobe", "hotplug", "poweroff_cmd", "uevent_helper") {
				c.Narrow("the parameter names a program that the kernel runs")
			}
		}
	}
}

// refineKill: -l lists the names of signals, -0 sends none.
func refineKill(c *Invocation) {
	words := c.Argv[1:]
	if len(words) == 0 || !words[0].Known {
		c.Disprove("")
		return
	}
	first, rest := words[0].Text, words[1:]
	c.disproveIf(!shell.Among("-l -L -0", first) || first == "-0" && len(rest) == 0)
	c.disproveIf(slices.ContainsFunc(rest, func(w shell.Word) bool {
		signals := first == "-0" && strings.HasPrefix(shell.LiteralPrefix(&w), "-")
		return signals || !w.Known && !w.Single
	}))
}

// refinePs: BSD's e, macOS's -E and the column environ print the environments of
// processes, which hold secrets: ps(1).
func refinePs(c *Invocation) {
	value := false
	for _, w := range c.words() {
		t := shell.LiteralPrefix(w)
		var shows bool
		switch {
		case value && !strings.HasPrefix(t, "-"):
			value, shows = false, strings.Contains(t, "env")
			c.disproveIf(!w.Single && !w.Known)
		case !w.Known:
			c.Disprove("")
		case strings.HasPrefix(t, "--"):
			shows = strings.Contains(t, "env")
			value = shell.Listed(psValues, t[2:])
		case strings.HasPrefix(t, "-"):
			value, shows = psLetters(t)
		default: // a cluster of BSD or a process number
			shows = strings.Trim(t, "0123456789,") != "" && strings.ContainsAny(t, "eE")
			value = t != "" && strings.IndexByte("oUpt", t[len(t)-1]) >= 0
		}
		if shows {
			c.Disprove(printsEnvironment)
		}
	}
}

// psValues are the long options of ps whose value may be the next word.
const psValues = "sort pid ppid user User group Group tty format quick-pid sid cols columns width rows lines"

// psLetters reads a cluster of options of ps: whether the next word is a value,
// and whether it asks for environments.
func psLetters(t string) (value, environment bool) {
	flags, end := t[1:], len(t)
	if k := strings.IndexAny(t, "oOpuUgGtCqsnDN"); k >= 0 {
		value, end = k == len(t)-1 && t[k] != 'N', k
	}
	return value, strings.Contains(flags, "env") || strings.Contains(t[1:max(end, 1)], "E")
}

// refineLsof: -D writes a cache of devices.
func refineLsof(c *Invocation) {
	for i := range c.Argv[1:] {
		w := &c.Argv[i+1]
		t := shell.LiteralPrefix(w)
		c.Wrote = c.Wrote || inCluster(t, 'D', "cdFikpsu")
		value := w.Single && (t != "" || shell.Among("-p -i -u -c -d -g -ti -tp", c.Argv[i].Text))
		c.disproveIf(!w.Known && !value)
	}
}

// refinePidstat: -e runs a program.
func refinePidstat(c *Invocation) {
	runs := func(w shell.Word) bool { return strings.HasPrefix(w.Text, "-e") }
	if at := slices.IndexFunc(c.Argv, runs); at > 0 && at+1 < len(c.Argv) {
		c.Narrow("-e runs a command")
		c.within(Inner{Kind: InnerArgv, Via: "pidstat -e", Argv: c.Argv[at+1:]})
	}
}

// refineInxi: -U changes it for a newer release, -i asks the network, --debug packs files.
func refineInxi(c *Invocation) {
	for _, w := range c.words() {
		c.disproveIf(strings.Trim(w.Text, "-bFxzmCGAnNDdpPuSIMJv0123456789c") != "")
	}
}

// refineChattr: what is set comes before the files, except with -i, where it looks like an option.
func refineChattr(c *Invocation) {
	files := c.Operands
	if len(files) > 0 && strings.ContainsAny((c.Argv[files[0]].Text + " ")[:1], "+=") {
		files = files[1:]
	}
	c.changesAttributes(files)
}

func (c *Invocation) changesAttributes(files []int) {
	c.Recursive = c.Has("R")
	from := len(c.Facts.Effects)
	for _, i := range files {
		c.write(&c.Argv[i])
	}
	c.itself(from)
}
