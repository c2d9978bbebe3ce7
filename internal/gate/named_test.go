package gate

import "testing"

// TestNamedInProgram: a word of program text that a deny rule is about may be the file of any call.
func TestNamedInProgram(t *testing.T) {
	files := practicalTree()
	files.Write("/home/dev/.gen/settings.json", `{"permissions":{"deny":["Read(/**/*.key)","Read(/**/.env)"]}}`)
	for _, command := range []string{
		`python3 -c "load_dotenv('.env')"`, `node -e "require('dotenv').config({path:'.env'})"`, `python3 -c "load('d.key')"`,
	} {
		if _, v := practical(t, files, command); v.Step() != "2" {
			t.Errorf("%s: step %s, want 2: %s", command, v.Step(), v.Reason())
		}
	}
}

// TestKeys: a key that stops what runs in another terminal types nothing.
func TestKeys(t *testing.T) {
	for command, want := range map[string]string{
		"tmux send-keys C-c":                          "7",
		"tmux send-keys -t build:0.1 C-c":             "7",
		`tmux send-keys -t "$pane" C-c`:               "7",
		"tmux send -t x Escape":                       "7",
		"tmux send-keys -t $pane C-c":                 "2 keystroke-injection",
		"tmux send-keys":                              "2 keystroke-injection",
		"tmux send-keys -t x Enter":                   "2 keystroke-injection",
		"tmux send-keys -t x C-m":                     "2 keystroke-injection",
		"tmux send-keys -t x C-c 'rm -rf ~' Enter":    "2 keystroke-injection",
		"tmux send-keys -l C-c":                       "2 keystroke-injection",
		"tmux send-keys $x":                           "2 keystroke-injection",
		`tmux send-keys C-c \; send-keys ls Enter`:    "2 keystroke-injection",
		"tmux new -d; tmux send-keys -t x ls C-m":     "2 keystroke-injection",
		"tmux paste-buffer C-c":                       "2 keystroke-injection",
		"tmux send-prefix C-c":                        "2 keystroke-injection",
		"tmux send-keys C-c; tmux send-keys ls Enter": "2 keystroke-injection",
		"screen -S x -X stuff C-c":                    "2 keystroke-injection",
	} {
		if _, v := practical(t, practicalTree(), command); asked(v) != want {
			t.Errorf("%s: %s, want %s: %s", command, asked(v), want, v.Reason())
		}
	}
}
