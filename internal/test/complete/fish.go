package complete

import (
	"fmt"
	"io"
	"strings"
)

// fishWalk prints the command the cursor is after and the number of the
// operand it is at; options end at the first operand.
const fishWalk = `function __permgate_at --description 'the command and the operand the cursor is at'
	set -l at
	set -l operand 0
	set -l option 0
	set -l options 1
	set -l tokens (commandline -opc)
	for w in $tokens[2..]
		if test $option = 1
			set option 0
		else if test $options = 1; and string match -q -- '-?*' $w
			if test "$w" = --
				set options 0
				set operand (math "max($operand, 1)")
			else if not string match -q -- '*=*' $w; and contains -- "$at $w" $__permgate_takes
				set option 1
			end
		else if test $operand = 0; and contains -- (string trim "$at $w") $__permgate_commands
			set at (string trim "$at $w")
		else
			set operand (math "max($operand, 1)" + 1)
			contains -- "$at" $__permgate_anywhere; or set options 0
		end
	end
	echo "$at"
	echo $operand
	echo $options
end

# __permgate_in COMMAND options | PLACE | PLACE+
function __permgate_in
	set -l where (__permgate_at)
	test "$where[1]" = "$argv[1]"; or return 1
	switch $argv[2]
		case options
			test $where[3] = 1
		case '*+'
			test (math "max($where[2], 1)") -ge (string trim --right --chars=+ $argv[2])
		case '*'
			test (math "max($where[2], 1)") = $argv[2]
	end
end
`

// Fish writes the script for fish 3.
func Fish(w io.Writer, c *Command) {
	p, nodes := printer(w), walk(c, "")
	p(0, "# fish completion of permgate, written by: permgate completion fish\n")
	var commands, takes []string
	for _, n := range nodes {
		commands = append(commands, fishQuote(fishPath(n.path)))
		for i := range n.Flags {
			for _, s := range n.Flags[i].spelt() {
				if n.Flags[i].Takes {
					takes = append(takes, fishQuote(fishPath(n.path)+" "+s))
				}
			}
		}
	}
	p(0, "set -g __permgate_commands %s\n", strings.Join(commands[1:], " \\\n\t"))
	p(0, "set -g __permgate_takes %s\n", strings.Join(takes, " \\\n\t"))
	var any []string
	for _, path := range anywhere(nodes) {
		any = append(any, fishQuote(fishPath(path)))
	}
	p(0, "set -g __permgate_anywhere %s\n", strings.Join(any, " "))
	p(0, "%s", fishWalk)
	for _, v := range values(nodes) {
		fishValues(p, v)
	}
	p(0, "complete -c permgate -e\ncomplete -c permgate -f")
	for _, n := range nodes {
		fishNode(p, n)
	}
}

// fishPath is the path without the name of the program.
func fishPath(path string) string {
	_, rest, _ := strings.Cut(path, " ")
	return rest
}

// fishValues writes the function that prints the values of one kind.
func fishValues(p func(int, string, ...any), v *Values) {
	p(0, "function __permgate_%s", v.Name)
	for _, w := range v.Words {
		p(1, "printf '%%s\\t%%s\\n' %s %s", w.Text, fishQuote(first(w.Help)))
	}
	switch v.Shell {
	case Files:
		p(1, "__fish_complete_path (commandline -ct)")
	case Dirs:
		p(1, "__fish_complete_directories (commandline -ct) ''")
	case Programs:
		p(1, "complete -C (commandline -ct)")
	}
	p(0, "end\n")
}

// fishNode writes what is offered after one command.
func fishNode(p func(int, string, ...any), n node) {
	if len(n.Flags)+len(n.Subs)+len(n.Operands) == 0 {
		return
	}
	p(0, "\n# %s", n.path)
	in := func(where string) string {
		return "complete -c permgate -n '__permgate_in \"" + fishPath(n.path) + "\" " + where + "'"
	}
	for i := range n.Flags {
		f := &n.Flags[i]
		line := in("options") + " -l " + f.Name
		if f.Short != "" {
			line += " -s " + f.Short
		}
		if f.Takes {
			line += " -x"
		}
		if f.Values != nil {
			line += " -a '(__permgate_" + f.Values.Name + ")'"
		}
		p(0, "%s -d %s", line, fishQuote(first(f.Help)))
	}
	for i := range n.Subs {
		p(0, "%s -a %s -d %s", in("1"), n.Subs[i].Name, fishQuote(first(n.Subs[i].Help)))
	}
	for i, v := range n.Operands {
		place := fmt.Sprint(i + 1)
		if i == len(n.Operands)-1 {
			place += "+"
		}
		if v != nil {
			p(0, "%s -a '(__permgate_%s)'", in(place), v.Name)
		}
	}
}

// fishQuote quotes a text for fish.
func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
