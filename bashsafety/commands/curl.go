package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// curlCommands are the programs that transfer URLs.
var curlCommands = []Command{
	{
		Names: "curl", Style: DashValues, AllOptionsListed: true, Title: "transfers URLs", InfoFlags: "--version -V --help",
		Flags: "-012346aBfGgIijklMNnpqRSsVvZ# http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only http0.9 tlsv1 tlsv1.0 " +
			"tlsv1.1 tlsv1.2 tlsv1.3 sslv2 sslv3 ipv4 ipv6 append use-ascii basic digest ntlm negotiate anyauth compressed " +
			"compressed-ssh create-dirs crlf disable disable-eprt disable-epsv fail fail-early fail-with-body ftp-pasv get globoff head " +
			"include insecure ftp-ssl-ccc ftp-ssl-control ftp-pret ftp-skip-pasv-ip junk-session-cookies keepalive no-keepalive list-only location location-trusted manual netrc " +
			"netrc-optional no-buffer no-progress-meter path-as-is parallel parallel-immediate post301 post302 post303 progress-bar " +
			"proxy-insecure proxytunnel raw remote-time remove-on-error retry-all-errors retry-connrefused sasl-ir show-error " +
			"show-headers silent ssl ssl-reqd styled-output no-styled-output tcp-fastopen tcp-nodelay tr-encoding trace-ids trace-time " +
			"verbose version xattr skip-existing no-clobber next-protocol no-npn no-alpn no-sessionid suppress-connect-headers " +
			"haproxy-protocol mail-rcpt-allowfails metalink ca-native cert-status disallow-username-in-url ignore-content-length " +
			"ssl-no-revoke ssl-allow-beast proxy-ssl-allow-beast proxy-tlsv1 proxy-basic proxy-digest socks5-basic tftp-no-options",
		Values: "-ACemPQrtuUwXyYz user-agent continue-at referer max-time ftp-port quote range telnet-option user proxy-user write-out " +
			"request speed-time speed-limit time-cond connect-timeout max-redirs max-filesize limit-rate rate retry retry-delay " +
			"retry-max-time interface local-port resolve dns-servers dns-interface ciphers tls13-ciphers tls-max tlsuser tlspassword " +
			"cert-type key-type pass proto proto-default proto-redir noproxy keepalive-time keepalive-cnt expect100-timeout " +
			"happy-eyeballs-timeout-ms parallel-max pinnedpubkey krb delegation login-options mail-from mail-rcpt mail-auth " +
			"service-name sasl-authzid oauth2-bearer aws-sigv4 form-string curves socks5-gssapi-service create-file-mode ftp-account " +
			"ftp-method ftp-alternative-to-user ftp-ssl-ccc-mode hostpubmd5 hostpubsha256 ipfs-gateway tftp-blksize request-target " +
			"dns-ipv4-addr dns-ipv6-addr tlsauthtype proxy-tlsauthtype proxy-tlsuser proxy-tlspassword proxy-ciphers proxy-tls13-ciphers " +
			"proxy-cert-type proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name",
		OptValues: "-h help",
		Opts: []Opt{
			{"-o output", HasArg, Writes}, {"-O remote-name", NoArg, 0}, {"remote-name-all", NoArg, 0},
			{"-J remote-header-name", NoArg, 0}, {"output-dir", HasArg, 0}, {"-L", NoArg, 0},
			{"-D dump-header -c cookie-jar trace trace-ascii stderr libcurl etag-save hsts alt-svc", HasArg, WritesValue},
			{"-K config -x proxy preproxy socks4 socks4a socks5 socks5-hostname unix-socket abstract-unix-socket connect-to engine doh-url proxy1.0", HasArg, Unsafe},
			{"-: next", NoArg, Unsafe}, {"url", HasArg, Sends}, {"-T upload-file", HasArg, Reads},
			{"-E cert key proxy-cert proxy-key netrc-file", HasArg, UsesKey},
			{"ntlm-wb", NoArg, Executes}, {"cacert capath proxy-cacert proxy-capath crlfile pubkey etag-compare random-file egd-file", HasArg, Reads},
			{"-d data data-ascii data-binary data-raw data-urlencode json variable", HasArg, 0}, {"-b cookie", HasArg, 0},
			{"-F form", HasArg, 0}, {"-H header", HasArg, 0}, {"proxy-header", HasArg, 0},
		},
		// What else is sent than the URL, or goes elsewhere than it says.
		Forms: []Form{{"-n|-Q|-t|-U|-a|-T|-E|-u|-F|--netrc|--netrc-optional|--quote|--proto-default|--telnet-option|--ntlm|--negotiate|" +
			"--anyauth|--delegation|--krb|--proxy-user|--append|--form|--form-string|--json|--variable|--upload-file|--proto-redir|" +
			"--resolve|--dns-servers|--dns-interface|--dns-ipv4-addr|--dns-ipv6-addr|--netrc-file|--etag-compare|--cert|--key|" +
			"--user|--oauth2-bearer|--aws-sigv4|--mail-from|--mail-rcpt|--mail-auth|--mail-rcpt-allowfails", Disproves, ""},
			{"-X|--request=TEXT:^GET|HEAD|OPTIONS", Disproves, ""}, {"-H|--header=TEXT:@*|*method*", Disproves, ""}, {"-b|--cookie=TEXT:^*=*", Disproves, ""},
			{"-d|--data|--data-ascii|--data-binary|--data-raw|--data-urlencode=TEXT:*@*", Disproves, ""},
			{"!-G|--get -d|--data|--data-ascii|--data-binary|--data-raw|--data-urlencode", Disproves, ""}},
		Operands: Sends, ReadsSome: true, KnownWords: true, refine: refineCurl,
	},
}

