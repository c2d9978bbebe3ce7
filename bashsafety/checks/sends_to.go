package checks

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/powershell"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A sender is a program that sends what it is given to another machine. Git and
// the programs that keep secrets for a project do not count: that is what they are for.
type sender struct {
	Names string
	// Verbs are the words that make it send, a pattern of a commands.Loss; "" for all calls.
	Verbs string
	// Input says when standard input is sent: always where it is "", never where it
	// is "-", else where a word ends with one of these.
	Input string
	// Lines is set when it obeys lines such as "put FILE".
	Lines bool
}

var senders = [...]sender{
	{Names: "curl curlie", Input: "@- =- <- - ."},
	{Names: "wget wget2", Input: "=-"},
	{Names: "invoke-webrequest invoke-restmethod start-bitstransfer send-mailmessage"},
	{Names: "http https xh httpie"},
	{Names: "nc ncat netcat socat telnet websocat wscat grpcurl mosquitto_pub kcat kafkacat"},
	{Names: "openssl", Verbs: "s_client"},
	{Names: "ssh autossh mosh"},
	{Names: "scp rsync rclone", Input: "-"},
	{Names: "rclone", Verbs: "rcat"},
	{Names: "sftp ftp lftp tftp smbclient ncftpput", Lines: true},
	{Names: "mail mailx s-nail mutt neomutt sendmail msmtp swaks"},
	{Names: "dig nslookup host ping ping6 drill kdig whois traceroute ssh-keyscan test-connection tnc", Input: "-"},
	{Names: "getent", Verbs: "hosts|ahosts|ahostsv4|ahostsv6", Input: "-"},
	{Names: "chrome google-chrome chromium msedge firefox brave explorer start cygstart", Input: "-"},
	{Names: "aws", Verbs: "s3 cp|mv|sync"}, {Names: "aws", Verbs: "s3api put-object|upload-part"}, {Names: "aws", Verbs: "sns|sqs|lambda publish|send-message|invoke"},
	{Names: "gsutil", Verbs: "cp|mv|rsync"}, {Names: "gcloud", Verbs: "storage cp|mv|rsync"}, {Names: "az", Verbs: "storage blob|file|fs upload|upload-batch"}, {Names: "azcopy", Verbs: "copy|cp|sync"},
	{Names: "s3cmd", Verbs: "put|sync|cp"}, {Names: "mc mcli", Verbs: "cp|mv|mirror|pipe|put"}, {Names: "b2", Verbs: "upload-file|upload_file|file"},
	{Names: "gh", Verbs: "gist create|edit"}, {Names: "gh", Verbs: "release upload|create"}, {Names: "gh", Verbs: "issue|pr create|comment|edit|review"}, {Names: "gh", Verbs: "api"},
	{Names: "glab", Verbs: "snippet|issue|mr|release create|note|upload"}, {Names: "glab", Verbs: "api"}, {Names: "hub", Verbs: "gist create"}, {Names: "gist pastebinit pastebin wgetpaste sprunge"},
	{Names: "croc wormhole magic-wormhole ffsend", Verbs: "send|upload"}, {Names: "ipfs", Verbs: "add"}, {Names: "transfer transfer.sh"}, {Names: "twilio slack slackcat telegram-send ntfy"},
}

// pickers are the programs that take a part out of what they read.
const pickers = "grep egrep fgrep rg ag awk gawk mawk sed cut jq yq head tail python python3 node ruby perl"

// picked says where a part may sign in to that a command picks out of what signs in so.
func picked(sub *analysis.Subcommand, signs string) string {
	if shell.Listed(pickers, sub.Program) {
		return cmp.Or(signs, "*")
	}
	return signs
}

// measures are the programs whose output says nothing of what the input holds.
const measures = "wc md5sum sha1sum sha256sum sha512sum shasum b2sum cksum md5 sum stat ls test [ du file cmp"

// senderOf returns how a subcommand sends to another machine, nil when it does not.
func senderOf(s *analysis.Subcommand) *sender {
	if !s.Here() || s.Tables&ofSenders == 0 {
		return nil
	}
	for i := range senders {
		to := &senders[i]
		if !shell.Listed(to.Names, s.Program) && !shell.Listed(to.Names, s.As) {
			continue
		}
		if (to.Verbs == "" || commands.HasForm(s.Argv[1:], to.Verbs+" !-h|-V")) && !staysHere(s) {
			return to
		}
	}
	return nil
}

// staysHere reports whether a program only talks to this machine.
func staysHere(s *analysis.Subcommand) bool {
	return talksOnlyTo(s, func(url string) bool { return shell.Among("0.0.0.0 127.0.0.1 ::1 localhost", hostOf(url)) })
}

