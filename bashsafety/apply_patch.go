package bashsafety

import "strings"

// apply_patch takes a patch as its one argument or on standard input. No system
// has it: several agents carry out a shell text with it themselves.

// applyPatchMore reads the argument; without one see walker.applyPatch.
func applyPatchMore(c *call) {
	if w := c.operand(0); w != nil {
		c.d.effects = append(c.d.effects, patchEffects(w, c.cwd)...)
		c.wrote = true
	}
}

// applyPatch adds what a patch on standard input writes.
func (w *walker) applyPatch(at int, found *call, c *ctx, st *state) {
	sub := &w.s.Subcommands[at]
	if found.cmd == nil || found.cmd.Names[0] != "apply_patch" || len(sub.Argv) > 1 {
		return
	}
	text := hole("", &sub.Argv[0])
	switch c.stdin.kind {
	case stdinText:
		text = c.stdin.text
		if raw := c.stdin.raw; raw != "" && strings.TrimSpace(raw) != strings.TrimSpace(text.Text) { // agents take it unexpanded, a program expanded
			word := literal(raw, &text)
			sub.Effects = append(sub.Effects, patchEffects(&word, &st.cwd)...)
		}
	case stdinPipe:
		if out, ok := w.literalOutput(c.stdin.left, c, c.stdin.state); ok {
			text = out
		}
	}
	sub.Effects = append(sub.Effects, patchEffects(&text, &st.cwd)...)
	sub.ReadOnly = false
}

// patchEffects are the files that a patch changes. One without a file, with a
// header that is not known or with a part made at run time may change any.
func patchEffects(patch *Word, cwd *cwdState) (out []Effect) {
	any := !patch.Known
	for line := range strings.FieldsFuncSeq(patch.Text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		trimmed := strings.TrimSpace(line)
		kind, name, ok := patchHeader(trimmed)
		if ok {
			word := literal(name, patch)
			out = append(out, effectsOf(kind, &word, cwd)...)
		} else if strings.HasPrefix(line, "***") && trimmed != "*** Begin Patch" && trimmed != "*** End Patch" && trimmed != "*** End of File" {
			any = true
		}
	}
	if any || len(out) == 0 {
		word := hole("", patch)
		out = append(out, effectsOf(Write, &word, cwd)...)
	}
	return out
}

func patchHeader(line string) (kind EffectKind, name string, ok bool) {
	for _, header := range [...]string{"*** Add File:", "*** Update File:", "*** Move to:", "*** Delete File:"} {
		if name, ok = strings.CutPrefix(line, header); ok {
			kind = Write
			if header == "*** Delete File:" {
				kind = Delete
			}
			return kind, strings.TrimSpace(name), true
		}
	}
	return kind, "", false
}