// refineCurl: files after @, output names taken from URLs, URL patterns.
func refineCurl(c *Invocation) {
	dir := c.movedBy("output-dir")
	for u := range c.options() {
		switch u.Name {
		case "K", "config":
			c.readValue(&u.Value)
			c.Facts.Code = true // it names files to send
		case "d", "data", "data-ascii", "data-binary", "json", "H", "header", "proxy-header", "data-urlencode":
			if t := u.Value.Text; u.Value.Known && u.Name == "data-urlencode" && !strings.HasPrefix(t, "@") {
				if _, file, ok := strings.Cut(t, "@"); ok && !strings.Contains(t[:len(t)-len(file)], "=") {
					c.readAt(&u.Value, len(t)-len(file))
				}
				continue
			}
			if strings.HasPrefix(u.Value.Text, "@") {
				c.readAt(&u.Value, 1)
			}
		case "F", "form":
			c.curlForm(&u.Value)
		case "T", "upload-file":
			if strings.ContainsAny(u.Value.Text, "{[") && !c.Has("g", "globoff") {
				c.Narrow("the file is a pattern for several")
				c.readEach(&u.Value, curlNames(u.Value.Text))
			}
		case "variable":
			if name, _, ok := strings.Cut(u.Value.Text, "@"); ok && !strings.Contains(name, "=") {
				c.readAt(&u.Value, len(name)+1)
			} else if strings.HasPrefix(name, "%") {
				c.Narrow("--variable takes a variable of the environment")
			}
		case "b", "cookie":
			if u.Value.Known && !strings.Contains(u.Value.Text, "=") {
				c.readValue(&u.Value)
			}
		case "w", "write-out":
			if strings.HasPrefix(u.Value.Text, "@") {
				c.readAt(&u.Value, 1)
			}
			for _, part := range strings.Split(u.Value.Text, "%output{")[1:] {
				file, _, _ := strings.Cut(part, "}")
				w := shell.Literal(strings.TrimPrefix(file, ">>"), &u.Value)
				w.Known = u.Value.Known
				c.writeExtra(&w)
			}
		}
	}
	remote := c.Has("O", "remote-name", "remote-name-all")
	for _, w := range c.operands() {
		if rest, ok := strings.CutPrefix(strings.ToLower(w.Text), "file://"); ok {
			if at := strings.IndexByte(rest, '/'); at >= 0 {
				c.readAt(w, len("file://")+at)
			}
		}
		ranges := strings.Contains(w.Text, "[") && !strings.Contains(w.Text, "//[") && !c.Has("g", "globoff")
		if ranges || strings.ContainsAny(w.Text, "{}") {
			c.Narrow("the URL is a pattern for several")
		}
		if remote {
			several := strings.Contains(w.Text, "{") && !c.Has("g", "globoff") // its names are those in the braces
			c.download(w, dir, several || c.Has("J", "remote-header-name"))
		}
	}
	c.disproveIf(!c.curlAsks())
}

