package bashsafety

// runCommands are the programs that run another one.
var runCommands = []Command{
	{
		Names: []string{"at", "batch"}, Title: "runs shell text later", Flags: "-bdlmMrvV", Values: "-qtc", Opts: []Opt{{"-f", HasArg, ReadsValue}}, more: atMore,
		Examples: []Example{{"at now", "at>-"}, {"at -l", "ro"}, {"at -f x.sh now", "read:x.sh exec:x.sh"}},
	},
	{
		Names: []string{"bash", "sh", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "fish"}, Title: "runs shell text", Style: NoOptions, more: shellMore,
		Examples: []Example{
			{"bash -c 'rm x'", "bash -c>'rm x'"},
			{"bash -lc id", "bash -c>'id'"},
			{"sh -ec 'set -x; id' a0 a1", "sh -c>'set -x; id'"},
			{"bash -O extglob -c id", "bash -c>'id'"},
			{"bash -c -x id", "bash -c>'id'"},
			{"bash -c -- id", "bash -c>'id'"},
			{`bash -c "$x"`, "bash -c>?"},
			{"bash x.sh a", "exec:x.sh read:x.sh"},
			{"bash", "bash>-"},
			{"bash -s -- --yes", "bash>-"},
			{"bash --rcfile /tmp/e -i", "narrow read:/tmp/e bash>-"},
			{"bash -n x.sh", "ro read:x.sh"},
			{"bash --version", "ro"},
			{"zsh -o extended_glob -c id", "zsh -c>'id'"},
			{"bash +O extglob x", "exec:x read:x"},
			{`bash "$f"`, "exec:? read:?"},
			{`bash $f x`, "doubt:unknown-program-text"},
			{`bash "$f" x`, "narrow exec:? read:?"},
			{"fish --command=id", "fish -c>'id'"},
		},
	},
	{
		Names: []string{"busybox", "toybox"}, Title: "runs one of its applets", Style: StopAtOperand, Opts: []Opt{{"list list-full help install", NoArg, Asks}, {"-s", NoArg, Asks}}, more: busyboxMore,
		Examples: []Example{{"busybox rm x", "busybox>rm x"}, {"busybox --list", "ro"}},
	},
	{
		Names: []string{"caffeinate"}, Title: "keeps the machine awake", Flags: "-disum", Values: "-tw", Style: StopAtOperand, more: launchMore,
		Examples: []Example{{"caffeinate -t 5 make x", "caffeinate>make x"}},
	},
	{
		Names: []string{"chroot"}, Title: "runs with another root", Values: "userspec groups -uGg", Flags: "skip-chdir -n", Style: StopAtOperand, more: afterFirst,
		Examples: []Example{{"chroot /mnt rm -r x", "chroot>rm -r x"}, {"chroot /mnt", "chroot>-"}},
	},
	{
		Names: []string{"chrt", "taskset"}, Title: "runs with another schedule", Flags: "-abdfiomrRv all-tasks max other batch idle rr fifo deadline reset-on-fork verbose cpu-list -c", Opts: []Opt{{"-p pid", NoArg, Asks}}, Values: "-TPD sched-runtime sched-period sched-deadline", Style: StopAtOperand, more: afterFirst,
		Examples: []Example{{"taskset -c 0,1 make x", "taskset>make x"}, {"chrt -f 9 make", "chrt>make"}},
	},
	{
		Names: []string{"dbus-run-session", "eatmydata", "fakeroot", "unbuffer", "rlwrap", "proxychains", "proxychains4", "torsocks", "firejail"}, Title: "runs a command in another surrounding", Flags: "-v -q -l -u -i", Values: "-b -s -f", Opts: []Opt{{"config-file dbus-daemon faked lib", HasArg, Unsafe}}, Style: StopAtOperand, more: launchMore,
		Examples: []Example{{"dbus-run-session -- make x", "dbus-run-session>make x"}, {"fakeroot rm x", "fakeroot>rm x"}},
	},
	{
		Names: []string{"doas"}, Title: "runs as another user", Flags: "-Lns", Values: "-auC", Style: StopAtOperand, more: sudoMore,
		Examples: []Example{{"doas -u www rm x", "priv:www doas>rm x"}},
	},
	{
		Names: []string{"entr"}, Title: "runs a command when files change", Flags: "-acdnprxz", Opts: []Opt{{"-s", NoArg, 0}}, Style: StopAtOperand, more: entrMore,
		Examples: []Example{{"entr -r go test", "entr>go test ..."}, {"entr -s 'make x'", "entr -s>'make x'"}},
	},
	{
		Names: []string{"env", "genv"}, Title: "runs with another environment", Flags: "-0iv null ignore-environment debug list-signal-handling help version",
		Values: "-uLU unset argv0 -a", OptValues: "block-signal default-signal ignore-signal", Opts: []Opt{{"-C chdir", HasArg, 0}, {"-S split-string", HasArg, 0}, {"-P", HasArg, Unsafe}},
		Style: StopAtOperand, ReadOnly: true, more: envMore,
		Examples: []Example{
			{"env", "ro"},
			{"env A=1 B=2 curl x", "env>A=1 B=2 curl x"},
			{"env -i -u X curl x", "env>curl x"},
			{`env -S 'bash -c "id"'`, "env>bash -c id"},
			{"env -vS 'A=1 rm x' y", "env>A=1 rm x y"},
			{"env -C /x rm y", "env>rm y"},
			{`env -S '${x} y'`, "env>? y"},
			{"env - ls", "env>ls"},
			{"env -u A", "ro"},
		},
	},
	{
		Names: []string{"flock"}, Title: "runs under a lock", Flags: "-ensuxoFv exclusive shared nonblock nb unlock close no-fork verbose", Values: "-wE wait timeout conflict-exit-code", Opts: []Opt{{"-c command", HasArg, 0}}, Style: StopAtOperand, more: flockMore,
		Examples: []Example{{"flock l rm x", "write:l flock>rm x"}, {"flock l -c 'rm x'", "write:l flock -c>'rm x'"}, {"flock -n 9", "write:9"}},
	},
	{
		Names: []string{"gdb", "lldb"}, Title: "debugs a program", Style: SingleDash, Flags: "q quiet batch nx nh n silent help version p", Values: "d cd c core symbols e exec s se pid tty",
		Opts: []Opt{{"ex x command eval-command ix iex init-command init-eval-command o O one-line source S K", HasArg, Unsafe}, {"args", NoArg, 0}, {"-", NoArg, 0}}, more: debugMore,
		Examples: []Example{{"gdb --args rm x", "gdb>rm x"}, {"gdb -ex 'shell id' x", "narrow exec:x read:x"}, {"lldb -- rm x", "lldb>rm x"}},
	},
	{
		Names: []string{"ionice"}, Title: "runs with another I/O priority", Flags: "-t ignore", Values: "-cn class classdata", Opts: []Opt{{"-pPu pid pgid uid", NoArg, Asks}}, Style: StopAtOperand, more: launchMore,
		Examples: []Example{{"ionice -c 3 rm x", "ionice>rm x"}, {"ionice -c3 rm x", "ionice>rm x"}},
	},
	{
		Names: []string{"ld.so"}, Title: "runs a program by the dynamic loader", Flags: "list verify inhibit-cache list-tunables list-diagnostics help version", Values: "library-path glibc-hwcaps-prepend glibc-hwcaps-mask inhibit-rpath argv0", Opts: []Opt{{"preload audit", HasArg, Unsafe}}, Style: StopAtOperand, more: launchMore,
		Examples: []Example{{"/lib64/ld-linux-x86-64.so.2 /usr/bin/curl x", "ld-linux-x86-64.so.2>/usr/bin/curl x"}},
	},
	{
		Names: []string{"ltrace", "strace"}, Title: "traces a program", Flags: "-cCdDfhikqrtTvVwxyYzZ follow-forks", Values: "-aAbeEFIlnOpPsSuUX attach expr env user string-limit trace signal inject fault",
		Opts: []Opt{{"-o output", HasArg, 0}}, Style: StopAtOperand, more: straceMore,
		Examples: []Example{{"strace -f -e open rm x", "strace>rm x"}, {"strace -o '|id' ls", "narrow strace>ls"}, {"strace -o t ls", "write:t narrow strace>ls"}},
	},
	{
		Names: []string{"nice", "gnice"}, Title: "runs with another priority", Flags: "-0123456789 help version", Values: "-n adjustment", Style: StopAtOperand, more: wrapMore,
		Examples: []Example{{"nice -n 10 make -j4", "nice>make -j4"}, {"nice -10 make", "nice>make"}, {"nice --adj=5 make", "nice>make"}, {"nice", "ro"}},
	},
	{
		Names: []string{"nohup"}, Title: "runs without hangups", Flags: "help version", Style: StopAtOperand, more: wrapMore,
		Examples: []Example{{"nohup nice x", "nohup>nice x"}},
	},
	{
		Names: []string{"nsenter", "unshare"}, Title: "runs in other namespaces",
		Flags: "-acefFZ all fork map-root-user map-current-user keep-caps follow-context preserve-credentials no-fork map-auto env user-parent", OptValues: "-muinpUCTrw mount uts ipc net pid user cgroup time mount-proc kill-child root wd setgroups",
		Values: "-tSGR target setuid setgid propagation wdns map-user map-group map-users map-groups load-interp boottime monotonic", Style: StopAtOperand, more: shellLauncherMore,
		Examples: []Example{{"unshare -r rm x", "unshare>rm x"}, {"nsenter -t 1 -m sh -c id", "nsenter>sh -c id"}, {"unshare", "unshare>-"}},
	},
	{
		Names: []string{"parallel"}, Title: "runs a command for every argument", Flags: "-0klmtuvX bar dry-run eta keep-order line-buffer no-notice progress quote shuf tag ungroup verbose null will-cite xargs no-run-if-empty -r -q",
		Values: "-aCdIJjLNnPs arg-file jobs delay joblog max-args max-procs max-lines max-replace-args nice results retries timeout colsep delimiter load memfree halt tmpdir workdir wd sshlogin sshloginfile basefile return env block recstart recend", Opts: []Opt{{"-S", HasArg, Unsafe}},
		Style: StopAtOperand, more: parallelMore,
		Examples: []Example{{"parallel -j4 rm {} ::: a b", "parallel>rm ?"}, {"parallel gzip ::: a", "parallel>gzip ..."}, {"parallel", "doubt:piped-program"}, {"parallel 'ls {} | wc' ::: a", "parallel>ls ? | wc"}},
	},
	{
		Names: []string{"pkexec", "sg", "runuser", "su"}, Title: "runs as another user", Flags: "-flmpP - login preserve-environment fast pty disable-internal-agent keep-cwd", Values: "-gGuwT group supp-group user whitelist-environment", Opts: []Opt{{"-c command session-command", HasArg, 0}, {"-s shell", HasArg, Executes}}, more: suMore,
		Style:    StopAtOperand,
		Examples: []Example{{"su -c 'rm x'", "priv:root su -c>'rm x'"}, {"su - bob -c 'rm x'", "priv:bob su -c>'rm x'"}, {"runuser -u bob rm x", "priv:bob runuser>rm x"}, {"su", "priv:root su>-"}, {"pkexec rm x", "priv:root pkexec>rm x"}},
	},
	{
		Names: []string{"prlimit"}, Title: "runs with other limits", Flags: "-V noheadings raw verbose", OptValues: "-cdefilmnqrstuvxy core data nofile nproc as cpu fsize memlock stack rss nice rtprio sigpending msgqueue locks rttime", Values: "-o output -p pid", Style: StopAtOperand, more: launchMore,
		Examples: []Example{{"prlimit --nofile=9 rm x", "prlimit>rm x"}},
	},
	{
		Names: []string{"script"}, Title: "records a terminal", Flags: "-aefqVrd append return flush force quiet", Values: "-BEIOmot echo logging-format output-limit", OptValues: "timing", Opts: []Opt{{"-c command", HasArg, 0}}, more: scriptMore,
		Examples: []Example{{"script -qc 'rm x' /dev/null", "script -c>'rm x'"}, {"script t", "write:t script>-"}, {"script -q /dev/null rm x", "script>rm x"}},
	},
	{
		Names: []string{"setsid"}, Title: "runs in a session of its own", Flags: "-cfw ctty fork wait help version", Style: StopAtOperand, more: launchMore,
		Examples: []Example{{"setsid -f curl x", "setsid>curl x"}},
	},
	{
		Names: []string{"stdbuf", "gstdbuf"}, Title: "runs with other buffering", Values: "-ioe input output error", Style: StopAtOperand, more: wrapMore,
		Examples: []Example{{"stdbuf -o L x", "stdbuf>x"}, {"stdbuf -oL -eL x y", "stdbuf>x y"}},
	},
	{
		Names: []string{"sudo"}, Title: "runs as another user",
		Flags: "-ABbEHiknNPSs askpass background bell preserve-groups set-home login shell stdin non-interactive no-update", Values: "-aCghpRrTtUuc auth-type close-from group host prompt chroot role command-timeout type other-user user", OptValues: "preserve-env",
		Opts:  []Opt{{"-D chdir", HasArg, 0}, {"-lKvV list reset-timestamp remove-timestamp validate version help", NoArg, Asks}, {"-e edit", NoArg, Unsafe}},
		Style: StopAtOperand, ReadOnly: true, more: sudoMore,
		Examples: []Example{
			{"sudo -u root -n rm x", "priv:root sudo>rm x"},
			{"sudo A=1 rm x", "priv:root sudo>A=1 rm x"},
			{"sudo -l", "ro"},
			{"sudo -v", "ro"},
			{"sudo -i", "priv:root sudo>-"},
			{"sudo -D /x rm y", "priv:root sudo>rm y"},
			{"sudo -e /etc/x", "priv:root write:/etc/x narrow"},
			{"sudo --user=bob -- rm", "priv:bob sudo>rm"},
		},
	},
	{
		Names: []string{"sudoedit"}, Title: "edits files as another user", Values: "-ughpCRT", Flags: "-ABknNS", Operands: Writes,
		Examples: []Example{{"sudoedit /etc/hosts", "write:/etc/hosts"}},
	},
	{
		Names: []string{"systemd-run", "systemd-inhibit", "numactl", "setarch", "linux32", "linux64", "setpriv", "capsh", "daemonize", "perf", "valgrind", "hyperfine", "xvfb-run", "bwrap", "catchsegv"}, Title: "runs a command in another surrounding",
		Style: StopAtOperand, Flags: "-adGPqrStvwWn pty wait scope user system quiet collect remain-after-exit shell same-dir no-block auto-servernum", Values: "-Epsufle property unit slice setenv description uid gid nice working-directory service-type on-active what who why mode server-args error-file server-num", more: surroundMore,
		Examples: []Example{{"xvfb-run -a npm test", "narrow xvfb-run>npm test"}, {"systemd-run --user -p A=b rm x", "narrow systemd-run>rm x"}, {"valgrind --tool=x ls", "narrow valgrind>ls"}},
	},
	{
		Names: []string{"time", "gtime"}, Title: "measures a command", Flags: "-apvqlh append portability verbose quiet help version", Values: "-f format", Opts: []Opt{{"-o output", HasArg, WritesValue}}, Style: StopAtOperand, more: wrapMore,
		Examples: []Example{{"/usr/bin/time -f %e go test", "time>go test"}, {"time -o x ls", "write:x narrow time>ls"}},
	},
	{
		Names: []string{"timeout", "gtimeout"}, Title: "runs with a time limit", Flags: "-vfp preserve-status foreground verbose help version", Values: "-ks kill-after signal", Style: StopAtOperand, more: timeoutMore,
		Examples: []Example{{"timeout 5 rm x", "timeout>rm x"}, {"timeout -s KILL -k 5 30 rm x", "timeout>rm x"}, {"timeout --signal=9 1.5s rm", "timeout>rm"}, {"timeout --pres 5 rm", "timeout>rm"}},
	},
	{
		Names: []string{"watch"}, Title: "repeats a command", Flags: "-bcCegprtwx beep color no-color errexit chgexit precise no-rerun no-title no-wrap exec equexit", Values: "-ns interval shotsdir", OptValues: "-d differences", Style: StopAtOperand, more: watchMore,
		Examples: []Example{{"watch -n 1 rm x", "watch>'rm x'"}, {"watch -x rm x", "watch>rm x"}},
	},
	{
		Names: []string{"xargs", "gxargs"}, Title: "runs a command with arguments from standard input", Flags: "-0oprtx null open-tty interactive no-run-if-empty verbose exit show-limits help version",
		Values: "-dEILnPRsSJ delimiter max-args max-procs max-chars process-slot-var", OptValues: "-eil eof replace max-lines", Opts: []Opt{{"-a arg-file", HasArg, ReadsValue}}, Style: StopAtOperand, ReadOnly: true, more: xargsMore,
		Examples: []Example{
			{"xargs rm", "xargs>rm ..."},
			{"xargs -0 -n 1 -P4 grep -n x", "xargs>grep -n x ..."},
			{"xargs -I{} sh -c 'curl -d @{} e'", "xargs>sh -c curl -d @? e"},
			{"xargs -I % rm %", "xargs>rm ?"},
			{"xargs", "ro"},
			{"xargs -a f rm", "read:f xargs>rm ..."},
			{"xargs -i rm {}", "xargs>rm ?"},
		},
	},
}
