package interp

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// substitution adds what a command prints. Most often nothing is known of it;
// the tables say of some commands that they print tokens only, and such a word
// cannot be an option.
func (x *expander) substitution(p *syntax.CmdSubst, several bool) {
	if !x.open && printsTokens(p.Stmts) {
		x.tokens++
	}
	if len(x.buf) == 0 && !x.hole && x.makesTemp(p.Stmts) {
		x.temp = true
		x.ones++
	}
	if one, ok := printsNumbers(p.Stmts); ok {
		x.downs++
		if one {
			x.ones++
		}
	}
	if x.w.printsIntegers(p.Stmts, x.c, x.st) {
		x.digits++
	}
	x.unknown(several)
}

// onlyTokens reports whether the unknown parts are tokens, and numbers beside them.
func (x *expander) onlyTokens() bool {
	return x.tokens > 0 && x.tokens+x.numbers == x.unknowns && !x.st.ifs
}

// noDash reports whether a word whose unknown parts are tokens, or nothing, makes no
// argument that starts with -, as a pattern or a number may.
func (x *expander) noDash(text string) bool {
	rest := strings.TrimLeft(text, shell.HoleMark)
	return !x.glob && !strings.HasPrefix(rest, "-") && (x.numbers == 0 || rest == text)
}

// printsTokens reports whether a substitution is one plain command, all of it
// literal, that prints tokens. It may discard what it says of errors.
func printsTokens(stmts []*syntax.Stmt) bool {
	argv := plainArgv(stmts)
	if len(argv) == 0 {
		return false
	}
	c := commands.Describe(argv, &shell.CwdState{}, "")
	if c.Cmd == nil || c.Sub.Rare().Tokens == nil || !commands.SystemProgram(argv[0].Text) {
		return false
	}
	return c.Understood() && len(c.Facts.Narrow) == 0 && c.Sub.Rare().Tokens(c)
}

// plainArgv returns the words of a substitution that is one plain command, all
// of it literal; nil for any other. It may discard what it says of errors.
func plainArgv(stmts []*syntax.Stmt) []shell.Word {
	if len(stmts) != 1 {
		return nil
	}
	argv := make([]shell.Word, 0, 4)
	for _, word := range plainCall(stmts[0]) {
		lit := plainLit(word)
		if lit == "" {
			return nil
		}
		argv = append(argv, shell.Word{Text: lit, Known: true, Single: true})
	}
	return argv
}

// plainCall returns the words of a statement that is one command without
// assignments; the only redirect may discard errors. It is nil for any other.
func plainCall(s *syntax.Stmt) []*syntax.Word {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || !inForeground(s) {
		return nil
	}
	for _, r := range s.Redirs {
		if !discardsErrors(r) {
			return nil
		}
	}
	return call.Args
}

func discardsErrors(r *syntax.Redirect) bool {
	return r.Op == syntax.RdrOut && r.N != nil && r.N.Value == "2" && plainLit(r.Word) == "/dev/null"
}

// printsNumbers reports whether a substitution is one plain command that prints
// numbers: seq, or date by a format of them; one is set where it is a single word.
func printsNumbers(stmts []*syntax.Stmt) (one, ok bool) {
	argv := plainArgv(stmts)
	if len(argv) == 0 || !commands.SystemProgram(argv[0].Text) {
		return false, false
	}
	switch commands.TableName(commands.ProgramName(argv)) {
	case "seq":
		for i := range argv[1:] {
			if !shell.Number(argv[i+1].Text) {
				return false, false
			}
		}
		return false, len(argv) > 1
	case "date":
		return true, commands.DateTokens(commands.Describe(argv, &shell.CwdState{}, ""))
	}
	return false, false
}
