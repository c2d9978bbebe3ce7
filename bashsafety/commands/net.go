package commands

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// ownLanguage is why no pattern covers a program whose arguments are a language.
const ownLanguage = "its arguments can run commands or write files"

// aHost is the form of words that are asked about: all that are no option, setting or number.
const aHost = "HOST...:^-*|+*|#"

// netCommands are the programs that ask the network and open connections.
var netCommands = []Command{
	{
		Names: "dig drill", Title: "queries the network", Style: NoOptions, ReadsSome: true, KnownWords: true,
		Forms: []Form{{"$", Disproves, ""}, {aHost, Sends, ""}, {"NAME...:-f*|-k*|-y*|-o*|-w*|-i*", Disproves, ""}}, // -f and -k read a file
	},
	{
		Names: "host nslookup traceroute tracepath whois", Title: "queries the network", Style: NoOptions, ReadsSome: true, KnownWords: true,
		Forms: []Form{{"$", Disproves, ""}, {aHost, Sends, ""}},
	},
	{
		Names: "getent", Title: "looks up what the system knows, or asks the network", Flags: "-iAV no-idn no-addrconfig help usage version", Values: "-s service",
		Forms: []Form{{"*", Proves, ""}, {"shadow|gshadow >/etc/shadow", Reads, ""}, {"HOST:*hosts*", Sends, ""}, {"*hosts* HOST...", Sends, ""}}, KnownWords: true,
		Special: &Special{Credentials: []Credential{{"getent shadow|gshadow", ""}}},
	},
	{
		Names: "ping ping6 mtr", Title: "asks a machine whether it is there", Style: NoOptions, ReadsSome: true, KnownWords: true,
		Forms: []Form{{aHost, Sends, ""}}, refine: refinePing,
	},
	{
		Names: "nc ncat netcat nc.traditional nc.openbsd", Title: "opens connections",
		Flags:  "-46bCdDFhklnNrStuUvz listen keep-open udp verbose ssl broker chat no-dns recv-only send-only",
		Values: "-iIMmOpPqsTVwWX source source-port wait idle-timeout proxy max-conns delay proxy-type proxy-auth",
		Opts:   []Opt{{"-ec exec sh-exec lua-exec", HasArg, Executes}, {"-o output hex-dump", HasArg, WritesValue}, {"-x", HasArg, Unsafe}},
		Forms:  []Form{{"HOST", Sends, ""}, {"-z * !-l|-k|-U|-e|-c|-u|--listen|--exec|--sh-exec|--lua-exec", Proves, ""}}, KnownWords: true,
	},
	{Names: "socat", Title: "connects two channels", Style: NoOptions, Forms: []Form{{"", ObeysWords, ownLanguage}}, refine: refineSocat},
	{
		Names: "lftp ftp tftp telnet", Title: "talks to another machine", Operands: Sends, Forms: []Form{{"", ObeysWords, ownLanguage}, {"=ftp -u * FILE...", Reads, ""}, {"=tftp -p -l=FILE", Reads, ""}, {"=tftp -g -l=FILE", Writes, ""}},
		Flags: "-gpu", Values: "-lr",
		Special: &Special{Losses: []Loss{{Of: OfStorage, Names: "lftp", Values: "-euc", Verbs: []string{" ~mirror ~--delete", " ~rm"}}}},
	},
	{
		Names: "nmap", Title: "scans networks", Flags: "-vdnRAFO46h open traceroute reason",
		Values:   "-pTegDSM max-retries host-timeout min-rate max-rate exclude top-ports",
		Opts:     []Opt{{"script script-args script-args-file datadir servicedb", HasArg, Unsafe}, {"-o resume stylesheet", HasArg, Unsafe}, {"-i excludefile", HasArg, Unsafe}},
		Operands: Sends, Forms: []Form{{"-o=A|G|N|S|X FILE", Writes, ""}},
	},
	{
		Names: "tcpdump", Title: "records network traffic", Flags: "-nvXxAeqtSlLDpKNU#", Values: "-icsCGWBjMTyEfYd",
		Opts: []Opt{{"-z postrotate-command", HasArg, Executes}, {"-w", HasArg, WritesValue}, {"-rVF", HasArg, Reads}, {"-Z relinquish-privileges", HasArg, Unsafe}},
	},
}

// refinePing: a number of questions, and no flood of them.
func refinePing(c *Invocation) {
	counted := false
	for i := range c.Argv[1:] {
		t := c.Argv[i+1].Text
		counted = counted || strings.HasPrefix(t, "-c") || strings.HasPrefix(t, "-r")
		c.disproveIf(strings.HasPrefix(t, "-") && strings.ContainsAny(t, "fFAl"))
	}
	c.disproveIf(!counted)
}

