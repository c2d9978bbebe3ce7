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
		Style: StopAtOperand, refine: refineSsh,
	},
	{
		Names: "sshpass", Title: "passes a password to a command", Flags: "-evV", Values: "-pdP", Opts: []Opt{{"-f", HasArg, ReadsValue}},
		Style: StopAtOperand, RunsRest: true,
	},
	{
		Names: "ssh-keygen", Title: "creates and inspects keys", Flags: "-qvEBceHAiLopuxXyhlRgkQU", Values: "-abCfFIDJjKMmNnPOrSsTtVWYzZG",
		Reading: &Reading{If: "-lFBL", Unless: "-yDRHMYskApcKIrUw"}, refine: refineSshKeygen,
	},
	{
		Names: "ssh-add", Title: "manages keys", Style: StopAtOperand, Flags: "-lLdDkcqvxXKAH46", Values: "-tTpfi", Opts: []Opt{{"-sSe", HasArg, Unsafe}},
		Operands: Reads, Reading: &Reading{If: "-lL", Unless: "-dDxXtKA"}, Bare: true,
	},
	{
		Names: "ssh-copy-id ssh-keyscan", Title: "hands out and asks for keys", Style: StopAtOperand, Flags: "-lLdDkcqvxXKAH46", Values: "-tTpfi",
		Opts: []Opt{{"-sSeoF", HasArg, Unsafe}}, Operands: URLs,
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
	if len(argv) > 0 {
		c.remote(Inner{Kind: InnerText, Via: ProgramName(c.Argv), Text: joined(argv)})
	} else if !c.Has("N", "W") {
		c.remote(Inner{Kind: InnerStdin, Via: ProgramName(c.Argv)})
	}
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
	for i := range c.Opts {
		if u := &c.Opts[i]; u.Name == "o" {
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
	file := shell.Suffix(w, k+1)
	if k > 0 && w.Known && strings.HasPrefix(name, "userknownhostsfile") && c.write(&file) {
		c.Narrow("-o writes a file of hosts")
	}
	if sshOption(w) {
		return
	}
	c.Narrow("-o sets an option that can run a command")
	if k > 0 && strings.HasSuffix(name, "command") {
		c.scan("-o", w.Text[k+1:], w)
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
		} else if c.Home != "" {
			w := shell.Literal(c.Home+"/.ssh/known_hosts", &c.Argv[0])
			c.write(&w)
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
	case c.Home != "":
		w := shell.Literal(c.Home+"/.ssh", &c.Argv[0])
		c.Recursive = true
		c.write(&w)
	}
}
