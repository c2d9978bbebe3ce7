package imported

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// chained excuses a text of a shell whose parts are each allowed (decisions 10a), as one of the texts that mean the same.
func chained(text string, allowed func(text string) bool) bool {
	parts := chainParts(text)
	return parts != nil && !slices.ContainsFunc(parts, func(words []string) bool {
		return !slices.ContainsFunc(sameTexts(words), allowed)
	})
}

// sameTexts excuses the words of a command without what decisions 4 strips for every list: wrappers, blanks, quotes and
// comments, what goes to another descriptor; and a program of a system folder, which is called by its base name (10b).
func sameTexts(words []string) (out []string) {
	for {
		out = append(out, strings.Join(words, " "))
		switch {
		case len(words) > 2 && words[0] == "timeout":
			words = words[2:]
		case len(words) > 3 && words[0] == "nice":
			words = words[3:]
		case len(words) > 0 && strings.HasPrefix(words[0], "/usr/bin/"):
			words = append([]string{path.Base(words[0])}, words[1:]...)
		default:
			return out
		}
	}
}

// chainParts are the words of each command of a chain; nil for a text that is more than a chain of words.
func chainParts(text string) (parts [][]string) {
	if strings.ContainsAny(text, "`$(){}") {
		return nil
	}
	text = regexp.MustCompile(`(^|\s)#[^\n]*|2>&1`).ReplaceAllString(text, "$1")
	word := regexp.MustCompile(`"[^"]*"|'[^']*'|&&|\|\||[;|&\n]|[<>0-9]*[<>]&?\s*\S+|[^\s;|&"']+`)
	words := []string(nil)
	for _, w := range append(word.FindAllString(text, -1), ";") {
		switch {
		case w == "&&" || w == "||" || strings.Contains(";|&\n", w):
			if words != nil {
				parts = append(parts, words)
			}
			words = nil
		case redirected(w):
		case strings.ContainsAny(w[:1], `"'`) && !strings.Contains(w, " "):
			words = append(words, strings.Trim(w, `"'`))
		default:
			words = append(words, w)
		}
	}
	return parts
}

// redirected excuses a redirect: its target is checked as a read or an edit of that file, and in the bare posture a rule
// for the command covers one into the project (decisions 4).
func redirected(word string) bool { return strings.ContainsAny(word[:1], "<>") }
