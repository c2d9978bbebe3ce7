package bashsafety

import (
	"slices"
	"strings"
)

// serviceCommands are the programs that look after services, logs, the network and what the machine is made of.
var serviceCommands = []Command{
	{
		Names: []string{"systemctl"}, Title: "manages services", ReadOnly: true,
		Flags: "-alqrifv all full quiet no-pager no-legend user system plain failed recursive reverse value show-types no-ask-password global now force " +
			"runtime after before no-block no-wall wait no-reload mkdir marked with-dependencies show-transaction version help no-warn",
		Values: "-tpnos type state property lines output signal kill-whom kill-who job-mode what timestamp check-inhibitors preset-mode when message boot-loader-entry",
		Opts:   []Opt{{"-HM host machine root image image-policy firmware-setup", HasArg, Unsafe}, {"-P", HasArg, 0}},
		Subs: []Command{
			{
				Names: []string{
					"status", "show", "cat", "is-active", "is-enabled", "is-failed", "is-system-running", "list-units", "list-unit-files", "list-timers",
					"list-sockets", "list-dependencies", "list-jobs", "list-machines", "list-automounts", "list-paths", "get-default",
				},
				ReadOnly: true,
				Examples: []Example{
					{"systemctl status nginx --no-pager -l", "ro"}, {"systemctl --user list-units --type=service", "ro"}, {"systemctl is-active x", "ro"},
					{"systemctl -H h status x", "narrow"}, {"systemctl -Hh status x", "narrow"}, {"systemctl --ho h status x", "narrow"},
					{"systemctl --root=/x status y", "narrow"}, {"systemctl show -p MainPID --value x", "ro"},
				},
			},
			{Names: []string{"*"}, Examples: []Example{
				{"systemctl stop x", ""}, {"systemctl stop status", ""}, {"systemctl edit x", ""}, {"systemctl --now enable x", ""}, {"systemctl daemon-reload", ""},
			}},
		},
		Examples: []Example{{"systemctl", "ro"}, {"systemctl --failed", "ro"}, {"systemctl $x", "narrow"}},
	},
	{
		Names: []string{"service"}, Title: "runs the script of a service", Flags: "status-all", Style: StopAtOperand, more: serviceMore,
		Examples: []Example{{"service x status", "ro"}, {"service x stop", ""}, {"service x $y", ""}, {"service --status-all", ""}},
	},
	{
		Names: []string{"launchctl"}, Title: "manages services of macOS", Style: StopAtOperand,
		Subs: []Command{
			{
				Names: []string{"list", "print", "print-disabled", "print-cache", "blame", "managername", "managerpid", "manageruid", "version", "error", "hostinfo"}, ReadOnly: true,
				Examples: []Example{{"launchctl list", "ro"}, {"launchctl print gui/501/x", "ro"}},
			},
			{Names: []string{"load", "bootstrap"}, Flags: "-wF", Values: "-SD", Operands: Reads, Examples: []Example{{"launchctl load -w x.plist", "read:x.plist"}}},
			{Names: []string{"asuser", "bsexec"}, Style: NoOptions, more: runsBehindFirst, Examples: []Example{{"launchctl asuser 501 rm -rf x", "narrow launchctl>rm -rf x"}}},
			{Names: []string{"submit"}, Flags: "-l", more: runsBehindDashes, Examples: []Example{{"launchctl submit -l x -- rm -rf y", "narrow launchctl>rm -rf y"}}},
			{Names: []string{"*"}, Style: NoOptions, Examples: []Example{{"launchctl unload x", ""}, {"launchctl kickstart -k x", ""}, {"launchctl setenv PATH x", ""}}},
		}, Examples: []Example{{"launchctl", ""}},
	},
	{
		Names: []string{"journalctl"}, Title: "prints logs", ReadOnly: true,
		Flags: "-aefklqrxNmW0123456789 follow reverse no-pager catalog dmesg quiet no-hostname utc merge system user all full no-full pager-end list-boots disk-usage verify " +
			"fields header no-tail truncate-newline list-catalog dump-catalog version help list-invocations",
		Values:    "-FgoSUuptcTI unit user-unit since until output grep priority identifier facility cursor after-cursor field case-sensitive output-fields namespace interval exclude-identifier",
		OptValues: "-bn boot lines",
		Opts: []Opt{
			{"vacuum-size vacuum-time vacuum-files", HasArg, Changes}, {"rotate flush sync relinquish-var smart-relinquish-var setup-keys update-catalog force", NoArg, Changes},
			{"cursor-file", HasArg, WritesValue}, {"-M machine root image image-policy verify-key", HasArg, Unsafe}, {"-iD file directory", HasArg, ReadsValue}, {"-h", NoArg, 0},
		},
		Examples: []Example{
			{"journalctl -u x -n 50 --no-pager", "ro"}, {"journalctl -xeu x", "ro"}, {"journalctl --since '1 hour ago' -p err", "ro"}, {"journalctl --vacuum-size=1G", ""},
			{"journalctl --vac 1G", ""}, {"journalctl --rotate", ""}, {"journalctl --cursor-file=.envrc", "write:.envrc narrow"}, {"journalctl --file=x", "ro read:x"},
			{"journalctl -k -b -1", "ro"}, {"journalctl --flush -u x", ""}, {"journalctl --frob", ""}, {"journalctl -n50 -f", "ro"},
		},
	},
	{
		Names: []string{"dmesg"}, Title: "prints the messages of the kernel", ReadOnly: true,
		Flags:  "-dehHkLPrSTtuwWx human kernel noescape force-prefix nopager raw syslog ctime notime userspace follow follow-new decode show-delta reltime help version json since until color",
		Values: "-fls facility level buffer-size time-format", OptValues: "",
		Opts:     []Opt{{"-cCDE clear read-clear console-off console-on", NoArg, Changes}, {"-n console-level", HasArg, Changes}, {"-FK file kmsg-file", HasArg, ReadsValue}},
		Examples: []Example{{"dmesg -T", "ro"}, {"dmesg -C", ""}, {"dmesg -TC", ""}, {"dmesg --read-cl", ""}, {"dmesg -n 1", ""}, {"dmesg -F .env", "ro read:.env"}},
	},
	{
		Names: []string{"loginctl", "timedatectl", "hostnamectl", "localectl", "resolvectl", "networkctl", "coredumpctl", "busctl"}, Title: "asks or sets what systemd keeps",
		Flags:  "-alq all full quiet no-pager no-legend no-ask-password value json static transient pretty reverse user system verbose help version",
		Values: "-pnotSUSA property lines output signal since until type", Opts: []Opt{{"-HM host machine", HasArg, Unsafe}, {"-D directory", HasArg, Unsafe}},
		ReadOnly: true,
		Subs: []Command{{
			Names: []string{
				"status", "show", "list-sessions", "session-status", "show-session", "list-users", "user-status", "show-user", "list-seats", "seat-status", "show-seat",
				"list-timezones", "timesync-status", "show-timesync", "list-locales", "list-keymaps", "statistics", "list", "info",
			},
			ReadOnly: true,
			Examples: []Example{{"timedatectl status", "ro"}, {"loginctl list-sessions", "ro"}, {"coredumpctl -o x list", "write:x narrow"}, {"loginctl -H h list-sessions", "narrow"}},
		}, {
			Names: []string{"query"}, ReadOnly: true, Operands: URLs, Examples: []Example{{"resolvectl query example.com", "ro net:example.com"}},
		}, {
			Names:    []string{"*"},
			Examples: []Example{{"timedatectl set-time 1", ""}, {"hostnamectl set-hostname x", ""}, {"hostnamectl hostname x", ""}, {"coredumpctl debug", ""}, {"busctl call a b c d", ""}},
		}},
		more:     coredumpMore,
		Examples: []Example{{"timedatectl", "ro"}, {"hostnamectl", "ro"}},
	},
	{
		Names: []string{"ip"}, Title: "shows and changes the network", Style: NoOptions, more: ipMore,
		Examples: []Example{
			{"ip addr", "ro"}, {"ip -br -4 a show dev eth0", "ro"}, {"ip r", "ro"}, {"ip route get 1.1.1.1", "ro"}, {"ip link set eth0 down", ""}, {"ip a a 1.1.1.1 dev e", ""}, {"ip link s e down", ""}, {"ip l s e down", ""}, {"ip a s e", "ro"}, {"ip a sa", ""}, {"ip r c x", ""},
			{"ip addr del x dev y", ""}, {"ip netns exec n rm x", "narrow ip>rm x"}, {"ip -b x", "narrow read:x"}, {"ip -batch .env", "narrow read:.env"}, {"ip -n ns addr", "ro"},
			{"ip route flush all", ""}, {"ip addr $x", ""}, {"ip xfrm state", ""}, {"ip -all netns exec rm x", "narrow ip>rm x"}, {"ip link show", "ro"}, {"ip l s eth0 down", ""}, {"ip a s", "ro"}, {"ip neigh flush all", ""},
			{"ip vrf exec v rm x", "narrow ip>rm x"},
		},
	},
	{
		Names: []string{"ifconfig", "route", "arp"}, Title: "shows and changes the network", Style: NoOptions, more: ifconfigMore,
		Examples: []Example{
			{"ifconfig", "ro"}, {"ifconfig -a", "ro"}, {"ifconfig eth0", "ro"}, {"ifconfig eth0 down", ""}, {"route -n", "ro"}, {"route add default x", ""}, {"arp -a", "ro"},
			{"arp -d x", ""}, {"route -n get default", "ro"}, {"route flush", ""}, {"arp -s a b", ""},
		},
	},
	{
		Names: []string{"iptables", "ip6tables", "ebtables", "arptables"}, Title: "shows and changes the packet filter",
		Flags: "-nvx4 numeric verbose exact line-numbers", Values: "-t table", OptValues: "-LSw list list-rules wait", more: iptablesMore,
		Examples: []Example{{"iptables -L -n -v", "ro"}, {"iptables -nvL INPUT", "ro"}, {"iptables -S", "ro"}, {"iptables -F", ""}, {"iptables -L -Z", ""}, {"iptables -w -Z -L", ""}, {"iptables -w 5 -L", "ro"}, {"iptables -A INPUT -j DROP", ""}, {"iptables", ""}},
	},
	{
		Names: []string{"nft"}, Title: "shows and changes the packet filter", Flags: "-ajnNsSpyt handle json numeric stateless terse", Opts: []Opt{{"-fID file includepath define", HasArg, Unsafe}, {"-i interactive", NoArg, Unsafe}},
		Subs: []Command{
			{Names: []string{"list"}, ReadOnly: true, Style: NoOptions, more: nftMore, Examples: []Example{{"nft list ruleset", "ro"}, {"nft list ruleset ';' flush ruleset", ""}, {"nft -f x list ruleset", "narrow"}, {"nft list ruleset -f x", ""}}},
			{Names: []string{"*"}, Style: NoOptions, Examples: []Example{{"nft flush ruleset", ""}}},
		}, Examples: []Example{{"nft 'list ruleset; flush ruleset'", ""}},
	},
	{
		Names: []string{"ufw", "firewall-cmd", "pfctl"}, Title: "shows and changes the packet filter", Style: NoOptions, more: ufwMore,
		Examples: []Example{{"ufw status verbose", "ro"}, {"ufw disable", ""}, {"firewall-cmd --list-all", "ro"}, {"firewall-cmd --add-port=1/tcp", ""}, {"pfctl -f x", ""}},
	},
	{
		Names: []string{"sysctl"}, Title: "prints and sets parameters of the kernel", Flags: "-aAbeinNqoxdX all names values ignore quiet binary deprecated dry-run", Values: "-r pattern",
		Opts: []Opt{{"-w write system", NoArg, Changes}, {"-pf load", OptArg, Changes}}, ReadOnly: true, more: sysctlMore,
		Examples: []Example{{"sysctl -a", "ro"}, {"sysctl -n hw.ncpu", "ro"}, {"sysctl -w a=b", ""}, {"sysctl a=b", ""}, {"sysctl -p x", ""}, {`sysctl "$x"`, "narrow"}},
	},
	{
		Names: []string{"mount"}, Title: "shows and mounts file systems", Flags: "-lV show-labels version", more: mountMore,
		Examples: []Example{{"mount", "ro"}, {"mount -l", "ro"}, {"mount /dev/sda1 /mnt", "write:/mnt"},
			{"mount -a", ""}, {"mount --bind / x", "write:x"}},
	},
	{
		Names: []string{"kill"}, Title: "sends signals", Style: NoOptions, more: killMore,
		Examples: []Example{{"kill -9 4412", ""}, {"kill -l", "ro"}, {"kill -0 4412", "ro"}, {`kill -0 "$x"`, "ro"}, {"kill -0 $x", ""}, {"kill -0 -9 1", ""}, {"kill -l 9", "ro"}, {"kill", ""}},
	},
	{
		Names: []string{"ps"}, Title: "lists processes", Style: NoOptions, more: psMore,
		Examples: []Example{
			{"ps aux", "ro"}, {"ps -ef", "ro"}, {"ps -o pid,etime,comm -p 1", "ro"}, {"ps eww", ""}, {"ps auxe", ""}, {"ps -p 1 -o environ", ""}, {"ps -E", ""}, {"ps -ax -o pid=,command=", "ro"},
			{`ps -p "$x"`, "ro"}, {`ps "$x"`, ""}, {"ps -C sleep -o pid", "ro"}, {"ps -u root --sort -pcpu", "ro"}, {"ps -axo pid,command", "ro"}, {"ps -wwE", ""}, {"ps -p $x", ""},
		},
	},
	{
		Names: []string{"lsof"}, Title: "lists open files", Style: NoOptions, more: lsofMore,
		Examples: []Example{{"lsof -i :80", "ro"}, {`lsof -p "$x"`, "ro"}, {"lsof -nP -iTCP -sTCP:LISTEN", "ro"}, {"lsof -Db", ""}, {"lsof -nD b", ""}, {"lsof -aDb x", ""}, {"lsof -nP -sTCP:ESTABLISHED", "ro"}, {"lsof $x", ""}, {`lsof -ti:"$x"`, "ro"}, {`lsof "$x"`, ""}, {"lsof +D /tmp", "ro"}},
	},
	{
		Names: []string{"ss"}, Title: "lists sockets", ReadOnly: true,
		Flags: "-anrlBoemTpsiEZzNbhVMt4u6wxdOHSQ0 numeric resolve listening all options extended memory processes threads info tos cgroup events context contexts summary " +
			"tipcinfo bpf help version ipv4 ipv6 packet tcp mptcp sctp udp dccp raw unix tipc vsock xdp inet-sockopt oneline no-header no-queues bound-inactive",
		Values: "-fA family query socket net", Opts: []Opt{{"-K kill", NoArg, Changes}, {"-D diag", HasArg, WritesValue}, {"-F filter", HasArg, ReadsValue}},
		Examples: []Example{{"ss -tlnp", "ro"}, {"ss -K dst 1.1.1.1", ""}, {"ss -tnK", ""}, {"ss -D .envrc", "write:.envrc narrow"}, {"ss --ki dst x", ""}, {"ss $x", "narrow"}, {"ss -nD x", "write:x narrow"}, {"ss -tn state established", "ro"}},
	},
	{
		Names: []string{"top", "htop", "atop", "btop"}, Title: "watches processes", Style: NoOptions, more: topMore,
		Examples: []Example{{"top -b -n 1", "ro"}, {"top -bn1", "ro"}, {"top -l 1", "ro"}, {"top", ""}, {"htop", ""}},
	},
	{
		Names: []string{
			"last", "lastb", "lastlog", "hostid", "pmap", "pwdx", "lsns", "lslocks", "lsipc", "lslogins", "lsmem", "ipcs", "sar", "pidstat", "lshw", "dmidecode", "sensors",
			"getfacl", "lsattr", "getcap", "getfattr", "numastat", "acpi", "lsscsi", "inxi",
		},
		Title: "asks about the system", Style: NoOptions, more: plainMore,
		Examples: []Example{{"last -n 5", "ro"}, {"getfacl x", "ro"}, {"dmidecode --dump-bin x", ""}, {"dmidecode --dump-b x", ""}, {"dmidecode -t memory", "ro"}, {"lastlog --se -u x", ""}, {"sensors -As", ""}, {"inxi -Fxz", "ro"}, {"inxi --debug 22", ""}, {"inxi -i", ""}, {"sar -o x", ""}, {"getfattr -d x", "ro"}, {"lshw -dump x", ""}},
	},
	{
		Names: []string{"chattr", "setfacl", "setcap", "setfattr"}, Title: "changes attributes of files", Flags: "-RVfbkdPL", Values: "-vpnmxvh modify remove",
		Opts: []Opt{{"-MX restore modify-file remove-file", HasArg, ReadsValue}}, more: attributeMore,
		Examples: []Example{{"chattr +i x", "write:x"}, {"setfacl -m u:a:rw .git", "write:.git"}, {"setcap cap_net_raw+ep x", "write:x"}, {"setfacl -R -m u:a:rw d", "write:d/**"}},
	},
	{
		Names: []string{"defaults"}, Title: "reads and writes preferences of macOS", Style: StopAtOperand, Flags: "-currentHost", Subs: []Command{
			{Names: []string{"read", "read-type", "domains", "find", "help"}, ReadOnly: true, Flags: "-app", Examples: []Example{{"defaults read com.apple.dock", "ro"}}},
			{Names: []string{"*"}, Style: NoOptions, Examples: []Example{{"defaults write x y z", ""}, {"defaults delete x", ""}}},
		}, Examples: []Example{{"defaults", ""}},
	},
	{
		Names: []string{"diskutil", "pmset", "scutil", "networksetup", "softwareupdate", "csrutil", "spctl", "systemsetup", "tmutil", "xattr"}, Title: "asks and sets parts of macOS", Style: NoOptions, more: macMore,
		Examples: []Example{
			{"diskutil list", "ro"}, {"diskutil eraseDisk x y z", ""}, {"pmset -g", "ro"}, {"pmset sleepnow", ""}, {"networksetup -listallnetworkservices", "ro"}, {"networksetup -setdnsservers x y", ""},
			{"scutil --dns", "ro"}, {"scutil", ""}, {"softwareupdate -l", "ro"}, {"softwareupdate -ia", ""}, {"xattr -l x", "ro"}, {"xattr -d a x", ""}, {"diskutil info disk0", "ro"}, {"xattr x", "ro"}, {"xattr -l -d a x", ""}, {"spctl --assess -v x", "ro"}, {"spctl --assess --add x", ""}, {"spctl --status --master-disable", ""},
			{"tmutil listbackups", "ro"}, {"csrutil status", "ro"},
		},
	},
}