// talksOnlyTo reports whether a command talks to something, and all of that fits.
func talksOnlyTo(s *analysis.Subcommand, fits func(url string) bool) bool {
	return s.Does(shell.Network) && !slices.ContainsFunc(s.Effects, func(e shell.Effect) bool {
		return e.Kind == shell.Network && !fits(e.Path)
	})
}

// hostOf is the host of a URL, or of user@host:port.
func hostOf(url string) string {
	if _, after, ok := strings.Cut(url, "://"); ok {
		url = after
	}
	if end := strings.IndexAny(url, "/?#"); end >= 0 {
		url = url[:end]
	}
	host := url[strings.LastIndexByte(url, '@')+1:]
	if inner, ok := strings.CutPrefix(host, "["); ok {
		host, _, _ = strings.Cut(inner, "]")
		return host
	}
	host, _, _ = strings.Cut(host, ":")
	return host
}

// dial reports whether an effect opens a connection by a name of the shell.
func dial(e shell.Effect) bool {
	return e.Kind == shell.Network && shell.StartsWithAny(e.Path, "/dev/tcp/", "/dev/udp/")
}

// dials reports whether a secret may be written to a connection that the shell itself opens.
func (f *flow) dials(i int) bool {
	sub := &f.s.Subcommands[i]
	if !slices.ContainsFunc(sub.Effects, dial) {
		return false
	}
	return f.carries[i] || (sub.Program == "exec" || sub.Structural) && slices.Contains(f.carries, true)
}

// leaves reports whether a sender sends something that holds a secret.
func (f *flow) leaves(i int, to *sender) bool {
	sub := &f.s.Subcommands[i]
	if f.source(i) && !fetchesCredentials(i, sub) || f.readsTaken(sub) || f.namesSecret(i, to) {
		return true
	}
	if f.fedSecret(i) && to.takesInput(sub) {
		return true
	}
	for k := range sub.Argv {
		if f.wordHolds(i, k) {
			return true
		}
	}
	return false
}

// wordHolds reports whether a word of a sender holds a secret that is not there to sign in.
func (f *flow) wordHolds(i, k int) bool {
	argv := f.s.Subcommands[i].Argv
	w := &argv[k]
	if w.Known {
		return false
	}
	if n := f.used(w); n != nil && !f.signsIn(i, k, n.signs) {
		return true
	}
	return f.substitutes(i, w) && !f.signsIn(i, k, f.signsOf(w))
}

// substitutes reports whether what another subcommand carries is put into a word.
func (f *flow) substitutes(i int, w *shell.Word) bool {
	return substituted(f.s, i, func(k int) bool { return f.carries[k] && w.Span.Contains(f.s.Subcommands[k].Span) })
}

// signsOf says where the substitution in a word may sign in to; "" where it prints the
// environment, or more than a part of a secret.
func (f *flow) signsOf(w *shell.Word) (signs string) {
	for j := range f.s.Subcommands {
		if in := &f.s.Subcommands[j]; f.carries[j] && w.Span.Contains(in.Span) {
			if TellsVariables(in) {
				return ""
			}
			if signs == "" || signs == "*" && f.signs[j] != "" {
				signs = f.signs[j]
			}
		}
	}
	return signs
}

// signsIn reports whether a word is what a client signs in with, to hosts that it is for.
func (f *flow) signsIn(i, k int, hosts string) bool {
	sub := &f.s.Subcommands[i]
	if hosts == "" || !signsIn(sub.Argv, k) {
		return false
	}
	return hosts == "*" || reachesOnly(sub, hosts)
}

// reachesOnly reports whether a command talks to some of the hosts and to no other machine.
func reachesOnly(sub *analysis.Subcommand, hosts string) bool {
	if sub.Call == nil || sub.Call.Has("k", "insecure", "resolve", "connect-to", "location-trusted", "x", "proxy", "no-check-certificate", "verify") {
		return false
	}
	return talksOnlyTo(sub, func(url string) bool { return isHost(hostOf(url), hosts) })
}

// isHost reports whether a host is in a list; *. means every host below one.
func isHost(host, list string) bool {
	host = strings.ToLower(host)
	for h := range strings.FieldsSeq(list) {
		if rest, below := strings.CutPrefix(h, "*"); h == host || below && strings.HasSuffix(host, rest) {
			return host != ""
		}
	}
	return false
}

func (f *flow) fedSecret(i int) bool {
	sub := &f.s.Subcommands[i]
	if f.piped(sub) >= 0 || f.launched(i) || f.pipedVariable(sub) {
		return true
	}
	if sub.StdinText == nil || sub.StdinText.Known {
		return false
	}
	for k := range f.s.Subcommands {
		if f.carries[k] && insideText(sub, &f.s.Subcommands[k]) {
			return true
		}
	}
	return f.used(sub.StdinText) != nil
}