// refineSocat: the address of EXEC, SYSTEM and SHELL is a command.
func refineSocat(c *Invocation) {
	for _, w := range c.words() {
		kind, text, _ := strings.Cut(w.Text, ":")
		switch strings.ToUpper(kind) {
		case "EXEC", "SYSTEM", "SHELL":
			if text, _, _ = strings.Cut(text, ","); w.Known {
				c.codeText("socat", text, w)
			}
		case "OPEN", "FILE", "GOPEN", "CREATE", "CREAT":
			file := shell.Suffix(w, len(kind)+1)
			file.Text, _, _ = strings.Cut(file.Text, ",")
			c.touch(shell.Read, &file, false)
			c.touch(shell.Write, &file, false)
		case "TCP", "TCP4", "TCP6", "TCP-CONNECT", "UDP", "UDP4", "UDP6", "UDP-CONNECT", "OPENSSL", "SSL":
			c.network(new(shell.Suffix(w, len(kind)+1)))
		}
	}
}

// opensslCommands are the programs of cryptography.
var opensslCommands = []Command{
	{
		Names: "openssl", Title: "encrypts, signs and manages certificates", Style: SingleDash,
		Flags: "nodes noout text base64 a d e x509 new batch aes-256-cbc sha256 hex pbkdf2 salt pubout modulus dates issuer subject " +
			"fingerprint showcerts verify_return_error brief quiet purpose",
		Values: "days subj newkey k pass passin passout servername md iter S K iv inform outform bits",
		Opts: []Opt{
			{"out keyout CAkeyout writerand sess_out keylogfile msgfile certout CAcreateserial", HasArg, WritesValue},
			{"in key cert CAfile CAkey CA certfile inkey sigfile signature rand extfile", HasArg, Reads},
			{"config engine provider provider-path", HasArg, Unsafe}, {"connect", HasArg, Sends},
		},
		Subs: opensslSubs, Net: FetchesURLs,
	},
	{
		Names: "gpg gpg2 gpgv gpgsm", Title: "encrypts and signs", InfoFlags: "--version --help",
		Flags:  "-abcdeknqstvz armor batch clearsign decrypt detach-sign encrypt list-keys list-secret-keys no-tty quiet sign symmetric verbose verify yes",
		Values: "-ru recipient local-user pinentry-mode cipher-algo",
		Opts: []Opt{
			{"-o output", HasArg, Writes}, {"homedir options", HasArg, Unsafe}, {"status-file attribute-file", HasArg, WritesValue},
			{"logger-file log-file keyring secret-keyring default-keyring load-extension trustdb-name", HasArg, Unsafe}, {"pinentry-program agent-program dirmngr-program", HasArg, RunsName}, {"photo-viewer", HasArg, Executes},
			{"exec-path gpgconf-path keyserver keyserver-options passphrase-file", HasArg, Unsafe},
		},
		Operands: Reads,
		Special:  &Special{Credentials: []Credential{{"gpg|gpg2 --export-secret-keys|--export-secret-key|--export-secret-subkeys|--export-secret-ssh-key", ""}}},
	},
}

// opensslSubs are the commands of openssl that only tell when none of the
// options above names an output: openssl(1). The others may print private keys,
// serve or sign.
var opensslSubs = []Command{
	{
		Names: "version ciphers list help", ReadOnly: true,
		Flags: "b f o p r c v V s stdname tls1 tls1_1 tls1_2 tls1_3 commands digest-commands cipher-commands digest-algorithms cipher-algorithms disabled providers",
	},
	{Names: "rand", ReadOnly: true},
	{
		Names: "x509 crl asn1parse pkcs7 ocsp-info", ReadOnly: true,
		Flags:  "startdate enddate serial pubkey email hash subject_hash issuer_hash sha256 sha1 md5 ocsp_uri alias nocert crlnumber lastupdate nextupdate print_certs i print trustout",
		Values: "checkend nameopt certopt ext checkhost checkip dateopt strparse offset length oid",
		Opts:   []Opt{{"signkey CA CAkey CAserial set_serial addtrust setalias passin force_pubkey req genconf CAcreateserial", HasArg, Changes}},
	},
	{
		Names: "dgst md5 sha1 sha224 sha256 sha384 sha512", ReadOnly: true, Flags: "sha1 sha224 sha256 sha384 sha512 md5 sha3-256 blake2b512 r c binary list", Operands: Reads,
		Opts: []Opt{{"sign verify prverify hmac mac macopt", HasArg, Changes}},
	},
	{
		Names: "verify", ReadOnly: true, Flags: "x509_strict crl_check no-CAfile no-CApath partial_chain show_chain", Values: "verify_hostname verify_depth purpose",
		Opts: []Opt{{"untrusted trusted CRLfile CApath", HasArg, Reads}}, Operands: Reads,
	},
	{Names: "engine", Opts: []Opt{{"pre post", HasArg, Unsafe}}, Forms: []Form{{"~/", Narrows, loadsEngine}, {"NAME...:*/*", Narrows, loadsEngine}}},
	{Names: "*"},
}

// loadsEngine is why no pattern covers openssl with the file of an engine.
const loadsEngine = "an engine loads code"

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
