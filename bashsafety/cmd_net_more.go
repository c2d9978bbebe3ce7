package bashsafety

import "strings"

// opaqueMore is for programs with a language of their own that can run
// commands and write files.
func opaqueMore(c *call) {
	c.narrow("its arguments can run commands or write files")
}

// curlMore: files behind @, output names taken from URLs, URL patterns.
func curlMore(c *call) {
	dir := c.cwd
	if o := c.option("output-dir"); o != nil {
		dir = moved(c.cwd, &o.value)
	}
	for i := range c.opts {
		u := &c.opts[i]
		switch u.name {
		case "K", "config":
			c.readValue(&u.value)
		case "d", "data", "data-ascii", "data-binary", "json", "H", "header", "proxy-header", "data-urlencode":
			if t := u.value.Text; u.value.Known && u.name == "data-urlencode" && !strings.HasPrefix(t, "@") {
				if _, file, ok := strings.Cut(t, "@"); ok && !strings.Contains(t[:len(t)-len(file)], "=") {
					c.readAt(&u.value, len(t)-len(file))
				}
				continue
			}
			if strings.HasPrefix(u.value.Text, "@") {
				c.readAt(&u.value, 1)
			}
		case "F", "form":
			if i := strings.IndexAny(u.value.Text, "@<"); i >= 0 && strings.HasSuffix(u.value.Text[:i], "=") {
				end := strings.IndexByte(u.value.Text, ';')
				w := suffix(&u.value, i+1)
				if end > i {
					w.Text = u.value.Text[i+1 : end]
				}
				c.readValue(&w)
			}
		case "b", "cookie":
			if u.value.Known && !strings.Contains(u.value.Text, "=") {
				c.readValue(&u.value)
			}
		case "w", "write-out":
			if strings.HasPrefix(u.value.Text, "@") {
				c.readAt(&u.value, 1)
			}
			if strings.Contains(u.value.Text, "%output{") {
				c.narrow("-w writes a file")
			}
		}
	}
	remote := c.has("O", "remote-name", "remote-name-all")
	if remote {
		c.narrow("-O writes a file")
	}
	for _, i := range c.operands {
		w := &c.argv[i]
		if rest, ok := strings.CutPrefix(strings.ToLower(w.Text), "file://"); ok {
			if at := strings.IndexByte(rest, '/'); at >= 0 {
				c.readAt(w, len("file://")+at)
			}
		}
		if strings.ContainsAny(w.Text, "{}") || strings.Contains(w.Text, "[") && !strings.Contains(w.Text, "//[") && !c.has("g", "globoff") {
			c.narrow("the URL is a pattern for several")
		}
		if remote {
			c.download(w, dir, c.has("J", "remote-header-name"))
		}
	}
	c.d.readOnly = c.curlAsks()
}

// curlAsks reports whether a request is a plain GET or HEAD of URLs that are
// all literal: nothing is sent but what stands in the text.
func (c *call) curlAsks() bool {
	if len(c.unknown) > 0 || len(c.holes) > 0 || !allKnownWords(c.argv) || c.has("n", "netrc", "netrc-optional", "Q", "quote", "proto-default", "t", "telnet-option", "ntlm", "negotiate",
		"anyauth", "delegation", "krb", "proxy-user", "U", "a", "append", "form-string", "variable", "T", "upload-file", "proto-redir", "resolve", "dns-servers", "dns-interface", "netrc-file", "etag-compare",
		"E", "cert", "key") {
		return false
	}
	urls := 0
	for i := range c.opts {
		u := &c.opts[i]
		switch u.name {
		case "X", "request":
			if !isMethod(u, "GET", "HEAD", "OPTIONS") {
				return false
			}
		case "d", "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "url-query":
			if u.name != "url-query" && !c.has("G", "get") || strings.Contains(u.value.Text, "@") {
				return false
			}
		case "json", "F", "form":
			return false
		case "H", "header":
			if strings.HasPrefix(u.value.Text, "@") || strings.Contains(strings.ToLower(u.value.Text), "method") {
				return false
			}
		case "b", "cookie":
			if !strings.Contains(u.value.Text, "=") {
				return false
			}
		case "url":
			urls++
			if !plainURL(u.value.Text) {
				return false
			}
		default:
			if strings.HasPrefix(u.name, "mail-") {
				return false
			}
		}
	}
	for _, i := range c.operands {
		urls++
		if !plainURL(c.argv[i].Text) {
			return false
		}
	}
	for i := range c.d.effects {
		if c.d.effects[i].Kind != Network {
			return false
		}
	}
	return urls > 0
}

