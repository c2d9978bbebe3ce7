package bashsafety

import "strings"

// codeRemoves finds the deletion of the root, a system directory or a home by a
// function of the language: s follows the name of the function. The checks see
// it as the rm it stands for; every other path is left alone.
func (c *call) codeRemoves(via, s string, at *Word) {
	s = strings.TrimLeft(s, " \t\n(")
	expand := false
	for _, wrap := range [...]string{"os.path.expanduser(", "File.expand_path(", "pathlib.Path(", "Path(", "str("} {
		if rest, ok := strings.CutPrefix(s, wrap); ok {
			s, expand = strings.TrimLeft(rest, " \t\n"), expand || strings.Contains(wrap, "expand")
		}
	}
	path, rest, ok := codeString(s)
	if home := homeExpression(s); home > 0 {
		path, rest, ok, expand = "~", s[home:], true, true
	}
	if rest = strings.TrimLeft(rest, " \t"); !ok || rest != "" && strings.IndexByte("),;]\n", rest[0]) < 0 || strings.ContainsAny(path, "{}$#*?\\") {
		return
	}
	if expand && (path == "~" || strings.HasPrefix(path, "~/")) {
		path = c.home + path[1:]
	}
	if e := (Effect{Path: cleanPath(path), Known: true}); strings.HasPrefix(path, "/") && ruinous(&e, c.home) {
		c.remote(inner{kind: innerArgv, via: via, argv: []Word{literal("rm", at), literal("-rf", at), literal(path, at)}})
	}
}

// homeExpression returns the length of an expression at the start of s that is
// the user's home, 0 when there is none.
func homeExpression(s string) int {
	for _, e := range [...]string{
		"Path.home()", "pathlib.Path.home()", "os.homedir()", "homedir()", "process.env.HOME", "Dir.home", "ENV['HOME']", `ENV["HOME"]`,
		"os.environ['HOME']", `os.environ["HOME"]`, "os.getenv('HOME')", `os.getenv("HOME")`, "$ENV{HOME}", "getenv('HOME')",
	} {
		if strings.HasPrefix(s, e) {
			return len(e)
		}
	}
	return 0
}

// removerName returns the length of the name at the start of s when it is one of
// the functions that delete a tree. Some need to be told to: recursive.
func removerName(s string, method bool) int {
	n := 0
	for n < len(s) && awkNameByte(s[n]) {
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
