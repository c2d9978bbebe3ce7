package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// harmlessSSH are the settings of ssh that run nothing and lift no guard but its own.
const harmlessSSH = "addressfamily batchmode bindaddress checkhostip ciphers clearallforwardings compression " +
	"connectionattempts connecttimeout controlmaster controlpersist exitonforwardfailure hashknownhosts " +
	"hostkeyalgorithms hostname identitiesonly identityfile kexalgorithms loglevel macs numberofpasswordprompts " +
	"passwordauthentication port preferredauthentications proxyjump pubkeyacceptedalgorithms " +
	"pubkeyauthentication requesttty sendenv serveralivecountmax serveraliveinterval stricthostkeychecking " +
	"tcpkeepalive updatehostkeys user userknownhostsfile globalknownhostsfile verifyhostkeydns forwardagent " +
	"forwardx11"

// sshCommands are the programs that work on another machine over ssh.
var sshCommands = []Command{
	{
		Names: "ssh slogin autossh mosh", InfoFlags: "-V", AllOptionsListed: true,
		Title: "runs commands on another machine", Flags: "-1246AaCfGgKkMNnqsTtVvXxYy", Values: "-BbcDeJLlmOpQRSWw",
		Opts:  []Opt{{"-F", HasArg, Unsafe}, {"-I", HasArg, Unsafe}, {"-i", HasArg, UsesKey}, {"-E", HasArg, WritesValue}, {"-o", HasArg, 0}, {"ssh", HasArg, Executes}},
		Style: StopAtOperand, refine: refineSsh, Special: &Special{Language: sshConfig, Files: "-F"},
	},
	{
		Names: "sshpass", Title: "passes a password to a command", Flags: "-evV", Values: "-pdP", Opts: []Opt{{"-f", HasArg, Reads}},
		Style: StopAtOperand, RunsRest: true,
	},
	{
		Names: "ssh-keygen", Title: "creates and inspects keys", Flags: "-qvEBceHAiLopuxXyhlRgkQU", Values: "-abCfFIDJjKMmNnPOrSsTtVWYzZG",
		Forms: []Form{{"-l|-F|-B|-L !-y|-D|-R|-H|-M|-Y|-s|-k|-A|-p|-c|-K|-I|-r|-U", Proves, ""}}, refine: refineSshKeygen,
	},
	{
		Names: "ssh-add", Title: "manages keys", Style: StopAtOperand, Flags: "-lLdDkcqvxXKAH46", Values: "-tTpfi", Opts: []Opt{{"-sSe", HasArg, Unsafe}},
		Operands: Reads, Forms: []Form{{"-l|-L !-d|-D|-x|-X|-t|-K|-A", Proves, ""}}, Bare: true,
	},
	{
		Names: "ssh-copy-id ssh-keyscan", Title: "hands out and asks for keys", Style: StopAtOperand, Flags: "-lLdDkcqvxXKAH46", Values: "-tTpfi",
		Opts: []Opt{{"-sSeoF", HasArg, Unsafe}}, Operands: Sends,
	},
}

// refineSsh is ssh [options] HOST [COMMAND]; the command runs there.
func refineSsh(c *Invocation) {
	w := c.Operand(0)
	if w == nil {
		c.sshOptions()
		return
	}
	behind := parseArgs(c.Argv, c.Operands[0]+1, c.Cmd.Style, []*Command{c.Cmd}) // ssh HOST -o x COMMAND
	for i := range behind.Opts {
		c.applyOpt(&behind.Opts[i])
	}
	c.add(&behind)
	c.Facts.valueAt = c.Values
	c.sshOptions()
	if strings.HasPrefix(w.Text, "-") {
		c.Narrow("the host could be an option")
	}
	c.network(w)
	argv := c.rest(0)
	if len(argv) > 0 && argv[0].Known && argv[0].Text == "--" {
		argv = argv[1:]
	}
	runs := c.remote
	if thisMachine(w) {
		runs = c.within
	}
	if len(argv) > 0 {
		runs(Inner{Kind: InnerText, Via: ProgramName(c.Argv), Text: joined(argv)})
	} else if !c.Has("N", "W") {
		runs(Inner{Kind: InnerStdin, Via: ProgramName(c.Argv)})
	}
}

// thisMachine reports whether [USER@]HOST surely is the machine that the text runs on.
func thisMachine(w *shell.Word) bool {
	host := w.Text[strings.LastIndexByte(w.Text, '@')+1:]
	return w.Known && (shell.Among("localhost ip6-localhost ::1 0.0.0.0", host) || strings.HasPrefix(host, "127."))
}

// sshOption reports whether an -o of ssh is known to be harmless.
func sshOption(w *shell.Word) bool {
	name := strings.ToLower(strings.TrimSpace(shell.LiteralPrefix(w)))
	if i := strings.IndexAny(name, "= \t"); i >= 0 {
		name = name[:i]
	} else if !w.Known {
		return false
	}
	return shell.Among(harmlessSSH, name)
}

