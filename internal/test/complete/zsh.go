package complete

import (
	"io"
	"strings"
)

// Zsh writes the script for zsh, to be sourced or put into fpath as _permgate.
func Zsh(w io.Writer, c *Command) {
	p, nodes := printer(w), walk(c, "")
	p(0, "#compdef permgate\n# zsh completion of permgate, written by: permgate completion zsh\n")
	for _, v := range values(nodes) {
		zshValues(p, v)
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		zshNode(p, nodes[i])
	}
	p(0, "if [[ $funcstack[1] == _permgate ]]; then\n\t_permgate \"$@\"\n"+
		"elif (( $+functions[compdef] )); then\n\tcompdef _permgate permgate\nfi")
}

// zshName is the function of a command or of values.
func zshName(path string) string { return "_" + strings.NewReplacer(" ", "_", "-", "_").Replace(path) }

// zshValues writes the function that offers the values of one kind.
func zshValues(p func(int, string, ...any), v *Values) {
	p(0, "_permgate_values_%s() {", v.Name)
	if len(v.Words) > 0 {
		zshWords(p, v.Words)
		p(1, "_describe -t %s %s words_", v.Name, v.Name)
	}
	switch v.Shell {
	case Files:
		p(1, "_files")
	case Dirs:
		p(1, "_files -/")
	case Programs:
		p(1, "_command_names -e")
	}
	p(0, "}\n")
}

// zshWords writes an array of words as _describe takes them.
func zshWords(p func(int, string, ...any), words []Word) {
	p(1, "local -a words_=(")
	for _, w := range words {
		text := w.Text
		if w.Help != "" {
			text += ":" + first(w.Help)
		}
		p(2, "%s", quote(text))
	}
	p(1, ")")
}

// zshNode writes the function of a command. _arguments hands the rest of the
// line to the function of the verb.
func zshNode(p func(int, string, ...any), n node) {
	p(0, "%s() {", zshName(n.path))
	var specs []string
	for i := range n.Flags {
		specs = append(specs, zshFlag(&n.Flags[i])...)
	}
	if len(n.Subs) > 0 {
		specs = append(specs, "1: :->verb", "*:: :->rest")
		p(1, "local curcontext=$curcontext state line\n\tlocal -A opt_args")
	} else {
		for i, v := range n.Operands {
			place := []string{"1", "2", "3", "4"}[i]
			if i == len(n.Operands)-1 {
				place = "*"
			}
			if v != nil {
				specs = append(specs, place+":"+v.Name+":_permgate_values_"+v.Name)
			} else {
				specs = append(specs, place+": : ")
			}
		}
	}
	quoted := make([]string, len(specs))
	for i, s := range specs {
		quoted[i] = quote(s)
	}
	if len(specs) == 0 {
		p(1, "_message 'nothing more'\n}\n")
		return
	}
	ends := " -A '-*'" // options end at the first operand
	if n.Anywhere {
		ends = ""
	}
	p(1, "_arguments -C -S%s \\\n\t\t%s", ends, strings.Join(quoted, " \\\n\t\t"))
	if len(n.Subs) > 0 {
		zshVerbs(p, n)
	}
	p(0, "}\n")
}

// zshVerbs writes what happens at a verb and after it.
func zshVerbs(p func(int, string, ...any), n node) {
	p(1, "case $state in\n\tverb)")
	words := make([]Word, len(n.Subs))
	for i := range n.Subs {
		words[i] = Word{n.Subs[i].Name, n.Subs[i].Help}
	}
	zshWords(p, words)
	p(1, "_describe -t commands command words_")
	if len(n.Operands) > 0 && n.Operands[0] != nil {
		p(1, "_permgate_values_%s", n.Operands[0].Name)
	}
	p(1, ";;\n\trest)\n\tcase $words[1] in")
	for i := range n.Subs {
		p(1, "%s) %s ;;", n.Subs[i].Name, zshName(n.path+" "+n.Subs[i].Name))
	}
	if k := len(n.Operands); k > 0 && n.Operands[k-1] != nil {
		p(1, "*) _permgate_values_%s ;;", n.Operands[k-1].Name)
	}
	p(1, "esac\n\t;;\n\tesac")
}

// zshFlag returns the specifications of an option; its two spellings exclude each other.
func zshFlag(f *Flag) []string {
	help := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(first(f.Help))
	var out []string
	for _, s := range f.spelt() {
		spec := s
		if f.Takes && strings.HasPrefix(s, "--") {
			spec += "="
		}
		spec += "[" + help + "]"
		switch {
		case f.Values != nil:
			spec += ":" + f.Values.Name + ":_permgate_values_" + f.Values.Name
		case f.Takes:
			spec += ":" + f.Name + ": "
		}
		out = append(out, spec)
	}
	return out
}