// plainURL reports whether a URL is one of http or https with an ordinary host:
// other schemes can write (gopher, ftp, smtp), a server of a cloud's metadata
// gives out credentials, and odd numbers may be its address.
func plainURL(url string) bool {
	low := strings.ToLower(url)
	rest, ok := strings.CutPrefix(low, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(low, "http://")
	}
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	host, _, _ = strings.Cut(host, "#")
	name, port, colon := strings.Cut(host, ":")
	if name == "" || colon && !number(port) || strings.ContainsAny(host, "@%\\[]{}") || strings.Contains(rest, "://") && !ok {
		return false
	}
	for _, guess := range [...]string{"ftp.", "dict.", "ldap.", "imap.", "smtp.", "pop3."} {
		if !ok && strings.HasPrefix(name, guess) { // curl guesses the scheme of a bare name
			return false
		}
	}
	if strings.Contains(name, "metadata") || strings.Contains(name, "169.254") || strings.Contains(name, "169-254") || strings.HasPrefix(name, "100.100.100.200") {
		return false
	}
	return plainAddress(name)
}

// plainAddress reports whether a name that looks like a number is four decimal
// ones without leading zeros.
func plainAddress(name string) bool {
	for i := range len(name) {
		if name[i] >= 0x80 {
			return false
		}
	}
	last := name[strings.LastIndexByte(strings.TrimSuffix(name, "."), '.')+1:]
	if last = strings.TrimSuffix(last, "."); last == "" || last[0] < '0' || last[0] > '9' {
		return true
	}
	parts := strings.Split(name, ".")
	for _, p := range parts {
		if len(p) > 3 || !number(p) || len(p) > 1 && p[0] == '0' {
			return false
		}
	}
	return len(parts) == 4
}

// httpieMore: METHOD and URL, then items; without --ignore-stdin what comes in
// is sent.
func httpieMore(c *call) {
	ops := c.operands
	method := "GET"
	if len(ops) > 1 {
		if t := c.literalOperand(0); t != "" && strings.Trim(t, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
			method, ops = t, ops[1:]
		}
	}
	if len(ops) == 0 {
		return
	}
	url := &c.argv[ops[0]]
	c.network(url)
	if c.has("d", "download") && !c.has("o", "output") {
		c.narrow("-d writes a file")
		c.download(url, c.cwd, false)
	}
	asks := (method == "GET" || method == "HEAD" || method == "OPTIONS") && c.has("I", "ignore-stdin") && url.Known && plainURL(url.Text) && !c.has("d", "download", "raw", "offline")
	for _, i := range ops[1:] {
		w := &c.argv[i]
		k := strings.IndexAny(w.Text, "=:@")
		switch {
		case !w.Known || k < 0:
			asks = false
		case strings.HasPrefix(w.Text[k:], "=="):
		case strings.HasPrefix(w.Text[k:], ":=@"):
			asks = false
			c.readAt(w, k+3)
		case strings.HasPrefix(w.Text[k:], "=@"):
			asks = false
			c.readAt(w, k+2)
		case w.Text[k] == '@':
			asks = false
			c.readAt(w, k+1)
		case w.Text[k] == ':' && !strings.HasPrefix(w.Text[k:], ":=") && !strings.HasPrefix(w.Text[k:], ":@") && !strings.Contains(strings.ToLower(w.Text), "method"):
		default:
			asks = false
		}
	}
	c.d.readOnly = asks && c.proven()
}

// sshKeygenMore: -l and -F look; all else makes or changes keys.
func sshKeygenMore(c *call) {
	file := c.option("f")
	switch {
	case c.has("D"):
		c.narrow("-D loads a library")
	case c.has("R", "H"):
		if file != nil {
			c.write(&file.value)
		} else if c.home != "" {
			w := literal(c.home+"/.ssh/known_hosts", &c.argv[0])
			c.write(&w)
		}
	case c.has("l", "F", "y", "B", "L"):
		if file != nil {
			c.readValue(&file.value)
		}
		c.d.readOnly = !c.has("y") && c.proven() && !c.has("M", "Y", "s", "k", "A", "p", "c", "K", "I", "r", "U", "w")
	case file != nil:
		c.write(&file.value)
		pub := file.value
		pub.Text += ".pub"
		c.write(&pub)
	case c.home != "":
		w := literal(c.home+"/.ssh", &c.argv[0])
		c.recursive = true
		c.write(&w)
	}
}

// sshAddMore: ssh-add -l and -L list.
func sshAddMore(c *call) {
	switch programName(c.argv) {
	case "ssh-add":
		for _, i := range c.operands {
			c.read(&c.argv[i])
		}
		c.d.readOnly = len(c.operands) == 0 && c.has("l", "L") && !c.has("d", "D", "x", "X", "t", "K", "A") && c.proven()
	default:
		for _, i := range c.operands {
			c.network(&c.argv[i])
		}
	}
}

