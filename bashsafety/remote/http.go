package remote

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// HTTPDeletes finds requests that tell a server to delete something.
func HTTPDeletes(s *analysis.Analysis) []analysis.Finding {
	all := RunningAt(s, func(_ int, sub *analysis.Subcommand) bool {
		if sub.Call != nil {
			return requestDeletes(sub.Call)
		}
		return webCmdletDeletes(sub)
	})
	all = append(all, Losing(s, commands.OfCall, false)...)
	return append(all, CodeFinds(s, codeRequestsDeletion)...)
}

func requestDeletes(c *commands.Invocation) bool {
	switch c.Cmd.Name() {
	case "curl":
		return curlDeletes(c)
	case "wget":
		o := c.Option("method")
		tells := o != nil && commands.MethodDeletes(&o.Value) || wgetOverrides(c)
		return (tells || anyPosts(c)) && !local(c, c.Operands)
	case "http":
		return httpieDeletes(c)
	}
	return false
}

// httpieDeletes: the URL is the first word, or the second where the first is a method.
func httpieDeletes(c *commands.Invocation) bool {
	if len(c.Operands) < 2 {
		return false
	}
	first, second := c.Operands[:1], c.Operands[1:2]
	if commands.MethodDeletes(&c.Argv[first[0]]) && !local(c, second) {
		return true
	}
	return anyPosts(c) && !local(c, first) && !local(c, second)
}

// anyPosts reports whether a word is, or holds, a mutation that deletes.
func anyPosts(c *commands.Invocation) bool {
	return slices.ContainsFunc(c.Argv[1:], func(w shell.Word) bool { return lang.PostsDeletion(w.Text) })
}

func wgetOverrides(c *commands.Invocation) bool {
	o := c.Option("header")
	return o != nil && commands.OverridesMethod(o.Value.Text)
}

// curlDeletes looks at every option: after --next another request follows.
func curlDeletes(c *commands.Invocation) bool {
	fires, posts := false, false
	for i := range c.Opts {
		fires = fires || curlOptionDeletes(&c.Opts[i])
		posts = posts || curlOptionPosts(&c.Opts[i])
	}
	if fires || slices.ContainsFunc(c.Operands, func(i int) bool { return lang.PostsDeletion(c.Argv[i].Text) }) {
		return !local(c, c.Operands)
	}
	return posts && postsToDelete(c)
}

// curlData are the options of curl that give a request a body.
const curlData = "d data data-raw data-binary data-ascii json F form data-urlencode"

func curlOptionPosts(u *commands.Used) bool {
	return shell.Listed(curlData, u.Name) || shell.Listed("X request", u.Name) && strings.EqualFold(u.Value.Text, "POST")
}

func curlOptionDeletes(u *commands.Used) bool {
	switch text := u.Value.Text; u.Name {
	case "X", "request":
		return commands.MethodDeletes(&u.Value)
	case "H", "header":
		return commands.OverridesMethod(text)
	case "Q", "quote": // of FTP
		verb, _, _ := strings.Cut(strings.TrimLeft(text, "+-*"), " ")
		return strings.EqualFold(verb, "dele") || strings.EqualFold(verb, "rmd") || verb == "rm" || verb == "rmdir"
	default:
		return shell.Listed(curlData, u.Name) && (strings.EqualFold(text, "_method=delete") || lang.PostsDeletion(text))
	}
}

// postsToDelete reports whether a POST goes to a URL by which a service deletes.
func postsToDelete(c *commands.Invocation) bool {
	if slices.ContainsFunc(c.Operands, func(i int) bool { return deletesByPost(c.Argv[i].Text) }) {
		return true
	}
	o := c.Option("url")
	return o != nil && deletesByPost(o.Value.Text)
}

// deletingPaths are parts of a URL by which a service deletes, whatever the method.
const deletingPaths = "_delete_by_query delete_series doDelete delete-batch purge_cache delete_by_query _bulk_delete " +
	"deleteByQuery doDisable safeExit exit-server"