// coredumpMore: -o names a file; old releases make it whatever the verb.
func coredumpMore(c *call) {
	if o := c.option("o", "output"); o != nil && programName(c.argv) == "coredumpctl" {
		c.write(&o.value)
		c.narrow("-o writes a file")
	}
}

// serviceMore: the action status of a script of the system asks.
func serviceMore(c *call) {
	c.d.readOnly = len(c.unknown) == 0 && len(c.operands) > 1 && len(c.rest(1)) == 1 && c.literalOperand(1) == "status" && c.literalOperand(0) != "" && !c.has("status-all") &&
		!strings.Contains(c.literalOperand(0), "/")
}

// runsBehindFirst runs what follows the first operand on this machine.
func runsBehindFirst(c *call) {
	if argv := c.rest(1); len(argv) > 0 {
		c.narrow("it runs a command")
		c.runs(inner{kind: innerArgv, via: programName(c.argv), argv: argv})
	}
}

// runsBehindDashes runs what follows -- on this machine.
func runsBehindDashes(c *call) {
	if c.dashdash > 0 && c.dashdash+1 < len(c.argv) {
		c.narrow("it runs a command")
		c.runs(inner{kind: innerArgv, via: programName(c.argv), argv: c.argv[c.dashdash+1:]})
	}
}

