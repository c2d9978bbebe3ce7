package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// apply_patch takes a patch as its one argument or on standard input. No system
// has it: several agents carry out a shell text with it themselves.

// refineApplyPatch reads the argument; without one package interp reads its input.
func refineApplyPatch(c *Invocation) {
	if w := c.Operand(0); w != nil {
		c.Facts.Effects = append(c.Facts.Effects, PatchEffects(w, c.Cwd)...)
		c.Wrote = true
	}
}

// PatchEffects are the files that a patch changes. One without a file, with a
// header that is not known or with a part made at run time may change any.
func PatchEffects(patch *shell.Word, cwd *shell.CwdState) (out []shell.Effect) {
	any := !patch.Known
	for line := range strings.FieldsFuncSeq(patch.Text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		trimmed := strings.TrimSpace(line)
		kind, name, ok := patchHeader(trimmed)
		if ok {
			word := shell.Literal(name, patch)
			out = append(out, shell.EffectsOf(kind, &word, cwd)...)
		} else if strings.HasPrefix(line, "***") {
			any = any || !slices.Contains([]string{"*** Begin Patch", "*** End Patch", "*** End of File"}, trimmed)
		}
	}
	if any || len(out) == 0 {
		word := shell.Hole("", patch)
		out = append(out, shell.EffectsOf(shell.Write, &word, cwd)...)
	}
	return out
}

func patchHeader(line string) (kind shell.EffectKind, name string, ok bool) {
	for _, header := range [...]string{"*** Add File:", "*** Update File:", "*** Move to:", "*** Delete File:"} {
		if name, ok = strings.CutPrefix(line, header); ok {
			kind = shell.Write
			if header == "*** Delete File:" {
				kind = shell.Delete
			}
			return kind, strings.TrimSpace(name), true
		}
	}
	return kind, "", false
}