// curlForm reads the files in a field of a form: NAME=@FILE,FILE;headers=@FILE or NAME=<FILE, each
// name in double quotes or not.
func (c *Invocation) curlForm(field *shell.Word) {
	name, content, _ := strings.Cut(field.Text, "=")
	ofFile := shell.StartsWithAny(content, "@", "<")
	if ofFile && !field.Known {
		c.readAt(field, len(name)+2)
	}
	var files []string
	for n, part := range curlParts(content) {
		header, isHeader := strings.CutPrefix(part, ";headers=")
		switch {
		case isHeader && shell.StartsWithAny(header, "@", "<"):
			files = append(files, header[1:])
		case ofFile && (n == 0 || part[0] == ','):
			files = append(files, strings.TrimLeft(part[1:], " \t"))
		}
	}
	c.readEach(field, files)
}

// curlParts cuts the content of a field before every ; and , that is not in double quotes, and takes
// the quotes and the backslashes in them away.
func curlParts(content string) (parts []string) {
	var part strings.Builder
	quoted := false
	for i := 0; i < len(content); i++ {
		switch b := content[i]; {
		case b == '"':
			quoted = !quoted
			continue
		case b == '\\' && quoted && i+1 < len(content):
			i++
		case !quoted && (b == ';' || b == ','):
			parts = append(parts, part.String())
			part.Reset()
		}
		part.WriteByte(content[i])
	}
	return append(parts, part.String())
}

// curlNames expands the braces of a pattern of curl's; what else it may hold finds no file of its own.
func curlNames(pattern string) []string {
	start, rest, ok := strings.Cut(pattern, "{")
	list, end, closed := strings.Cut(rest, "}")
	if !ok || !closed || strings.Count(pattern, ",") > 64 {
		return []string{pattern}
	}
	var all []string
	for _, name := range strings.Split(list, ",") {
		for _, tail := range curlNames(end) {
			all = append(all, start+name+tail)
		}
	}
	return all
}

// readEach reads files that a value names besides others.
func (c *Invocation) readEach(at *shell.Word, names []string) {
	for _, name := range names {
		if w := shell.Literal(name, at); at.Known && name != "" {
			c.readValue(&w)
		}
	}
}

// curlAsks reports whether a request is a plain GET or HEAD of URLs that are
// all literal: nothing is sent but what is in the text.
func (c *Invocation) curlAsks() bool {
	urls := len(c.Operands)
	for u := range c.options() {
		if u.Name == "url" {
			if urls++; !plainURL(u.Value.Text) {
				return false
			}
		}
	}
	return urls > 0 && c.onlyGets()
}

// namesMethod reports whether a header may put another method in the place of GET.
func namesMethod(header string) bool { return strings.Contains(strings.ToLower(header), "method") }

// onlyGets reports whether every operand is a plain URL, and no file is touched.
func (c *Invocation) onlyGets() bool {
	odd := func(at int) bool { return !plainURL(c.Argv[at].Text) }
	touches := func(e shell.Effect) bool { return e.Kind != shell.Network }
	return !slices.ContainsFunc(c.Operands, odd) && !slices.ContainsFunc(c.Facts.Effects, touches)
}

