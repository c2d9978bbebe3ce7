package oracle

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
)

// A helpOption is an option as the program's own --help spells it.
type helpOption struct {
	short, long string // without dashes, or "" if none
	arg         commands.Arg
	meta        string // what the help calls the value: FILE, NUM
}

// parseHelp finds the options in the output of --help. It reads the forms GNU, util-linux and binutils use:
//
//	-a, --all              -t, --target=DIR        -n, --lines=[-]NUM     --color[=WHEN]
//	-i[SUFFIX], --in-place[=SUFFIX]                -e script, --expression=script
//	-o, --output <file>    -t --radix={o,d,x}      -c, --check, --check=diagnose-first
func parseHelp(help string) []helpOption {
	var out []helpOption
	for line := range strings.Lines(help) {
		line = strings.TrimRight(line, "\n")
		body := strings.TrimLeft(line, " \t")
		if indent := len(line) - len(body); strings.HasPrefix(body, "-") && indent > 0 && indent < 12 && len(body) > 1 {
			out = append(out, parseSpec(specOf(body))...)
		}
	}
	for i := range out { // --check and --check=X on lines of their own
		for k := range out {
			if out[i].long != "" && out[i].long == out[k].long && out[i].arg != out[k].arg {
				out[i].arg, out[k].arg = commands.OptArg, commands.OptArg
				out[i].meta = max(out[i].meta, out[k].meta)
			}
		}
	}
	return out
}

// specOf cuts the description off.
func specOf(body string) string {
	body, _, _ = strings.Cut(body, "\t")
	for i := 0; i+2 <= len(body); i++ {
		if body[i:i+2] == "  " && !(i+2 < len(body) && body[i+2] == '-') {
			return body[:i]
		}
	}
	return body
}

// parseSpec reads the names of one option. A value named for the one is taken by the other when there is
// one letter and one word.
func parseSpec(spec string) []helpOption {
	var out []helpOption
	shorts, longs := 0, 0
	apart := false // a value as a word of its own was seen
	for _, w := range strings.Fields(spec) {
		w = strings.TrimSuffix(w, ",")
		var o helpOption
		switch {
		case strings.ContainsAny(w, "|\"") || strings.HasPrefix(w, "..") || strings.HasPrefix(w, "---") || w == "or" || w == "-" || w == "":
			continue
		case strings.HasPrefix(w, "--"):
			name, value := w[2:], ""
			if i := strings.IndexAny(name, "=["); i >= 0 {
				name, value = name[:i], name[i:]
			}
			if name == "" || strings.HasPrefix(value, "[") && !strings.HasPrefix(value, "[=") || strings.Trim(name, letters+"-_") != "" {
				continue // --[no-]x
			}
			o = helpOption{long: name, arg: argOf(value), meta: metaOf(value)}
			longs++
		case w[0] == '-':
			value := w[2:]
			if value != "" && value[0] != '[' && value[0] != '<' && value[0] != '=' && strings.ToUpper(value) != value || strings.Trim(w[1:2], letters) != "" || value != "" && w[1] == 'N' {
				continue // -type, -NUM
			}
			o = helpOption{short: w[1:2], arg: argOf(value), meta: metaOf(value)}
			shorts++
		default:
			if last := len(out) - 1; last >= 0 && out[last].arg == commands.NoArg && !apart {
				apart = true
				out[last].arg, out[last].meta = commands.HasArg, metaOf(w)
				if strings.HasPrefix(w, "[") {
					out[last].arg = commands.OptArg
				}
			}
			continue
		}
		apart = false
		out = append(out, o)
	}
	if shorts == 1 && longs > 0 {
		share(out)
	}
	return out
}

// share gives the letter the value of the words, and the words that of the letter, when all words agree. A
// value that must be attached is shown at each that takes one.
func share(out []helpOption) {
	short, long := -1, -1
	for i := range out {
		switch {
		case out[i].short != "":
			short = i
		case long >= 0 && out[i].arg != out[long].arg:
			return
		default:
			long = i
		}
	}
	if out[short].arg == commands.NoArg && out[long].arg == commands.HasArg {
		out[short].arg, out[short].meta = out[long].arg, out[long].meta
	}
	for i := range out {
		if i != short && out[i].arg == commands.NoArg {
			out[i].arg, out[i].meta = out[short].arg, out[short].meta
		}
	}
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

func argOf(value string) commands.Arg {
	switch {
	case value == "":
		return commands.NoArg
	case value[0] == '[':
		return commands.OptArg
	}
	return commands.HasArg
}

func metaOf(value string) string { return strings.Trim(value, "<>[]{}=,.") }