// readAt reads the file a value names after its first n bytes.
func (c *call) readAt(w *Word, n int) {
	v := suffix(w, n)
	c.readValue(&v)
}

// download writes the file that a URL's last component names, in dir.
func (c *call) download(w *Word, dir *cwdState, serverNames bool) {
	saved := c.cwd
	c.cwd = dir
	defer func() { c.cwd = saved }()
	name := hole("", w)
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
		name = literal(base, w)
	} else {
		name.Text = "./" + HoleMark
	}
	c.write(&name)
}

func wgetMore(c *call) {
	if o := c.option("O", "output-document"); o != nil {
		if c.write(&o.value) {
			c.narrow("-O writes a file")
		}
		c.d.readOnly = c.wgetAsks() && o.value.Text == "-"
		return
	}
	if c.has("spider") {
		c.d.readOnly = c.wgetAsks()
		return
	}
	dir := c.cwd
	if o := c.option("P", "directory-prefix"); o != nil {
		dir = moved(c.cwd, &o.value)
	}
	if c.has("i", "input-file") {
		c.narrow("-i names a file of URLs")
	}
	if c.has("r", "recursive", "m", "mirror", "p", "page-requisites", "i", "input-file") {
		c.cwd, c.recursive = dir, true
		c.write(c.here())
		return
	}
	for _, i := range c.operands {
		c.download(&c.argv[i], dir, c.has("content-disposition", "trust-server-names"))
	}
}

// wgetAsks reports whether a request is a GET or HEAD of literal URLs that
// leaves no file, the list of hosts with strict transport security included.
func (c *call) wgetAsks() bool {
	if len(c.unknown) > 0 || len(c.holes) > 0 || !allKnownWords(c.argv) || !c.has("no-hsts") || len(c.operands) == 0 || c.has("method", "post-data", "body-data", "post-file", "body-file",
		"i", "input-file", "b", "background", "r", "recursive", "m", "mirror", "p", "page-requisites", "proxy-user", "B", "base", "k", "K") {
		return false
	}
	for _, i := range c.operands {
		if !plainURL(c.argv[i].Text) {
			return false
		}
	}
	for i := range c.d.effects {
		if c.d.effects[i].Kind != Network {
			return false
		}
	}
	for i := range c.opts {
		if u := &c.opts[i]; u.name == "header" && strings.Contains(strings.ToLower(u.value.Text), "method") {
			return false
		}
	}
	return true
}

func lookupMore(c *call) {
	defer func() { c.d.readOnly = c.lookupAsks() }()
	if programName(c.argv) == "getent" && len(c.argv) > 1 && c.argv[1].Known && !strings.Contains(c.argv[1].Text, "hosts") {
		return // a table of the system
	}
	for i := range c.argv[1:] {
		w := &c.argv[i+1]
		if t := literalPrefix(w); strings.HasPrefix(t, "-") || strings.HasPrefix(t, "+") || strings.Trim(t, "0123456789") == "" && w.Known {
			continue
		}
		c.network(w)
	}
}

// lookupAsks reports whether a lookup has known words, and an end.
func (c *call) lookupAsks() bool {
	words := c.argv[1:]
	if len(words) == 0 || !allKnownWords(words) {
		return false
	}
	counted := false
	for i := range words {
		switch t := words[i].Text; programName(c.argv) {
		case "dig", "drill":
			if strings.HasPrefix(t, "-f") || strings.HasPrefix(t, "-k") || strings.HasPrefix(t, "-y") || strings.HasPrefix(t, "-o") || strings.HasPrefix(t, "-w") || strings.HasPrefix(t, "-i") {
				return false
			}
		case "ping", "ping6", "mtr":
			counted = counted || strings.HasPrefix(t, "-c") || strings.HasPrefix(t, "-r")
			if strings.HasPrefix(t, "-") && strings.ContainsAny(t, "fFAl") {
				return false
			}
		}
	}
	switch programName(c.argv) {
	case "ping", "ping6", "mtr":
		return counted
	}
	return true
}

// hostMore: -z connects and sends nothing.
func hostMore(c *call) {
	if w := c.operand(0); w != nil {
		c.network(w)
		c.d.readOnly = w.Known && c.has("z") && !c.has("l", "listen", "k", "U", "e", "c", "exec", "sh-exec", "lua-exec", "u") && c.proven() && allKnownWords(c.argv)
	}
}

func opensslMore(c *call) {
	if c.literalOperand(0) == "engine" {
		for n := range c.operands {
			if t := c.literalOperand(n); n > 0 && strings.Contains(t, "/") {
				c.narrow("an engine is code that is loaded")
			}
		}
	}
	switch c.literalOperand(0) {
	case "dgst", "md5", "sha1", "sha256", "sha512", "verify", "asn1parse":
		c.readOperands(c.operands[1:])
	}
	if o := c.option("connect"); o != nil {
		c.network(&o.value)
	}
}