// launched reports whether a launcher makes the words from a secret: xargs -a FILE.
func (f *flow) launched(i int) bool {
	sub := &f.s.Subcommands[i]
	for k := range f.s.Subcommands {
		by := &f.s.Subcommands[k]
		launcher := by.Launcher && shell.Listed("xargs parallel", by.Program)
		if launcher && k != i && f.carries[k] && by.Span.Contains(sub.Span) {
			return true
		}
	}
	return false
}

// takesInput reports whether a sender sends its standard input, or words made of it.
func (to *sender) takesInput(sub *analysis.Subcommand) bool {
	if to.Input == "" || slices.Contains(sub.Via, "xargs") || slices.Contains(sub.Via, "parallel") {
		return true
	}
	if to.Input == "-" {
		return false
	}
	for i := range sub.Argv[1:] {
		for end := range strings.FieldsSeq(to.Input) {
			if t := sub.Argv[1+i].Text; t == end || len(end) > 1 && strings.HasSuffix(t, end) {
				return true
			}
		}
	}
	return false
}

// assigns are the variables that take what a subcommand prints: by read, or by a substitution.
func assigns(a *analysis.Analysis, sub *analysis.Subcommand) []string {
	switch sub.Program {
	case "read", "mapfile", "readarray":
		var names []string
		for i := range sub.Argv[1:] {
			if t := sub.Argv[1+i].Text; shell.ValidName(t) {
				names = append(names, t)
			}
		}
		return append(names, "REPLY", "MAPFILE")
	}
	if a.HasPowerShell && shell.Among("foreach-object where-object", powershell.CmdletName(sub.Program)) {
		return []string{"_", "PSItem"}
	}
	if name := cmdletSets(a.Text[:min(sub.Span.Start, len(a.Text))]); name != "" {
		return []string{name}
	}
	via := slices.DeleteFunc(slices.Clone(sub.Via), func(v string) bool { return strings.HasPrefix(v, "function ") })
	if n := len(via); n == 0 || via[n-1] != "$()" && via[n-1] != "<()" {
		return nil
	}
	if name := assignedBefore(a.Text[:min(sub.Span.Start, len(a.Text))]); name != "" {
		return []string{name}
	}
	return assignedIn(a.Text[sub.Span.Start:sub.Span.End])
}

// cmdletSets returns the variable that PowerShell gives the output of the command after a text: $x = $y | , or each
// part of it: foreach ($x in .
func cmdletSets(before string) string {
	before = before[strings.LastIndexAny(before, ";\n{}")+1:]
	left, _, ok := strings.Cut(before, "=")
	if head, _, in := strings.Cut(before, " in "); in {
		left, ok = head[strings.LastIndexByte(head, '(')+1:], true
	}
	name, named := strings.CutPrefix(strings.Trim(left, " \t+("), "$")
	if !ok || !named || !shell.ValidName(name) {
		return ""
	}
	return name
}

// assignedBefore returns the variable whose value begins with the substitution
// that a text ends in: x for x="a$(cat and for `for x in $(cat`.
func assignedBefore(text string) string {
	depth, at := 0, -1
	for i := len(text) - 1; i > 0 && at < 0; i-- {
		switch text[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth < 0 {
				if text[i-1] != '$' && text[i-1] != '<' {
					depth = 0 // a subshell in the substitution
					continue
				}
				at = i - 1
			}
		case '`':
			at = i
		}
	}
	if at < 0 {
		return ""
	}
	line := text[strings.LastIndexAny(text[:at], "\n;&|")+1 : at]
	if words := strings.Fields(line); len(words) > 2 && words[len(words)-1] == "in" && words[len(words)-3] == "for" {
		return words[len(words)-2]
	}
	for eq := strings.LastIndexByte(line, '='); eq > 0; eq = strings.LastIndexByte(line[:eq], '=') {
		start := eq
		if line[start-1] == '+' {
			start--
		}
		end := start
		for start > 0 && shell.NameByte(line[start-1]) {
			start--
		}
		begins := start == 0 || strings.IndexByte(" \t({\"'", line[start-1]) >= 0
		if name := line[start:end]; begins && shell.ValidName(name) {
			return name
		}
	}
	return ""
}

// assignedIn returns every variable that a text gives the output of a command: all commands in a
// word have its place.
func assignedIn(text string) []string {
	var names []string
	for i := 1; i+2 < len(text); i++ {
		if text[i] != '=' || !shell.StartsWithAny(strings.TrimLeft(text[i+1:], `"'\`), "$(", "`") {
			continue
		}
		start := i
		for start > 0 && shell.NameByte(text[start-1]) {
			start--
		}
		if name := text[start:i]; shell.ValidName(name) {
			names = append(names, name)
		}
	}
	return names
}
