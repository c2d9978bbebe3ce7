package commands

import (
	"slices"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// opensslCommands are the programs of cryptography.
var opensslCommands = []Command{
	{
		Names: "openssl", Title: "encrypts, signs and manages certificates", Style: SingleDash,
		Flags: "nodes noout text base64 a d e x509 new batch aes-256-cbc sha256 hex pbkdf2 salt pubout modulus dates issuer subject " +
			"fingerprint showcerts verify_return_error brief quiet purpose",
		Values: "days subj newkey k pass passin passout connect servername md iter S K iv inform outform bits",
		Opts: []Opt{
			{"out keyout CAkeyout writerand sess_out keylogfile msgfile certout CAcreateserial", HasArg, WritesValue},
			{"in key cert CAfile CAkey CA certfile inkey sigfile signature rand extfile", HasArg, ReadsValue},
			{"config engine provider provider-path", HasArg, Unsafe},
		},
		refine: refineOpenssl, Subs: opensslSubs, Net: FetchesURLs,
	},
	{
		Names: "gpg gpg2 gpgv gpgsm", Title: "encrypts and signs", InfoFlags: "--version --help",
		Flags:  "-abcdeknqstvz armor batch clearsign decrypt detach-sign encrypt list-keys list-secret-keys no-tty quiet sign symmetric verbose verify yes",
		Values: "-ru recipient local-user pinentry-mode cipher-algo",
		Opts: []Opt{
			{"-o output", HasArg, OutputsValue}, {"homedir options", HasArg, Unsafe}, {"status-file attribute-file", HasArg, WritesValue},
			{"logger-file log-file keyring secret-keyring default-keyring load-extension pinentry-program trustdb-name", HasArg, Unsafe},
			{"exec-path photo-viewer agent-program dirmngr-program gpgconf-path keyserver keyserver-options passphrase-file", HasArg, Unsafe},
		},
		Operands: Reads,
		Special:  &Special{Credentials: []Credential{{"gpg|gpg2", "--export-secret-keys --export-secret-key --export-secret-subkeys --export-secret-ssh-key", ""}}},
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
		Opts: []Opt{{"untrusted trusted CRLfile CApath", HasArg, ReadsValue}}, Operands: Reads,
	},
	{Names: "*"},
}

func refineOpenssl(c *Invocation) {
	if len(c.Subs) > 0 && c.Subs[0] == "engine" && c.mentions("/", "-pre", "-post") {
		c.Narrow("an engine loads code")
	}
	if o := c.Option("connect"); o != nil {
		c.network(&o.Value)
	}
}

// mentions reports whether a word of the subcommand has one of some texts in it.
func (c *Invocation) mentions(parts ...string) bool {
	return slices.ContainsFunc(c.Argv[c.From:], func(w shell.Word) bool { return !w.Known || shell.ContainsAny(w.Text, parts...) })
}
