package gate_test

import (
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
)

// left is the posture under which Claude Code decides what no rule speaks about.
const left = `{"hosts":{"claude":{"catastrophic":"deny","destructive":"practical","secrets":"ask","onUnmatched":"defer"}}}`

// beside is a call of Claude Code in a mode, under allow rules of the user's own.
func beside(name, command, mode, allow string, files ...string) sentence {
	return sentence{name: name + " " + mode, payload: as(bash(command), `"permission_mode":"`+mode+`"`), flags: gate.Flags{Host: "claude"},
		files: m(append([]string{"/home/dev/.claude/permgate.json", left, "/home/dev/.claude/settings.json", `{"permissions":{"allow":[` + allow + `]}}`}, files...)...)}
}

// TestWritesNeedAGrant: a rule on a command grants running it. What a redirect or an option of a text tool writes into
// the project is covered by a rule about the file, a mode that edits, and a rule about every command.
func TestWritesNeedAGrant(t *testing.T) {
	const echo, text = `"Bash(echo:*)"`, `"Bash(sort:*)","Bash(awk:*)","Bash(sed:*)","Bash(git log:*)"`
	var table []sentence
	add := func(want hookio.Decision, command, mode, rules string) {
		s := beside(command, command, mode, rules)
		if s.want = want; want == pass {
			s.reason = "which a rule on the command does not cover"
		}
		table = append(table, s)
	}
	for command, mode := range map[string]hookio.Decision{ // what a mode that edits makes of it: the agent reads plain texts alone
		"echo x > a": allow, "echo x >> a": allow, "echo x 2> a": allow, "echo x &> a": allow, "echo x >| a": allow, "echo x > package.json": allow,
		"echo x && echo y > s/a": allow, "echo x > /work/project/a": allow, "for i in 1 2; do echo x > a; done": allow,
		"{ echo x; } > a": pass, "(echo x) > a": pass, "> a echo x": pass, "for i in 1 2; do echo x; done > a": pass, "f=a; echo x > $f": pass,
		"if true; then echo x; fi > a": pass, "sh -c 'echo x > a'; echo y": pass, "echo x > s/../a": pass,
	} {
		add(pass, command, "default", echo+`,"Bash(sh:*)","Bash(true)"`)
		add(allow, command, "default", echo+`,"Bash(sh:*)","Bash(true)","Edit(a)","Edit(s/**)","Edit(package.json)"`)
		add(mode, command, "acceptEdits", echo+`,"Bash(sh:*)","Bash(true)"`)
		add(allow, command, "default", `"Bash"`)
	}
	for _, command := range []string{"sort f -o a", "sort --output=a f", `awk '{print > "a"}' f`, "sed -n 'w a' f", "git log -1 --output=a"} {
		add(pass, command, "default", text)
		add(allow, command, "default", text+`,"Edit(a)"`)
		add(allow, command, "acceptEdits", text)
	}
	add(pass, "echo x > a", "default", echo+`,"Edit"`)
	add(pass, "echo x > a", "default", echo+`,"Write(a)"`)
	add(pass, "echo x > a", "default", echo+`,"Edit(b)"`)
	add(pass, "echo x > s/$$.txt", "default", echo)
	add(allow, "sort f -o a", "default", `"Bash(sort f -o a)"`)
	add(allow, "echo x > a", "default", `"Bash(echo x > a)"`)
	for _, command := range []string{"cp a b", "tee a", "touch a", "mkdir a", "sed -i s/a/b/ f", "curl -o a https://h/x", "wget -O a https://h/x",
		"go build -o a .", "echo x > /dev/null", "echo x 2>&1", "echo x > /dev/null 2>&1"} {
		add(allow, command, "default", echo+`,"Bash(cp:*)","Bash(tee:*)","Bash(touch:*)","Bash(mkdir:*)","Bash(sed:*)","Bash(curl:*)","Bash(wget:*)","Bash(go build:*)"`)
	}
	runSentences(t, table)
	bare := sentence{name: "bare", payload: bash("echo x > a"), files: m(user, `{"permissions":{"allow":[`+echo+`]}}`), want: allow}
	held := sentence{name: "an option, bare", payload: bash("sort f -o a"), files: m(user, `{"permissions":{"allow":["Bash(sort:*)"]}}`), want: ask}
	runSentences(t, []sentence{bare, held})
}
