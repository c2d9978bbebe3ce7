package commands

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// wgetCommands are the programs that download URLs.
var wgetCommands = []Command{
	{
		Names: "wget wget2", AllOptionsListed: true, Title: "downloads URLs", InfoFlags: "--version -V --help",
		Flags: "-46bcdEFhHkKLmNnpqrSvVxKSv background continue debug adjust-extension no-check-certificate no-clobber force-directories " +
			"no-directories timestamping no-verbose quiet recursive span-hosts mirror page-requisites convert-links no-parent " +
			"server-response spider version help no-cache no-cookies no-proxy no-config content-disposition trust-server-names " +
			"inet4-only inet6-only show-progress no-hsts https-only auth-no-challenge content-on-error no-host-directories random-wait " +
			"retry-connrefused delete-after relative verbose protocol-directories ask-password no-netrc no-iri ignore-length " +
			"no-if-modified-since",
		Values: "-ADIlQRtTUwX accept reject domains exclude-domains include-directories exclude-directories level quota tries timeout " +
			"user-agent wait header method body-data post-data user password http-user http-password referer max-redirect limit-rate " +
			"dns-timeout connect-timeout read-timeout cut-dirs default-page progress bind-address restrict-file-names secure-protocol " +
			"local-encoding remote-encoding accept-regex reject-regex waitretry backups report-speed ftp-user ftp-password follow-tags " +
			"ignore-tags ciphers regex-type prefer-family",
		Opts: []Opt{
			{"-O output-document", HasArg, Writes}, {"-oa output-file append-output save-cookies rejected-log warc-file hsts-file", HasArg, WritesValue},
			{"-P directory-prefix", HasArg, 0},
			{"-i input-file post-file body-file load-cookies ca-certificate ca-directory crl-file", HasArg, Reads},
			{"certificate private-key", HasArg, UsesKey}, {"-e execute", HasArg, SetsKey}, {"use-askpass", HasArg, Executes},
			{"config", HasArg, Unsafe}, {"-B base", HasArg, 0},
		},
		// Without no-hsts it keeps a list of hosts.
		Forms: []Form{{"--no-hsts !-i|-b|-r|-m|-p|-B|-k|-K|--method|--post-data|--body-data|--post-file|--body-file|--input-file|--background|--recursive|" +
			"--mirror|--page-requisites|--base", Proves, ""}},
		Operands: Sends, KnownWords: true, refine: refineWget,
	},
	{
		Names: "aria2c axel", Title: "downloads URLs", Values: "-jskUn max-connection-per-server split max-concurrent-downloads header user-agent",
		Opts:     []Opt{{"-o out output", HasArg, 0}, {"-d dir", HasArg, 0}, {"-iT input-file torrent-file", HasArg, Reads}},
		Operands: Sends, Forms: []Form{{"", ObeysWords, ownLanguage}}, refine: refineAxel,
	},
}

// refineWget: where the answer goes; only without a file it may be proven to read.
func refineWget(c *Invocation) {
	o := c.Option("O", "output-document")
	if leaves := o == nil && !c.Has("spider") || o != nil && o.Value.Text != "-"; leaves || !c.wgetAsks() {
		c.Disprove("")
	}
	if (o == nil || !o.sure) && !c.Has("spider") {
		c.wgetFiles()
	}
}

// wgetFiles writes what is downloaded, by the names in the URLs or the server's.
func (c *Invocation) wgetFiles() {
	dir := c.movedBy("P", "directory-prefix")
	if c.Has("i", "input-file") {
		c.Narrow("-i names a file of URLs")
	}
	tree := c.Has("r", "recursive", "m", "mirror", "p", "page-requisites", "i", "input-file")
	if tree || c.Has("x", "force-directories") && !c.Has("no-directories") {
		c.Cwd, c.Recursive = dir, true
		c.wgetTree(tree)
		return
	}
	for _, i := range c.Operands {
		c.download(&c.Argv[i], dir, c.Has("content-disposition", "trust-server-names"))
	}
}

// wgetTree writes what is downloaded into folders: one for each host, unless an
// option says otherwise, and what the server calls its files in there.
func (c *Invocation) wgetTree(tree bool) {
	c.write(c.here())
	c.Recursive = false
	// -nH is one option
	bare := c.Has("nH", "no-host-directories", "nd", "no-directories") || c.Has("n") && c.Has("H", "d")
	deep := tree || c.Has("content-disposition", "trust-server-names", "cut-dirs", "protocol-directories")
	for _, w := range c.operands() {
		host, file := w.Text, ""
		if at := strings.Index(host, "://"); at >= 0 {
			host = host[at+3:]
		}
		host, file, _ = strings.Cut(host, "/")
		if bare || !w.Known {
			host = "."
		}
		if deep || !w.Known {
			c.unpacks(new(shell.Literal(host, w)), shell.Contents{})
			continue
		}
		file, _, _ = strings.Cut(file, "?")
		c.write(new(shell.Literal(path.Join(host, file), w)))
	}
	if c.Has("i", "input-file") {
		c.unpacks(c.here(), shell.Contents{})
	}
}

// wgetAsks reports whether a request only gets literal URLs and leaves no file.
func (c *Invocation) wgetAsks() bool {
	header := func(u Used) bool { return u.Name == "header" && namesMethod(u.Value.Text) }
	return len(c.Operands) > 0 && c.onlyGets() && !slices.ContainsFunc(c.Opts, header)
}

// refineAxel: a download goes by its name in the URL, or the one it is given; lists
// and torrents hold names of their own.
func refineAxel(c *Invocation) {
	dir := c.movedBy("d", "dir")
	if c.Has("i", "input-file", "T", "torrent-file") {
		c.Cwd = dir
		c.unpacks(c.here(), shell.Contents{})
		return
	}
	if o := c.Option("o", "out", "output"); o != nil {
		c.Cwd = dir
		c.write(&o.Value)
		return
	}
	for _, w := range c.operands() {
		several := shell.Among(".torrent .metalink", path.Ext(w.Text)) || strings.HasPrefix(w.Text, "magnet:")
		c.download(w, dir, several)
	}
}

// movedBy is the folder that an option names, else the working directory.
func (c *Invocation) movedBy(names ...string) *shell.CwdState {
	if o := c.Option(names...); o != nil {
		return shell.Moved(c.Cwd, &o.Value)
	}
	return c.Cwd
}

// download writes the file that a URL's last component names, in dir.
func (c *Invocation) download(w *shell.Word, dir *shell.CwdState, serverNames bool) {
	saved := c.Cwd
	c.Cwd = dir
	defer func() { c.Cwd = saved }()
	name := shell.Hole("", w)
	if w.Known && !serverNames {
		u := w.Text
		if i := strings.Index(u, "://"); i >= 0 {
			u = u[i+3:]
		}
		u, _, _ = strings.Cut(u, "#")
		u, _, _ = strings.Cut(u, "?")
		base := ""
		if i := strings.LastIndexByte(u, '/'); i >= 0 {
			base = u[i+1:]
		}
		if base == "" {
			base = "index.html"
		}
		name = shell.Literal(base, w)
	} else {
		name.Text = "./" + shell.HoleMark
		from := len(c.Facts.Effects)
		c.touch(shell.Write, c.here(), false)
		c.holding(from, shell.Contents{Flat: true})
	}
	c.write(&name)
}
