package commands

import "strings"

// What the programs have in common that run commands on machines they manage.
const machineFlags = "-e exec"

var machineOpts = []Opt{{"-cC command", HasArg, 0}}

// machineCommands are the programs that run another one on a machine.
var machineCommands = []Command{
	{
		Names: "vagrant", Title: "manages machines, and runs commands on them", Flags: machineFlags, Opts: machineOpts, refine: refineVagrant,
		Special: &Special{Losses: []Loss{{Of: OfMachine, Verbs: []string{"destroy", "snapshot delete"}}}},
	},
	{
		Names: "lima wsl orb", Title: "runs commands on a machine", Flags: machineFlags, Opts: machineOpts, refine: refineOnMachine,
		Special: &Special{Losses: []Loss{{Of: OfMachine, Names: "wsl", Verbs: []string{" --unregister"}}}},
	},
	{
		Names: "multipass fly flyctl heroku limactl colima machinectl", Title: "manages machines, and runs commands on them",
		Flags: machineFlags, Opts: machineOpts, refine: refineMachine,
		Special: &Special{Credentials: []Credential{{"heroku auth:token|authorizations:create", "", "*.heroku.com"}, {"heroku config|config:get", "", "*"}, {"fly|flyctl auth token", "", "*.fly.io *.machines.dev"}, {"fly|flyctl token|tokens create", "", "*.fly.io *.machines.dev"}}, Losses: []Loss{
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
	{Names: "adb", Title: "talks to an Android device", Values: "-stHP", Style: StopAtOperand, refine: refineAdb},
}

// refineAdb is adb shell: text that a device runs.
func refineAdb(c *Invocation) {
	if argv := c.rest(1); len(argv) > 0 && c.LiteralOperand(0) == "shell" {
		c.remote(Inner{Kind: InnerText, Via: "adb shell", Text: joined(argv)})
	}
}

// refineMachine finds the command for another machine: the text of -c and -C, or
// the words behind the verb and, where it takes one, the name of the machine.
func refineMachine(c *Invocation) {
	switch c.LiteralOperand(0) {
	case "run", "ssh":
		c.onMachine(1)
	case "exec", "shell":
		c.onMachine(2)
	default:
		c.onMachine(len(c.Operands))
	}
}

// refineVagrant: ssh has a command in -c only.
func refineVagrant(c *Invocation) {
	if c.LiteralOperand(0) == "ssh" {
		c.onMachine(len(c.Operands))
	} else {
		refineMachine(c)
	}
}

func refineOnMachine(c *Invocation) { c.onMachine(0) }

// onMachine shows deny rules and checks the command for another machine, where
// neither an option nor -- names it the operands from one on.
func (c *Invocation) onMachine(from int) {
	via := ProgramName(c.Argv)
	if o := c.Option("c", "C", "command"); o != nil && o.Given {
		c.remote(Inner{Kind: InnerText, Via: via, Text: o.Value})
		return
	}
	if c.DashDash > 0 && c.DashDash+1 < len(c.Argv) {
		c.remote(Inner{Kind: InnerArgv, Via: via, Argv: c.Argv[c.DashDash+1:]})
		return
	}
	switch argv := c.rest(from); {
	case len(argv) == 1 && strings.ContainsAny(argv[0].Text, " \t\n"):
		c.remote(Inner{Kind: InnerText, Via: via, Text: argv[0]})
	case len(argv) > 0:
		c.remote(Inner{Kind: InnerArgv, Via: via, Argv: argv})
	}
}
