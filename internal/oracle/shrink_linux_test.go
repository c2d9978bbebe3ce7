package oracle

import "strings"

// shrink makes a text smaller while it still fails, with a bounded number of tries.
func shrink(text string, fails func(string) bool) string {
	tries := 600
	try := func(s string) bool {
		if tries--; tries < 0 || s == text || s == "" || !fails(s) {
			return false
		}
		text = s
		return true
	}
	for again := true; again && tries > 0; {
		again = false
		tokens := tokenize(text)
		for size := len(tokens) / 2; size > 0; size /= 2 {
			for i := 0; i+size <= len(tokens); {
				if try(strings.Join(tokens[:i], "") + strings.Join(tokens[i+size:], "")) {
					tokens = append(tokens[:i:i], tokens[i+size:]...)
					again = true
				} else {
					i += size
				}
			}
		}
		for i := 0; i < len(text); i++ {
			if try(text[:i] + text[i+1:]) {
				again = true
				i--
			}
		}
	}
	return text
}
