package oracle

import (
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// insertions are what mutation puts into a text at any place.
var insertions = [...]string{
	"\\\n", "\\\n", "'", "\"", "''", "\"\"", "\\", "\n", " ", "#", " #", " # c\n", " # c\\\n", ";", "; ", "&", "|", " && ", "(", ")", "{", "}", "$", "`", "$(", "${", "$((", "))", "<", ">", "<<E\n", "\nE\n", "<<<", "=", "[", "]", "[[ ", " ]]",
	"*", "?", "~", "!", ",", "$x", "\"$x\"", "${x:-", "$'", "$\"", "<(", ">(", ">&", "&>", "2>", "{a,b}", "\t", "x=", "$@", "é", "case x in x) ", ";; esac", "time ", "! ", "coproc ", "eval ", "exec ", "command ", "%", "^", "/", "-", "--",
}

// wraps put a whole text, or a part of it, into something else.
var wraps = [...][2]string{
	{"$(", ")"}, {"qa $(", ")"}, {"qa \"$(", ")\""}, {"`", "`"}, {"(", ")"}, {"{ ", "; }"}, {"\"", "\""}, {"'", "'"}, {"eval '", "'"}, {"eval \"", "\""}, {"qa <<E\n", "\nE\n"}, {"qa <<'E'\n", "\nE\n"}, {"qa <<E\n$(", ")\nE\n"},
	{"if ", "; then qa; fi"}, {"qa && ", ""}, {"! ", ""}, {"qa <(", ")"}, {"x=", "; qa $x"}, {"x=$(", "); qa \"$x\""}, {"qa ${x:-", "}"}, {"qa \"${x:-", "}\""}, {"qa $((", "))"}, {"[[ ", " ]]"}, {"case x in x) ", ";; esac"},
	{"trap '", "' EXIT"}, {"f() { ", "\n}; f"}, {"for i in ", "; do qa $i; done"}, {"qa <<< ", ""}, {"qa \"", "\" # c"}, {"$'", "'"}, {"qa > ", ""}, {"", " > o"}, {"", " # c\\\nqa"}, {"\\\n", ""}, {"a=(", ")"}, {"cd sub && ", ""},
}

// mutate returns a text made of one or two others.
func mutate(r *rand.Rand, a, b string) string {
	for range 1 + r.IntN(4) {
		tokens := tokenize(a)
		if len(tokens) == 0 {
			return b
		}
		i, j := r.IntN(len(tokens)), r.IntN(len(tokens))
		switch r.IntN(9) {
		case 0:
			tokens = append(tokens[:i:i], tokens[i+1:]...)
		case 1:
			tokens = append(tokens[:i:i], append([]string{tokens[j]}, tokens[i:]...)...)
		case 2:
			tokens[i], tokens[j] = tokens[j], tokens[i]
		case 3:
			other := tokenize(b)
			if len(other) > 0 {
				k := r.IntN(len(other))
				tokens = append(tokens[:i:i], other[k:]...)
			}
		case 4:
			i, j = min(i, j), max(i, j)
			wrap := wraps[r.IntN(len(wraps))]
			tokens[i], tokens[j] = wrap[0]+tokens[i], tokens[j]+wrap[1]
		case 5:
			wrap := wraps[r.IntN(len(wraps))]
			tokens[0], tokens[len(tokens)-1] = wrap[0]+tokens[0], tokens[len(tokens)-1]+wrap[1]
		default:
			at := r.IntN(len(a) + 1)
			for at < len(a) && !utf8.RuneStart(a[at]) {
				at++
			}
			tokens = []string{a[:at], insertions[r.IntN(len(insertions))], a[at:]}
		}
		a = strings.Join(tokens, "")
	}
	if len(a) > maxSeed {
		a = a[:maxSeed]
	}
	return strings.ReplaceAll(a, between, "")
}

// tokenize cuts a text into words, runs of blanks and single other characters.
func tokenize(s string) []string {
	var out []string
	kind := func(c byte) int {
		switch {
		case c == ' ' || c == '\t':
			return 1
		case c >= 0x80 || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			return 2
		}
		return 0
	}
	for s != "" {
		n, k := 1, kind(s[0])
		for k > 0 && n < len(s) && kind(s[n]) == k {
			n++
		}
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}