// ipMore: an object without a verb, or with one that shows: ip(8). Words may be abbreviated.
func ipMore(c *call) {
	words, all := c.argv[1:], false
	for len(words) > 0 && strings.HasPrefix(literalPrefix(&words[0]), "-") {
		name := strings.TrimLeft(words[0].Text, "-")
		all = all || name == "a" || name == "all"
		words = words[1:]
		switch {
		case strings.HasPrefix(name, "b") && name != "br" && name != "brief":
			c.narrow("-batch reads commands from a file")
			if len(words) > 0 {
				c.readValue(&words[0])
			}
			return
		case name == "n" || strings.HasPrefix(name, "net") || name == "f" || name == "family" || name == "rc" || name == "rcvbuf" || name == "l" || name == "loops":
			words = words[min(1, len(words)):]
		case !listed("4 6 0 s stats statistics d details br brief c color o oneline j json p pretty r resolve N Numeric h human a all ts t timestamp tshort iec", name):
			ipLaunches(c)
			return
		}
	}
	if all && len(words) > 2 && words[0].Text == "netns" && words[1].Text == "exec" {
		c.narrow("ip netns exec runs a command")
		c.runs(inner{kind: innerArgv, via: "ip", argv: words[2:]})
		return
	}
	ipLaunches(c)
	if len(c.d.inner) > 0 || len(words) == 0 || !allKnownWords(c.argv) {
		return
	}
	object := words[0].Text
	if object == "vrf" || object == "net" || object == "netns" {
		if len(words) > 3 && words[1].Text == "exec" && len(c.d.inner) == 0 {
			c.narrow("it runs a command")
			c.runs(inner{kind: innerArgv, via: "ip", argv: words[3:]})
		}
		c.d.readOnly = len(words) == 1 || words[1].Text == "list" || words[1].Text == "show"
		return
	}
	if !listed("a ad addr address l li link r ro route ru rule n ne neigh neighbour maddr mroute tunnel", object) {
		return
	}
	// ip link s is set, not show
	link := strings.HasPrefix("link", object)
	c.d.readOnly = len(words) == 1 || listed("sh sho show l li lis list lst ls get", words[1].Text) || words[1].Text == "s" && !link
}

