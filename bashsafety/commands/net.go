package commands

import (
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
