package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// codeRemoves finds the deletion of the root, a system directory or a home by a
// function of the language: s follows the name of the function. The checks see
// it as rm of that path; every other path is left alone.
func (c *Invocation) codeRemoves(via, s string, at *shell.Word) {
	path, rest, expand, ok := codePath(strings.TrimLeft(s, " \t\n("))
	if !ok || !argumentEnds(rest) || strings.ContainsAny(path, "{}$#*?\\") {
		return
	}
	if expand && (path == "~" || strings.HasPrefix(path, "~/")) {
		path = c.Home + path[1:]
	}
	if e := (shell.Effect{Path: shell.CleanPath(path), Known: true}); strings.HasPrefix(path, "/") && shell.Ruinous(&e, c.Home) {
		c.remote(Inner{Kind: InnerArgv, Via: via, Argv: []shell.Word{shell.Literal("rm", at), shell.Literal("-rf", at), shell.Literal(path, at)}})
	}
}

// codePath reads the path at the start of s, and says whether a ~ in it is the home.
func codePath(s string) (path, rest string, expand, ok bool) {
	for _, wrap := range [...]string{"os.path.expanduser(", "File.expand_path(", "pathlib.Path(", "Path(", "str("} {
		if inside, ok := strings.CutPrefix(s, wrap); ok {
			s, expand = strings.TrimLeft(inside, " \t\n"), expand || strings.Contains(wrap, "expand")
		}
	}
	if home := shell.HomeExpression(s); home > 0 {
		return "~", s[home:], true, true
	}
	path, rest, ok = CodeString(s)
	return path, rest, expand, ok
}

// argumentEnds reports whether an argument of a function ends where the rest begins.
func argumentEnds(rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	return rest == "" || strings.IndexByte("),;]\n", rest[0]) >= 0
}

// removerName returns the length of the name at the start of s when it is one of
// the functions that delete a tree. Some need to be told to: recursive.
func removerName(s string, method bool) int {
	n := 0
	for n < len(s) && lang.AwkNameByte(s[n]) {
		n++
	}
	switch s[:n] {
	case "rmtree", "remove_tree", "rm_rf", "rm_r", "rimraf", "rimrafSync", "removeSync":
		return n
	case "rm", "rmSync", "rmdirSync":
		if method && strings.Contains(s, "recursive") {
			return n
		}
	}
	return 0
}