// deletesByPost reports whether a URL is one by which a service deletes.
func deletesByPost(url string) bool {
	path, _, _ := strings.Cut(url, "?")
	deletes := func(part string) bool { return shell.Among(deletingPaths, part) }
	return slices.ContainsFunc(strings.Split(path, "/"), deletes)
}

// local reports whether all of the URLs are of a server on this machine that no
// service that keeps data is known by: what an agent tries its own server with.
func local(c *commands.Invocation, urls []int) bool {
	if c.Has("x", "proxy", "preproxy", "connect-to", "resolve", "unix-socket", "abstract-unix-socket", "K", "config",
		"socks5", "socks5-hostname", "socks4", "socks4a", "input-file", "base") {
		return false
	}
	if c.Cmd.Name() != "curl" && c.Has("i", "B") { // of wget: --input-file and --base
		return false
	}
	n := len(urls)
	for i := range c.Opts {
		if c.Opts[i].Name == "url" {
			n++
			if !localURL(&c.Opts[i].Value) {
				return false
			}
		}
	}
	return n > 0 && !slices.ContainsFunc(urls, func(i int) bool { return !localURL(&c.Argv[i]) })
}

// AsksItself reports whether a request goes to a server on this machine only.
func AsksItself(c *commands.Invocation) bool { return c != nil && local(c, c.Operands) }

// localURL reports whether a URL surely names this machine, by its name and by
// the port of no service that keeps data.
func localURL(w *shell.Word) bool {
	url := w.Text
	if i := strings.Index(url, "://"); i >= 0 {
		if scheme := strings.ToLower(url[:i]); scheme != "http" && scheme != "https" {
			return false
		}
		url = url[i+3:]
	}
	end := strings.IndexAny(url, "/?#\\")
	if end < 0 {
		if !w.Known {
			return false
		}
		end = len(url)
	}
	authority := url[:end]
	pattern := w.Glob && strings.ContainsAny(authority, "?[") && !strings.HasPrefix(authority, "[::1]")
	if pattern || strings.ContainsAny(authority, shell.HoleMark+"@{}*%") {
		return false
	}
	if rest, ok := strings.CutPrefix(authority, "[::1]"); ok {
		authority = "localhost:" + strings.TrimPrefix(rest, ":")
	}
	host, port, _ := strings.Cut(authority, ":")
	return ownHost(strings.ToLower(strings.TrimSuffix(host, "."))) && !keepsData(port)
}

func ownHost(host string) bool {
	return host == "" || shell.Among("localhost 127.0.0.1 0.0.0.0", host) || strings.HasSuffix(host, ".localhost")
}

// keepsData reports whether a port is the one of a service that keeps data or
// runs others: search, queues, key-value stores, gateways, container engines.
func keepsData(port string) bool {
	const search, clusters, queues = "9200 9243 7700 8108 6333 8983 19530 9090 9093 8086 ",
		"8001 8444 8500 8200 2379 2375 2376 6443 10250 4646 4242 ", "15672 8161 7474 5984 28015 8529"
	return shell.Among(search+clusters+queues, port)
}

// webCmdletDeletes is for the cmdlets of PowerShell.
func webCmdletDeletes(sub *analysis.Subcommand) bool {
	row := commands.Loss{
		Style: commands.SingleDash, Values: "Uri Body Headers Method ContentType CustomMethod",
		Verbs: []string{" -Method=Delete", " -CustomMethod=DELETE|PURGE"},
	}
	const cmdlets = "invoke-restmethod irm invoke-webrequest iwr"
	if len(sub.Argv) == 0 || !shell.Listed(cmdlets, strings.ToLower(sub.Program)) {
		return false
	}
	var args []shell.Word
	for _, w := range sub.Argv[1:] {
		option, value, glued := strings.Cut(w.Text, ":") // -Method:Delete
		if glued = glued && strings.HasPrefix(option, "-"); glued {
			args = append(args, shell.Literal(option, &w))
			w.Text = value
		} else if strings.EqualFold(w.Text, "-me") {
			w.Text = "-Method"
		}
		args = append(args, w)
	}
	return row.Takes(args)
}