// ifconfigMore: at most one operand, which is looked at.
func ifconfigMore(c *call) {
	words := c.argv[1:]
	c.d.readOnly = allKnownWords(words)
	operands := 0
	for i := range words {
		switch t := words[i].Text; {
		case slices.Contains([]string{"-a", "-v", "-s", "-n", "-e", "-N", "-4", "-6", "-l"}, t):
		case strings.HasPrefix(t, "-"):
			c.d.readOnly = false
		case programName(c.argv) == "route" && operands == 0 && t == "get":
			operands -= 8
		default:
			operands++
		}
	}
	if operands > 1 || operands == 1 && programName(c.argv) != "ifconfig" {
		c.d.readOnly = false
	}
}

func iptablesMore(c *call) {
	c.d.readOnly = c.has("L", "S", "list", "list-rules") && c.proven() && allKnownWords(c.argv)
}

// nftMore: one argument may hold several commands.
func nftMore(c *call) {
	for i := range c.argv {
		if w := &c.argv[i]; !w.Known || strings.ContainsAny(w.Text, ";\n") || i >= c.from && strings.HasPrefix(w.Text, "-") {
			c.disprove("gets several commands, unknown ones, or an option behind the command")
		}
	}
}

func ufwMore(c *call) {
	words := c.argv[1:]
	if len(words) == 0 || !allKnownWords(words) {
		return
	}
	switch programName(c.argv) {
	case "ufw":
		c.d.readOnly = words[0].Text == "status" || words[0].Text == "version"
	case "firewall-cmd":
		for i := range words {
			t := words[i].Text
			if !strings.HasPrefix(t, "--list-") && !strings.HasPrefix(t, "--get-") && !strings.HasPrefix(t, "--zone=") && t != "--state" && t != "--permanent" {
				return
			}
		}
		c.d.readOnly = true
	}
}

