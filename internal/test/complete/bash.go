package complete

import (
	"io"
	"strings"
)

// bashWalk finds out where the cursor is: after which command, how many
// operands, and whether an option waits for its value. Bash makes three words
// of --host=claude.
const bashWalk = `	local cur=${COMP_WORDS[COMP_CWORD]} at=permgate operand=0 options=1 option= i w
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		w=${COMP_WORDS[i]}
		if [[ $w == = ]]; then
			continue
		elif [[ -n $option ]]; then
			option=
		elif [[ -n $options && $w == -- ]]; then
			options= operand=$((operand ? operand : 1))
		elif [[ -n $options && $w == -?* ]]; then
			_permgate_takes "$at $w" && option=$w
		elif [[ $operand == 0 ]] && _permgate_is "$at $w"; then
			at="$at $w"
		else
			operand=$((operand ? operand + 1 : 2))
			_permgate_anywhere "$at" || options=
		fi
	done
	[[ $cur == = ]] && cur=
	[[ -n $options && -z $option && $cur == -* ]] && option=-
	((operand)) || operand=1`

// Bash writes the script for bash 3.2 and later.
func Bash(w io.Writer, c *Command) {
	p, nodes := printer(w), walk(c, "")
	p(0, "# bash completion of permgate, written by: permgate completion bash\n")
	p(0, "# The commands, and the options that take a value.")
	p(0, "_permgate_is() {\n\tcase $1 in")
	for _, n := range nodes[1:] {
		p(1, "%s) ;;", quote(n.path))
	}
	p(1, "*) return 1 ;;\n\tesac\n}\n")
	p(0, "_permgate_takes() {\n\tcase $1 in")
	for _, n := range nodes {
		var take []string
		for i := range n.Flags {
			if n.Flags[i].Takes {
				for _, s := range n.Flags[i].spelt() {
					take = append(take, n.path+" "+s)
				}
			}
		}
		if len(take) > 0 {
			p(1, "%s) ;;", pattern(take))
		}
	}
	p(1, "*) return 1 ;;\n\tesac\n}\n")
	p(0, "# The commands that take options behind operands.")
	p(0, "_permgate_anywhere() {\n\tcase $1 in")
	if any := anywhere(nodes); len(any) > 0 {
		p(1, "%s) ;;", pattern(any))
	}
	p(1, "*) return 1 ;;\n\tesac\n}\n")
	bashValues(p, nodes)
	p(0, "_permgate() {\n%s", bashWalk)
	p(1, "case \"$at $option\" in")
	for _, n := range nodes {
		bashNode(p, n)
	}
	p(1, "esac\n}\n")
	p(0, "complete -F _permgate permgate")
}

// bashValues writes what gives the words of each kind.
func bashValues(p func(int, string, ...any), nodes []node) {
	p(0, "# What can stand at a place, by kind.")
	p(0, "_permgate_offer() {\n\tlocal w\n\twhile IFS= read -r w; do\n\t\tCOMPREPLY+=(\"$w\")\n"+
		"\tdone < <(compgen \"$@\" -- \"$cur\")\n}\n")
	p(0, "_permgate_values() {\n\tcase $1 in")
	for _, v := range values(nodes) {
		p(1, "%s)", v.Name)
		if len(v.Words) > 0 {
			p(2, "_permgate_offer -W %s", quote(strings.Join(v.texts(), " ")))
		}
		switch v.Shell {
		case Files:
			p(2, "compopt -o filenames 2>/dev/null\n\t\t_permgate_offer -f")
		case Dirs:
			p(2, "compopt -o filenames 2>/dev/null\n\t\t_permgate_offer -d")
		case Programs:
			p(2, "_permgate_offer -c")
		}
		p(2, ";;")
	}
	p(1, "esac\n}\n")
}

// bashNode writes what is offered after one command.
func bashNode(p func(int, string, ...any), n node) {
	var flags []string
	for i := range n.Flags {
		f := &n.Flags[i]
		flags = append(flags, f.spelt()...)
		if f.Values != nil {
			var at []string
			for _, s := range f.spelt() {
				at = append(at, n.path+" "+s)
			}
			p(1, "%s) _permgate_values %s ;;", pattern(at), f.Values.Name)
		}
	}
	if len(flags) > 0 {
		p(1, "%s) _permgate_offer -W %s ;;", quote(n.path+" -"), quote(strings.Join(flags, " ")))
	}
	var subs []string
	for i := range n.Subs {
		subs = append(subs, n.Subs[i].Name)
	}
	if len(subs) == 0 && len(n.Operands) == 0 {
		return
	}
	p(1, "%s)", quote(n.path+" "))
	if len(subs) > 0 {
		p(2, "[[ $operand == 1 ]] && _permgate_offer -W %s", quote(strings.Join(subs, " ")))
	}
	if len(n.Operands) > 0 {
		p(2, "case $operand in")
		for i, v := range n.Operands {
			place := []string{"1", "2", "3", "4"}[i]
			if i == len(n.Operands)-1 {
				place = "*"
			}
			if v != nil {
				p(2, "%s) _permgate_values %s ;;", place, v.Name)
			} else if place != "*" {
				p(2, "%s) ;;", place)
			}
		}
		p(2, "esac")
	}
	p(2, ";;")
}
