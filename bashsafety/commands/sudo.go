package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// What su and its relatives have in common.
const (
	suFlags  = "-flmpPThV - login preserve-environment fast pty no-pty disable-internal-agent keep-cwd help version"
	suValues = "-gGuw group supp-group user whitelist-environment"
)

var suOpts = []Opt{{"-c command session-command", HasArg, 0}, {"-s shell", HasArg, Executes}}

// sudoCommands are the programs that run another one as somebody else.
var sudoCommands = []Command{
	{
		Names: "sudo", Title: "runs as another user",
		Flags:     "-ABbEHiknNPSs askpass background bell preserve-groups set-home login shell stdin non-interactive no-update",
		Values:    "-aCghpRrTtUuc auth-type close-from group host prompt chroot role command-timeout type other-user user",
		OptValues: "preserve-env",
		Opts: []Opt{
			{"-D chdir", HasArg, 0}, {"-lKvV list remove-timestamp validate version help", NoArg, Asks}, {"-e edit", NoArg, Unsafe},
			{"reset-timestamp", NoArg, 0},
		},
		Style: StopAtOperand, ReadOnly: true, refine: refineSudo,
	},
	{Names: "sudoedit", Title: "edits files as another user", Values: "-ughpCRT", Flags: "-ABknNS", Operands: Writes},
	{Names: "doas", Title: "runs as another user", Flags: "-Lns", Values: "-auC", Style: StopAtOperand, refine: refineSudo},
	{Names: "su runuser", Title: "runs as another user", Flags: suFlags, Values: suValues, Opts: suOpts, refine: refineSu, Style: StopAtOperand, Parser: Permutes},
	{Names: "pkexec", Title: "runs as another user", Flags: suFlags, Values: suValues, Opts: suOpts, refine: refinePkexec, Style: StopAtOperand},
	{Names: "sg", Title: "runs as another group", Flags: suFlags, Values: suValues, Opts: suOpts, refine: refineSg, Style: StopAtOperand},
	{Names: "newgrp", Title: "starts a shell with another group", refine: func(c *Invocation) { c.runs(Inner{Kind: InnerStdin, Via: "newgrp"}) }},
}

// refineSudo runs a command, a shell, or nothing when it only looks up.
func refineSudo(c *Invocation) {
	if c.asks {
		return
	}
	user := "root"
	if o := c.Option("u", "user"); o != nil {
		user = ""
		if o.Value.Known {
			user = o.Value.Text
		}
	}
	if c.Has("k") && len(c.Operands) == 0 {
		return
	}
	c.privilege(user)
	if c.Has("e", "edit") {
		for _, i := range c.Operands {
			c.write(&c.Argv[i])
		}
		return
	}
	in := Inner{Kind: InnerStdin, Via: c.Cmd.Name()}
	if o := c.Option("D", "chdir"); o != nil {
		in.Dir = &o.Value
	}
	in.Assigns, in.Argv = leadingAssigns(c.rest(0))
	startsShell := c.Has("s", "i", "shell", "login")
	switch argv := in.Argv; {
	case len(argv) == 0:
		if !startsShell {
			return
		}
	case startsShell && len(argv) == 1 && argv[0].Known && strings.ContainsAny(argv[0].Text, " \t\n;&|"):
		in.Kind, in.Text = InnerText, argv[0] // sudo escapes blanks, other launchers named so do not
	default:
		in.Kind = InnerArgv
	}
	c.runs(in)
}

// leadingAssigns splits NAME=value words off the front.
func leadingAssigns(argv []shell.Word) ([]shell.Assign, []shell.Word) {
	var as []shell.Assign
	for len(argv) > 0 {
		lit := shell.LiteralPrefix(&argv[0])
		name, _, ok := strings.Cut(lit, "=")
		if !ok || name == "" || strings.Contains(name, "/") {
			break
		}
		as = append(as, shell.Assign{Name: name, Value: shell.Suffix(&argv[0], len(name)+1)})
		argv = argv[1:]
	}
	return as, argv
}

// refineSu is su [-] [USER [ARGUMENT...]] and runuser -u USER COMMAND.
func refineSu(c *Invocation) {
	if o := c.Option("u", "user"); o != nil {
		c.runsAs(o.Value.Text, c.rest(0))
		return
	}
	argv := c.suUser()
	if text := c.suText(argv); text != nil {
		c.runs(Inner{Kind: InnerText, Via: ProgramName(c.Argv) + " -c", Text: *text})
	} else {
		c.runs(Inner{Kind: InnerStdin, Via: ProgramName(c.Argv)})
	}
}

// refinePkexec is pkexec [--user USER] COMMAND.
func refinePkexec(c *Invocation) {
	user := "root"
	if o := c.Option("u", "user"); o != nil {
		user = o.Value.Text
	}
	c.runsAs(user, c.rest(0))
}

// refineSg is sg GROUP [-c] COMMAND.
func refineSg(c *Invocation) {
	if c.Has("u", "user") {
		refineSu(c)
		return
	}
	argv := c.suUser()
	switch text := c.suText(argv); {
	case text != nil:
		c.runs(Inner{Kind: InnerText, Via: "sg -c", Text: *text})
	case len(argv) > 0:
		c.runs(Inner{Kind: InnerText, Via: "sg", Text: joined(argv)})
	default:
		c.runs(Inner{Kind: InnerStdin, Via: "sg"})
	}
}

// runsAs runs the text of -c, a command, or a shell as another user.
func (c *Invocation) runsAs(user string, argv []shell.Word) {
	name := ProgramName(c.Argv)
	c.privilege(strings.ReplaceAll(user, shell.HoleMark, ""))
	switch text := c.Option("c", "command", "session-command"); {
	case text != nil:
		c.runs(Inner{Kind: InnerText, Via: name + " -c", Text: text.Value})
	case len(argv) > 0:
		c.runs(Inner{Kind: InnerArgv, Via: name, Argv: argv})
	default:
		c.runs(Inner{Kind: InnerStdin, Via: name})
	}
}

// suUser reads [-] [USER] and returns what follows.
func (c *Invocation) suUser() []shell.Word {
	user, argv := "root", c.rest(0)
	for len(argv) > 0 && argv[0].Known && argv[0].Text == "-" {
		argv = argv[1:]
	}
	if len(argv) > 0 && !strings.HasPrefix(argv[0].Text, "-") {
		user, argv = argv[0].Text, argv[1:]
	}
	c.privilege(strings.ReplaceAll(user, shell.HoleMark, ""))
	return argv
}

// suText is the text of -c, which may follow the user; nil when there is none.
func (c *Invocation) suText(argv []shell.Word) (text *shell.Word) {
	if o := c.Option("c", "command", "session-command"); o != nil {
		return &o.Value
	}
	for i := range argv {
		if t := argv[i].Text; (t == "-c" || t == "--command") && i+1 < len(argv) {
			text = &argv[i+1]
		} else if v, ok := strings.CutPrefix(t, "--command="); ok {
			attached := shell.Suffix(&argv[i], len(t)-len(v))
			text = &attached
		}
	}
	return text
}