// sshOption reports whether an -o of ssh is known to be harmless.
func sshOption(w *Word) bool {
	name := strings.ToLower(strings.TrimSpace(literalPrefix(w)))
	if i := strings.IndexAny(name, "= \t"); i >= 0 {
		name = name[:i]
	} else if !w.Known {
		return false
	}
	switch name {
	case "addressfamily", "batchmode", "bindaddress", "checkhostip", "ciphers", "clearallforwardings", "compression", "connectionattempts",
		"connecttimeout", "controlmaster", "controlpersist", "exitonforwardfailure", "hashknownhosts", "hostkeyalgorithms", "hostname", "identitiesonly",
		"identityfile", "kexalgorithms", "loglevel", "macs", "numberofpasswordprompts", "passwordauthentication", "port", "preferredauthentications",
		"proxyjump", "pubkeyacceptedalgorithms", "pubkeyauthentication", "requesttty", "sendenv", "serveralivecountmax", "serveraliveinterval",
		"stricthostkeychecking", "tcpkeepalive", "updatehostkeys", "user", "userknownhostsfile", "globalknownhostsfile", "verifyhostkeydns", "forwardagent", "forwardx11":
		return true
	}
	return false
}

func (c *call) sshOptions() {
	for i := range c.opts {
		if u := &c.opts[i]; u.name == "o" && u.value.Known && strings.HasPrefix(strings.ToLower(u.value.Text), "userknownhostsfile") {
			if k := strings.IndexAny(u.value.Text, "= "); k > 0 {
				file := suffix(&u.value, k+1)
				if c.write(&file) {
					c.narrow("-o writes a file of hosts")
				}
			}
		}
		if u := &c.opts[i]; u.name == "o" && !sshOption(&u.value) {
			c.narrow("-o sets an option that can run a command")
			if i := strings.IndexAny(u.value.Text, "= "); i > 0 && strings.HasSuffix(strings.ToLower(u.value.Text[:i]), "command") {
				c.scan("-o", u.value.Text[i+1:], &u.value)
			}
		}
	}
}

// sshMore is ssh [options] HOST [COMMAND]; the command runs there.
func sshMore(c *call) {
	w := c.operand(0)
	if w == nil {
		c.sshOptions()
		return
	}
	behind := parseArgs(c.argv, c.operands[0]+1, c.cmd.Style, []*Command{c.cmd}) // ssh HOST -o x COMMAND
	for i := range behind.opts {
		c.applyOpt(&behind.opts[i])
	}
	c.add(&behind)
	c.d.valueAt = c.values
	c.sshOptions()
	if strings.HasPrefix(w.Text, "-") {
		c.narrow("the host could be an option")
	}
	c.network(w)
	argv := c.rest(0)
	if len(argv) > 0 && argv[0].Known && argv[0].Text == "--" {
		argv = argv[1:]
	}
	if len(argv) > 0 {
		c.remote(inner{kind: innerText, via: programName(c.argv), text: joined(argv)})
	} else if !c.has("N", "W") {
		c.remote(inner{kind: innerStdin, via: programName(c.argv)})
	}
}

// elsewhere reports whether an operand of rsync and scp is on another host.
func elsewhere(w *Word) bool {
	t := literalPrefix(w)
	i := strings.IndexByte(t, ':')
	return i > 0 && !strings.Contains(t[:i], "/") || strings.Contains(t, "://")
}

func rsyncMore(c *call) {
	c.recursive = true
	if c.has("n", "dry-run", "list-only") {
		c.d.readOnly = true
	}
	n := len(c.operands)
	for k, i := range c.operands {
		w := &c.argv[i]
		switch {
		case elsewhere(w):
			c.network(w)
			c.d.readOnly = false
		case k == n-1 && n > 1:
			if !c.d.readOnly {
				c.write(w)
				if c.has("delete", "delete-before", "delete-during", "delete-delay", "delete-after", "delete-excluded", "del") {
					c.remove(w)
				}
			}
		case c.has("remove-source-files"):
			c.remove(w)
		default:
			c.read(w)
		}
	}
	for _, name := range [...]string{"T", "temp-dir", "partial-dir", "backup-dir"} {
		if o := c.option(name); o != nil {
			c.write(&o.value)
		}
	}
}

func scpMore(c *call) {
	c.sshOptions()
	c.recursive = true
	n := len(c.operands)
	for k, i := range c.operands {
		w := &c.argv[i]
		switch {
		case elsewhere(w) || programName(c.argv) == "sftp":
			c.network(w)
		case k == n-1 && n > 1:
			c.write(w)
		default:
			c.read(w)
		}
	}
}