// sysctlMore: name=value sets.
func sysctlMore(c *call) {
	for _, i := range c.operands {
		if w := &c.argv[i]; !w.Known || strings.Contains(w.Text, "=") {
			c.disprove("sets a parameter, or may")
		}
	}
}

// killMore: -l lists the names of signals, -0 sends none.
func killMore(c *call) {
	words := c.argv[1:]
	if len(words) == 0 || !words[0].Known {
		return
	}
	first := words[0].Text
	c.d.readOnly = first == "-l" || first == "-L" || first == "-0" && len(words) > 1
	for i := range words[1:] {
		w := &words[i+1]
		if !w.Known && !w.Single || first == "-0" && strings.HasPrefix(literalPrefix(w), "-") {
			c.d.readOnly = false
		}
	}
}

// psMore: BSD's e, macOS's -E and the column environ print the environments of
// processes, which hold secrets: ps(1).
func psMore(c *call) {
	c.d.readOnly = true
	value := false
	for i := range c.argv[1:] {
		w := &c.argv[i+1]
		t := literalPrefix(w)
		switch {
		case value && !strings.HasPrefix(t, "-"):
			value = false
			if strings.Contains(t, "env") {
				c.disprove(printsEnvironment)
			}
			if !w.Single && !w.Known {
				c.d.readOnly = false
			}
		case !w.Known:
			c.d.readOnly = false
		case strings.HasPrefix(t, "--"):
			value = !strings.Contains(t, "=") && listed("sort pid ppid user User group Group tty format quick-pid sid cols columns width rows lines", t[2:])
			if strings.Contains(t, "env") {
				c.disprove(printsEnvironment)
			}
		case strings.HasPrefix(t, "-"):
			k := strings.IndexAny(t, "oOpuUgGtCqsnDN")
			value = k == len(t)-1 && t[k] != 'N'
			if flags := t[1:]; strings.Contains(flags, "env") || strings.Contains(flags[:max(k, 1)-1], "E") || k < 0 && strings.Contains(flags, "E") {
				c.disprove(printsEnvironment)
			}
		default: // a cluster of BSD or a process number
			if strings.Trim(t, "0123456789,") != "" && strings.ContainsAny(t, "eE") {
				c.disprove(printsEnvironment)
			}
			value = strings.HasSuffix(t, "o") || strings.HasSuffix(t, "U") || strings.HasSuffix(t, "p") || strings.HasSuffix(t, "t")
		}
	}
}