// plainURL reports whether a URL is of http or https with an ordinary host: other schemes write,
// a cloud's metadata server gives out credentials, and odd numbers may be its address.
func plainURL(url string) bool {
	host, ok := hostOf(strings.ToLower(url))
	name, port, colon := strings.Cut(host, ":")
	if !ok || name == "" || colon && !shell.Number(port) {
		return false
	}
	gives := shell.ContainsAny(name, "metadata", "169.254", "169-254") || CloudMetadata(name)
	return !strings.ContainsAny(host, "@%\\[]{}") && !gives && plainAddress(name)
}

// hostOf is the host and port of a URL; false unless it is of http or https.
func hostOf(url string) (string, bool) {
	rest, scheme := strings.CutPrefix(url, "https://")
	if !scheme {
		rest, scheme = strings.CutPrefix(url, "http://")
	}
	if !scheme && (strings.Contains(rest, "://") || guessesScheme(rest)) {
		return "", false
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	return rest, true
}

// guessesScheme reports whether curl takes a bare name for one of another scheme.
func guessesScheme(name string) bool {
	return shell.StartsWithAny(name, "ftp.", "dict.", "ldap.", "imap.", "smtp.", "pop3.")
}

// CloudMetadata reports whether a host is the server from which a machine in a cloud gets its own credentials.
func CloudMetadata(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return strings.HasPrefix(host, "169.254.169.254.") || // nip.io and its kin
		shell.Among("169.254.169.254 169.254.170.2 169.254.170.23 169.254.0.23 100.100.100.200 192.0.0.192 fd00:ec2::254 "+
			"fd00:ec2::23 fd20:ce::254 metadata metadata.google.internal metadata.goog metadata.azure.internal "+
			"metadata.azure.com metadata.tencentyun.com instance-data instance-data.ec2.internal 2852039166 0xa9fea9fe "+
			"0xa9.0xfe.0xa9.0xfe 0251.0376.0251.0376 025177524776 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe", host)
}

// plainAddress reports whether a name that looks like a number is a plain IPv4 address.
func plainAddress(name string) bool {
	if strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 }) {
		return false
	}
	last := name[strings.LastIndexByte(strings.TrimSuffix(name, "."), '.')+1:]
	if last = strings.TrimSuffix(last, "."); last == "" || last[0] < '0' || last[0] > '9' {
		return true
	}
	parts := strings.Split(name, ".")
	return len(parts) == 4 && !slices.ContainsFunc(parts, func(p string) bool { return !octet(p) })
}

// octet reports whether a text is a part of an address as one writes it.
func octet(s string) bool { return shell.Number(s) && len(s) <= 3 && (len(s) == 1 || s[0] != '0') }

// readAt reads the file a value names after its first n bytes.
func (c *Invocation) readAt(w *shell.Word, n int) {
	c.readValue(new(shell.Suffix(w, n)))
}

// httpieCommands are the programs that send requests to web services.
var httpieCommands = []Command{
	{
		Names: "http https xh xhs", Title: "sends requests to web services", Flags: "-jfxhbvmIFS json form headers body verbose meta ignore-stdin follow stream print-all check-status offline all help version",
		Values: "-pAsat print auth-type style pretty timeout max-redirects format-options response-charset response-mime max-headers http-version raw auth",
		Opts: []Opt{
			{"-o output", HasArg, WritesValue}, {"-dc download continue", NoArg, 0}, {"session session-read-only", HasArg, Changes}, {"proxy verify cert-key-pass unix-socket interface resolve", HasArg, Unsafe},
			{"cert cert-key", HasArg, Reads}, {"multipart compress", NoArg, Changes},
		},
		Forms: []Form{{"-I|--ignore-stdin !-d|--download|--raw|--offline", Proves, ""}}, refine: refineHttpie,
	},
}

// refineHttpie: METHOD and URL, then items; --ignore-stdin keeps standard input from being sent.
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
		from := len(c.Facts.Effects)
		c.download(url, c.Cwd, false)
		c.extra(from)
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
