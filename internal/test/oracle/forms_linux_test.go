package oracle

import "regexp"

// A form is something of a shell whose texts are counted: one that is always doubted tests nothing.
type form struct {
	name  string
	finds *regexp.Regexp
}

// formsOf returns the forms of a shell.
func formsOf(shell string) (out []form) {
	rows := [][2]string{{"a list in the background", `(&&|\|\|)[^;&|\n]*[^;&|><\s]\s*&([^&|>!0-9]|$)`}}
	switch shell {
	case "zsh":
		rows = append(rows, zshRows[:]...)
	case "bash", "bash32", "bash53":
		rows = append(rows, bashRowsOfForms[:]...)
	}
	for _, row := range rows {
		out = append(out, form{row[0], regexp.MustCompile(row[1])})
	}
	return out
}

var zshRows = [...][2]string{
	{"a glob qualifier that runs something", `[^\s$]\((#q)?[.N/^oO,]*(e[^)\s]|\+\w)`},
	{"another glob qualifier", `[*?\w]\((#q[^e]|[.N/:Y]|om|P:)`},
	{"=command", `(^|[\s;&|({=])=\w`},
	{"a function without a name", `(^|[;&|{(\s])(\(\)\s*[{(]|function\s*(\(\)\s*)?\{)`},
	{"always", `\}\s*always\b`},
	{"several redirections of one descriptor", `(^|[^0-9&])>>?\s*[^\s;&|()]+\s+>>?\s*[^\s;&|()]|<\s*[^\s<;&|()]+\s+<\s*[^<\s]`},
	{"flags of an expansion", `\$\{\(`},
	{"repeat", `\brepeat\b`},
	{"a short loop", `\bfor \w+( \w+)* \(|\bforeach\b|\bfor \w+ in [^;\n]*; [^d ]|\b(if|while|until) (\[\[|\(|\{)[^;]*[\])}] [^t]`},
	{"an alias anywhere in a line", `\balias\s+-[gs]|\b[gs]aliases\b`},
	{"a function that runs by itself", `\b(chpwd|precmd|preexec|periodic|zshexit|TRAP[A-Z]|zsh_directory_name|command_not_found_handler)`},
}

var bashRowsOfForms = [...][2]string{
	{"coproc", `\bcoproc\b`},
	{"a substitution in the shell itself", `\$\{[\s|(]`},
	{"a reference", `\b(declare|local|typeset) -\w*n`},
	{"mapfile -C", `\b(mapfile|readarray)\b.*-\w*C`},
	{"enable -f", `\benable\b.*-\w*f`},
	{"complete -C, compgen -C", `\b(complete|compgen)\b.*-\w*C`},
	{"hash -p", `\bhash -\w*p`},
	{"${v@P}", `@P\}`},
}