// lsofMore: -D writes a cache of devices.
func lsofMore(c *call) {
	c.d.readOnly = true
	for i := range c.argv[1:] {
		w := &c.argv[i+1]
		t := literalPrefix(w)
		if inCluster(t, 'D', "cdFikpsu") {
			c.wrote = true
		}
		if !w.Known && (!w.Single || t == "" && !slices.Contains([]string{"-p", "-i", "-u", "-c", "-d", "-g", "-ti", "-tp"}, c.argv[i].Text)) {
			c.d.readOnly = false
		}
	}
}

// topMore: only the forms that end by themselves or print.
func topMore(c *call) {
	if programName(c.argv) != "top" || !allKnownWords(c.argv) {
		return
	}
	for i := range c.argv[1:] {
		if t := c.argv[i+1].Text; strings.HasPrefix(t, "-b") || t == "-l" || strings.HasPrefix(t, "-l") {
			c.d.readOnly = true
		}
	}
}

// plainMore: known words and none of the few options that write.
func plainMore(c *call) {
	c.d.readOnly = allKnownWords(c.argv)
	for i := range c.argv[1:] {
		switch t := c.argv[i+1].Text; {
		case strings.HasPrefix(t, "--dump-b"), programName(c.argv) == "inxi" && strings.Trim(t, "-bFxzmCGAnNDdpPuSIMJv0123456789c") != "",
			strings.HasPrefix(t, "--") && (abbreviates(t, "--set") || abbreviates(t, "--clear") || abbreviates(t, "--dump-bin")) && t != "--dump", inCluster(t, 's', "cf") && programName(c.argv) == "sensors", strings.HasPrefix(t, "-o") && programName(c.argv) == "sar", strings.HasPrefix(t, "-dump"), strings.HasPrefix(t, "-s") && programName(c.argv) == "sensors",
			strings.HasPrefix(t, "-C"), strings.HasPrefix(t, "-S"), strings.HasPrefix(t, "--set"), strings.HasPrefix(t, "--clear"), strings.HasPrefix(t, "-e") && programName(c.argv) == "pidstat",
			programName(c.argv) == "inxi" && strings.Contains(t, "U"):
			c.d.readOnly = false
		}
	}
}