func (c *Invocation) sshOptions() {
	for u := range c.options() {
		if u.Name == "o" {
			c.sshSetting(&u.Value)
		}
	}
}

// sshSetting reads NAME=VALUE of -o, or NAME VALUE.
func (c *Invocation) sshSetting(w *shell.Word) {
	name, k := strings.ToLower(w.Text), strings.IndexAny(w.Text, "= ")
	if k > 0 {
		name = name[:k]
	}
	if k > 0 && w.Known && strings.HasPrefix(name, "userknownhostsfile") {
		c.writeExtra(new(shell.Suffix(w, k+1)))
	}
	if sshOption(w) {
		return
	}
	c.Narrow("-o sets an option that can run a command")
	c.setting("-o", w)
	if name == "match" {
		c.setting("Match", new(shell.Suffix(w, k+1)))
	}
}

// sshConfig reads a configuration of ssh, a setting on each line.
func sshConfig(c *Invocation, text *shell.Word) {
	for line := range strings.SplitSeq(text.Text, "\n") {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			c.sshSetting(new(shell.Literal(line, text)))
		}
	}
}

// refineSshKeygen: -l and -F look; all else makes or changes keys.
func refineSshKeygen(c *Invocation) {
	file := c.Option("f")
	switch {
	case c.Has("D"):
		c.Narrow("-D loads a library")
	case c.Has("R", "H"):
		if file != nil {
			c.write(&file.Value)
		} else {
			c.writesHome(".ssh/known_hosts")
		}
	case c.Has("l", "F", "y", "B", "L"):
		if file != nil {
			c.readValue(&file.Value)
		}
	case file != nil:
		c.write(&file.Value)
		pub := file.Value
		pub.Text += ".pub"
		c.write(&pub)
	default:
		c.Recursive = true
		c.writesHome(".ssh")
	}
}

// What the programs have in common that run commands on machines they manage.
const machineFlags = "-e exec"

var machineOpts = []Opt{{"-cC command", HasArg, 0}}

// noText begins a form of theirs where no option names the command, behindNone where no -- does either.
const (
	noText     = "!-c|-C|--command "
	behindNone = noText + "!-- "
)

// machineCommands are the programs that run another one on a machine.
var machineCommands = []Command{
	{
		Names: "vagrant", Title: "manages machines, and runs commands on them", Flags: machineFlags, Opts: machineOpts,
		Forms: []Form{
			{"-c|-C|--command=TEXT", TextThere, ""}, {noText + "-- COMMAND...", RunsThere, ""},
			{behindNone + "run LINE...", RunsThere, ""}, {behindNone + "exec|shell * LINE...", RunsThere, ""},
		},
		Special: &Special{Losses: []Loss{{Of: OfMachine, Verbs: []string{"destroy", "snapshot delete"}}}},
	},
	{
		Names: "lima orb", Title: "runs commands on a machine", Flags: machineFlags, Opts: machineOpts,
		Forms:   []Form{{"-c|-C|--command=TEXT", TextThere, ""}, {noText + "-- COMMAND...", RunsThere, ""}, {behindNone + "LINE...", RunsThere, ""}},
		Special: &Special{SharesHome: "lima orb"},
	},
	{
		Names: "multipass fly flyctl heroku limactl colima machinectl", Title: "manages machines, and runs commands on them",
		Flags: machineFlags, Opts: machineOpts,
		Forms: []Form{
			{"-c|-C|--command=TEXT", TextThere, ""}, {noText + "-- COMMAND...", RunsThere, ""},
			{behindNone + "run|ssh LINE...", RunsThere, ""}, {behindNone + "exec|shell * LINE...", RunsThere, ""},
		},
		Special: &Special{SharesHome: "limactl colima", Credentials: []Credential{{"heroku auth:token|authorizations:create", "*.heroku.com"}, {"heroku config|config:get", "*"}, {"fly|flyctl auth token", "*.fly.io *.machines.dev"}, {"fly|flyctl token|tokens create", "*.fly.io *.machines.dev"}}, Losses: []Loss{
			{
				Of: OfPlatform, Names: "heroku", Values: "-artpo app remote team space confirm",
				Verbs:  []string{"@|*:clear|maintenance:on|*:purge_cache", "* @", "ps:scale ** *=0", "ps:scale ** *=0:*"},
				Spares: []string{"plugins*|autocomplete*|git*|local*"},
			},
			{
				Of: OfPlatform, Names: "flyctl fly", Values: "-aotrg app config org access-token region group target",
				Verbs: []string{"** @|dp|archive-*|abort-build", "scale count 0|*=0", "scale count ** 0"},
			},
		}},
	},
	{Names: "adb", Title: "talks to an Android device", Values: "-stHP", Style: StopAtOperand, Forms: []Form{{"shell COMMAND...", TextThere, ""}}},
}
