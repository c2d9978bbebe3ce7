package sessions_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/internal/test/executable"
)

// sqliteTests are the commands of docs/replay.md, by the program: what makes its
// database, and the calls they write.
var sqliteTests = []struct{ program, file, made, calls string }{
	{
		// what opencode export prints
		"OpenCode", "opencode.json", `{"info": {"id": "ses_0001", "directory": "/home/u/app"}, "messages": [
  {"info": {"id": "m1", "role": "user"}, "parts": [{"type": "text", "text": "go on"}]},
  {"info": {"id": "m2", "role": "assistant", "path": {"cwd": "/home/u/app/web", "root": "/home/u/app"}}, "parts": [
    {"type": "tool", "callID": "call_1", "tool": "bash", "state": {"status": "completed", "input": {"command": "git status", "description": "x"}}},
    {"type": "tool", "callID": "call_2", "tool": "edit", "state": {"status": "error", "input": {"filePath": "/home/u/app/a.go", "oldString": "a", "newString": "b"}}}]},
  {"info": {"id": "m3", "role": "assistant"}, "parts": [
    {"type": "tool", "callID": "call_3", "tool": "github_list_issues", "state": {"status": "completed", "input": {"query": "is:open"}}},
    {"type": "tool", "callID": "call_4", "tool": "apply_patch", "state": {"status": "completed", "input": {"patchText": "*** Begin Patch\n*** Add File: w.txt\n+a\n*** End Patch\n"}}}]}]}`,
		`
0001 "" /home/u/app/web [] Bash git status
0001 "" /home/u/app/web [] Edit /home/u/app/a.go
0001 "" /home/u/app [] github_list_issues is:open
0001 "" /home/u/app [] Edit w.txt
`,
	},
	{
		"Goose", ".local/share/goose/sessions/sessions.db", `
CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, working_dir TEXT NOT NULL);
CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER);
INSERT INTO sessions VALUES ('20261005_3', 'x', '/home/u/app');
INSERT INTO messages VALUES (1, '20261005_3', 'user', '[{"type":"text","text":"go on"}]', 1);
INSERT INTO messages VALUES (2, '20261005_3', 'assistant', '[{"type":"text","text":"x"},{"type":"toolRequest","id":"call_1","toolCall":{"status":"success","value":{"name":"developer__shell","arguments":{"command":"git push"}}}}]', 2);
INSERT INTO messages VALUES (3, '20261005_3', 'assistant', '[{"type":"toolRequest","id":"call_2","toolCall":{"name":"developer__tree","arguments":{"path":"/etc"}}},{"type":"toolRequest","id":"call_3","toolCall":{"status":"error","error":"x"}}]', 3);
`,
		`
05_3 "" /home/u/app [] Bash git push
05_3 "" /home/u/app [] LS /etc
`,
	},
	{
		"Cursor", ".config/Cursor/User/globalStorage/state.vscdb", `
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO cursorDiskKV VALUES ('composerData:33333333-3333-4333-8333-333333330005', '{}');
INSERT INTO cursorDiskKV VALUES ('bubbleId:33333333-3333-4333-8333-333333330005:a', '{"type":1,"text":"go on"}');
INSERT INTO cursorDiskKV VALUES ('bubbleId:33333333-3333-4333-8333-333333330005:b', '{"type":2,"toolFormerData":{"toolCallId":"call_1","name":"run_terminal_cmd","rawArgs":"{\"command\":\"git status\"}","status":"completed"}}');
INSERT INTO cursorDiskKV VALUES ('bubbleId:33333333-3333-4333-8333-333333330005:c', '{"type":2,"toolFormerData":{"toolCallId":"call_2","name":"run_terminal_command_v2","rawArgs":"","params":{"command":"make","cwd":""},"status":"completed"}}');
INSERT INTO cursorDiskKV VALUES ('bubbleId:33333333-3333-4333-8333-333333330005:d', '{"type":2,"toolFormerData":{"toolCallId":"call_3","name":"edit_file_v2","params":"{\"relativeWorkspacePath\":\"a.go\"}","status":"completed"}}');
INSERT INTO cursorDiskKV VALUES ('bubbleId:33333333-3333-4333-8333-333333330005:e', 'null');
INSERT INTO cursorDiskKV VALUES ('bubbleId:33333333-3333-4333-8333-333333330005:f', '{"type":2,"toolFormerData":{"toolCallId":"call_4","name":"web_search","rawArgs":"{\"search_term\":\"x\"}"}}');
`,
		`
0005 "" PWD [] Bash git status
0005 "" PWD [] Bash make
0005 "" PWD [] Edit a.go
0005 "" PWD [] WebSearch x
`,
	},
}

// TestSQLite runs the commands of docs/replay.md, whose last one only hands on what
// it is given, and reads what comes of it.
func TestSQLite(t *testing.T) {
	for _, name := range []string{"sh", "jq", "sqlite3"} {
		if _, err := exec.LookPath(name); err != nil || runtime.GOOS == "windows" {
			t.Skip("sh, jq and sqlite3 are needed")
		}
	}
	page, err := os.ReadFile("../../../docs/replay.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range sqliteTests {
		t.Run(tt.program, func(t *testing.T) {
			_, section, _ := strings.Cut(string(page), "\n### "+tt.program+"\n")
			_, section, _ = strings.Cut(section, "```sh\n")
			command, _, ok := strings.Cut(section, "```")
			if !ok {
				t.Fatal("no command in the page")
			}
			home, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			programs(t, home)
			made(t, filepath.Join(home, tt.file), tt.made)
			cmd := exec.Command("sh", "-ec", command)
			cmd.Dir, cmd.Env = home, append(os.Environ(), "HOME="+home, "PATH="+home+"/bin:"+os.Getenv("PATH"), "SESSION=ses_0001")
			var faults strings.Builder
			cmd.Stderr = &faults
			text, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, &faults)
			}
			checkPayloads(t, string(text), strings.ReplaceAll(tt.calls, "PWD", home))
		})
	}
}

// programs puts programs into a home: an OpenCode that prints a file, and a permgate that
// prints what it is given.
func programs(t *testing.T, home string) {
	for name, text := range map[string]string{"permgate": "cat", "opencode": `cat "$HOME/opencode.json"`} {
		executable.Write(t, filepath.Join(home, "bin", name), "#!/bin/sh\n"+text+"\n")
	}
}

// made writes a file, or a database that its statements make.
func made(t *testing.T, name, text string) {
	if filepath.Ext(name) == ".json" {
		write(t, name, text)
		return
	}
	write(t, name+".sql", text)
	cmd := exec.Command("sqlite3", name)
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

func write(t *testing.T, name, text string) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func checkPayloads(t *testing.T, text, want string) {
	var got []string
	var counts sessions.Counts
	err := sessions.Read([]string{"-"}, strings.NewReader(text), sessions.Lookup("payload"), &counts, &sessions.Seen{}, time.Time{},
		func(c *sessions.Call) error {
			got = append(got, strings.TrimSpace(show(c)))
			return nil
		})
	if err != nil || strings.Join(got, "\n") != strings.TrimSpace(want) {
		t.Errorf("%v, %+v\n%s\nwant\n%s\nof\n%s", err, counts, strings.Join(got, "\n"), strings.TrimSpace(want), text)
	}
}
