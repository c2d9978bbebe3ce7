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
		return
	}
	if c.has("spider") {
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

func lookupMore(c *call) {
	for i := range c.argv[1:] {
		w := &c.argv[i+1]
		if t := literalPrefix(w); strings.HasPrefix(t, "-") || strings.HasPrefix(t, "+") || strings.Trim(t, "0123456789") == "" && w.Known {
			continue
		}
		c.network(w)
	}
}

func hostMore(c *call) {
	if w := c.operand(0); w != nil {
		c.network(w)
	}
}

func opensslMore(c *call) {
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
