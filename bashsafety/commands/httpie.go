package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// httpieCommands are the programs that send requests to web services.
var httpieCommands = []Command{
	{
		Names: "http https xh xhs", Title: "sends requests to web services", Flags: "-jfxhbvmIFS json form headers body verbose meta ignore-stdin follow stream print-all check-status offline all help version",
		Values: "-pAsat print auth-type style pretty timeout max-redirects format-options response-charset response-mime max-headers http-version raw auth",
		Opts: []Opt{
			{"-o output", HasArg, WritesValue}, {"-dc download continue", NoArg, 0}, {"session session-read-only", HasArg, Changes}, {"proxy verify cert-key-pass unix-socket interface resolve", HasArg, Unsafe},
			{"cert cert-key", HasArg, ReadsValue}, {"multipart compress", NoArg, Changes},
		},
		Reading: &Reading{If: "-I ignore-stdin", Unless: "-d download raw offline"}, refine: refineHttpie,
	},
}

// refineHttpie: METHOD and URL, then items; without --ignore-stdin what comes in
// is sent.
func refineHttpie(c *Invocation) {
	ops, asks := c.Operands, true
	if t := c.LiteralOperand(0); len(ops) > 1 && t != "" && strings.Trim(t, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		asks, ops = shell.Among("GET HEAD OPTIONS", t), ops[1:]
	}
	if len(ops) == 0 {
		c.Disprove("")
		return
	}
	url := &c.Argv[ops[0]]
	c.network(url)
	if c.Has("d", "download") && !c.Has("o", "output") {
		c.Narrow("-d writes a file")
		c.download(url, c.Cwd, false)
	}
	c.disproveIf(!asks || !url.Known || !plainURL(url.Text))
	for _, i := range ops[1:] {
		c.disproveIf(!c.httpieAsks(&c.Argv[i]))
	}
}

// httpieAsks reads one item of a request, and reports whether it is a header or
// a word of the URL: name:value, name==value.
func (c *Invocation) httpieAsks(w *shell.Word) bool {
	k := strings.IndexAny(w.Text, "=:@")
	if !w.Known || k < 0 {
		return false
	}
	switch item := w.Text[k:]; {
	case strings.HasPrefix(item, "=="):
		return true
	case strings.HasPrefix(item, ":=@"):
		c.readAt(w, k+3)
	case strings.HasPrefix(item, "=@"):
		c.readAt(w, k+2)
	case item[0] == '@':
		c.readAt(w, k+1)
	case item[0] == ':' && !shell.StartsWithAny(item, ":=", ":@"):
		return !namesMethod(w.Text)
	}
	return false
}
