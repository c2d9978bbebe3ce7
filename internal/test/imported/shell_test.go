package imported

import "strings"

// A shellPart is a command of a text: its words, without assignments, and the files that it is redirected to. Plain is
// false where there is anything but words.
type shellPart struct {
	words, writes []string
	plain         bool
}

// shellParts cuts a text of the tests into commands: words with single or double quotes, joined by && || ; | and
// newlines, with redirects and a comment. There are no expansions in them.
func shellParts(text string) (out []shellPart) {
	part, word, have, target := shellPart{plain: true}, "", false, false
	end := func() {
		switch name, _, assigns := strings.Cut(word, "="); {
		case !have:
		case target:
			part.writes = append(part.writes, word)
			target = false
		case assigns && len(part.words) == 0 && name == strings.ToUpper(name):
			part.plain = false
		default:
			part.words = append(part.words, word)
		}
		word, have = "", false
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' || c == '"':
			n := strings.IndexByte(text[i+1:], c)
			word, have = word+text[i+1:i+1+n], true
			i += n + 1
		case c == '#' && !have:
			part.plain = false
			i += strings.IndexByte(text[i:]+"\n", '\n') - 1
		case strings.HasPrefix(text[i:], "2>&1"):
			part.plain = false
			i += len("2>&1") - 1
		case c == '>':
			end()
			part.plain, target = false, true
		case strings.IndexByte("&|;\n", c) >= 0:
			if end(); len(part.words) > 0 {
				out = append(out, part)
			}
			part = shellPart{plain: true}
		case c == ' ':
			end()
		default:
			word, have = word+string(c), true
		}
	}
	if end(); len(part.words) > 0 {
		out = append(out, part)
	}
	return out
}