// attributeMore: everything behind the attribute is a file that is changed;
// -m and -x of setfacl have it as a value.
func attributeMore(c *call) {
	ops := c.operands
	name := programName(c.argv)
	if (name == "chattr" || name == "setcap") && len(ops) > 0 {
		ops = ops[1:]
	}
	c.recursive = c.has("R")
	for _, i := range ops {
		c.write(&c.argv[i])
	}
}

// macMore: the words that only ask.
func macMore(c *call) {
	if len(c.argv) < 2 || !allKnownWords(c.argv) {
		return
	}
	first := c.argv[1].Text
	switch programName(c.argv) {
	case "diskutil":
		c.d.readOnly = first == "list" || first == "info" || first == "activity"
	case "pmset":
		c.d.readOnly = first == "-g"
	case "scutil":
		c.d.readOnly = first == "--dns" || first == "--proxy" || first == "--nwi" || first == "--get"
	case "networksetup", "systemsetup":
		c.d.readOnly = strings.HasPrefix(first, "-list") || strings.HasPrefix(first, "-get")
	case "softwareupdate":
		c.d.readOnly = (first == "-l" || first == "--list" || first == "--history") && len(c.argv) == 2
	case "csrutil":
		c.d.readOnly = first == "status"
	case "spctl":
		c.d.readOnly = first == "--status" && len(c.argv) == 2 || first == "--assess" && !setsPolicy(c.argv[2:])
	case "tmutil":
		c.d.readOnly = strings.HasPrefix(first, "list") || first == "status" || first == "latestbackup" || first == "destinationinfo"
	case "xattr":
		c.d.readOnly = !strings.HasPrefix(first, "-") && len(c.argv) == 2 ||
			(first == "-l" || first == "-p") && !slices.ContainsFunc(c.argv[2:], func(w Word) bool { return strings.HasPrefix(w.Text, "-") })
	}
}

// setsPolicy reports whether spctl gets a long option besides those that say
// what is assessed and how it is shown.
func setsPolicy(argv []Word) bool {
	return slices.ContainsFunc(argv, func(w Word) bool {
		return strings.HasPrefix(w.Text, "--") && w.Text != "--verbose" && w.Text != "--raw" && w.Text != "--type"
	})
}

// mountMore is for mount: what is mounted is then in the place of its last
// operand.
func mountMore(c *call) {
	bareMore(c)
	if len(c.operands) > 1 {
		c.write(&c.argv[c.operands[len(c.operands)-1]])
	}
}
