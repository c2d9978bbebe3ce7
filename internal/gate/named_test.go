package gate

import "testing"

// TestAttributes: a word of program text that is code is no file, one in a string or a pattern of it may be.
func TestAttributes(t *testing.T) {
	for want, commands := range map[string][]string{
		"7": {
			`python3 -c "print(d.key)"`,
			`python3 -c "print(sorted(rows, key=lambda d: d.key))"`,
			"python3 - <<'E'\nfor d in rows:\n  print(d.key)\nE",
			`node -e "rows.map(d => d.key).forEach(k => console.log(k))"`,
		},
		"2": {
			"node -e 'fs.readdirSync(\".\").filter(f=>/^d.key$/.test(f)).forEach(f=>console.log(fs.readFileSync(f)))'",
			"node -e 'fs.readdirSync(\".\").filter(f=>/(d.key)/.test(f)).forEach(f=>console.log(fs.readFileSync(f)))'",
			`ruby -e 'Dir["*"].grep(/(d.key)/) { |f| puts File.read(f) }'`,
			`perl -e 'for (<*>) { print qx(cat $_) if m{d.key} }'`,
			"node -e 'fs.readFileSync(`${x}d.key`)'",
			`python3 -c "open(f'{a}d.key')"`,
			"python3 <<E\nopen('$X/d.key')\nE",
			`F=d.key; python3 -c "import os; print(open(os.environ['F']).read())"`,
			`F=d.key; python3 -c "import os; print(open(os.environ['F']).read(), d.key)"`,
		},
		"1": {
			`python3 -c "open('d.key')"`,
			"node -e 'fs.readFileSync(`d.key`)'",
			`python3 -c 'x="d"+".key"; open(x)'`,
			`python3 -c 'print(d.key)' < d.key`,
			`python3 -c 'import sys; print(open(sys.argv[1]).read(), d.key)' d.key`,
			`python3 -c 'print(d.key)'; cat d.key`,
		},
	} {
		for _, command := range commands {
			files := practicalTree()
			files.Write("/home/dev/.gen/settings.json", `{"permissions":{"deny":["Read(/**/*.key)"]}}`)
			if _, v := practical(t, files, command); v.Step() != want {
				t.Errorf("%s: step %s, want %s: %s", command, v.Step(), want, v.Reason())
			}
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
