package hosttest

import (
	"path/filepath"
	"testing"
)

// placeRules are those of a folder's own settings, and of the person's.
var placeRules = map[string]any{"permissions": map[string]any{
	"allow": []string{"Bash(plugh one:*)", "Read(~/notes/**)"},
	"deny":  []string{"Bash(plugh never:*)", "Read(./secret.txt)", "Edit(kept/**)"},
	"ask":   []string{"Bash(plugh ask:*)"},
}}

// placeUser are wider rules of the person's own, which those of the place cut.
var placeUser = map[string][]string{"allow": {"Bash(plugh:*)", "Bash(echo:*)", "Bash(cat:*)", "Edit(kept/**)"}}

// placeCalls is what the rules of a project say something about, whichever file they are in.
func placeCalls() []laxCall {
	return []laxCall{
		{"allowed", "Bash", "plugh one", ""},
		{"denied", "Bash", "plugh never", ""},
		{"denied behind an allowed one", "Bash", "plugh one && plugh never", ""},
		{"denied in a subshell", "Bash", "(plugh never)", ""},
		{"denied behind a launcher", "Bash", "env plugh never", ""},
		{"denied and kept", "Bash", "x=$(plugh never); echo $x", ""},
		{"asked about", "Bash", "plugh ask", ""},
		{"of no rule", "Bash", "plugh two", ""},
		{"allowed with a redirect", "Bash", "plugh one > one.txt", "{project}/one.txt"},
		{"read that is denied", "Read", "{project}/secret.txt", ""},
		{"cat that is denied", "Bash", "cat secret.txt", ""},
		{"read of the main checkout", "Read", "{main}/README.md", ""},
		{"read that is allowed", "Read", "{home}/notes/todo.txt", ""},
		{"read outside", "Read", "{home}/bin/plugh", ""},
		{"write that is denied", "Write", "{project}/kept/a.txt", "{project}/kept/a.txt"},
		{"redirect that is denied", "Bash", "echo x > kept/b.txt", "{project}/kept/b.txt"},
		{"redirect that is denied, of a group", "Bash", "{ echo x; } > kept/c.txt", "{project}/kept/c.txt"},
		{"write in the project", "Write", "{project}/made.txt", "{project}/made.txt"},
		{"write in the main checkout", "Write", "{main}/made-main.txt", "{main}/made-main.txt"},
		{"touch in the main checkout", "Bash", "touch {main}/made-main2.txt", "{main}/made-main2.txt"},
		{"git add", "Bash", "git add README.md", ""},
		{"rm -rf of source", "Bash", "rm -rf old", ""},
	}
}

// projectFiles are what the rules of a place are about.
func projectFiles(t *testing.T, w *world) {
	narrowPlace(t, w)
	writeFile(t, filepath.Join(w.project, "secret.txt"), "a\n")
	writeFile(t, filepath.Join(w.project, "old", "a.go"), "package old\n")
}

// worktree makes the project a linked worktree; what the person wrote down is in the local file of the main checkout.
func worktree(dir string) func(t *testing.T, w *world) {
	return func(t *testing.T, w *world) {
		writeFile(t, filepath.Join(w.main, ".claude", "settings.local.json"), jsonText(placeRules))
		w.project = w.fill(dir)
		w.git(t, w.main, "worktree", "add", "-q", "-b", "side", w.project)
		w.accept(t, filepath.Join(w.home, ".claude.json"))
		projectFiles(t, w)
	}
}

// movedConfig has the person's files of Claude Code in another folder; the usual one has rules of another day.
func movedConfig(t *testing.T, w *world) {
	writeFile(t, filepath.Join(w.home, ".claude", "settings.json"),
		`{"permissions":{"allow":["Bash(plugh two:*)","Bash(touch:*)","Read(~/bin/**)"]}}`)
	w.config = filepath.Join(w.home, ".claude-work")
	writeFile(t, filepath.Join(w.config, "settings.json"), jsonText(placeRules))
	w.accept(t, filepath.Join(w.config, ".claude.json"))
	projectFiles(t, w)
}

// definedAgent has the project define an agent that names a mode; git tracks it.
func definedAgent(mode string) func(t *testing.T, w *world) {
	return func(t *testing.T, w *world) {
		writeFile(t, filepath.Join(w.project, ".claude", "settings.local.json"), jsonText(placeRules))
		writeFile(t, filepath.Join(w.project, ".claude", "agents", "helper.md"),
			"---\nname: helper\ndescription: helps\npermissionMode: "+mode+"\n---\nYou help.\n")
		w.git(t, w.project, "add", ".claude/agents")
		w.git(t, w.project, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "an agent")
		projectFiles(t, w)
	}
}

// folderCalls go to a further repository.
func folderCalls() []laxCall {
	return []laxCall{
		{"read there", "Read", "{other}/README.md", ""},
		{"cat there", "Bash", "cat {other}/README.md", ""},
		{"search there", "Bash", "grep -rn another {other}", ""},
		{"edit there", "Write", "{other}/made.txt", "{other}/made.txt"},
		{"touch there", "Bash", "touch {other}/made2.txt", "{other}/made2.txt"},
		{"redirect there", "Bash", "plugh one > {other}/made3.txt", "{other}/made3.txt"},
		{"write a git hook there", "Write", "{other}/.git/hooks/post-commit", "{other}/.git/hooks/post-commit"},
		{"write settings there", "Write", "{other}/.claude/settings.local.json", "{other}/.claude/settings.local.json"},
		{"status there", "Bash", "git -C {other} status", ""},
		{"log there", "Bash", "git -C {other} log --oneline", ""},
		{"log there under a rule", "Bash", "git -C {other} log --output={other}/made4.txt", "{other}/made4.txt"},
		{"commit there", "Bash", "git -C {other} commit -q --allow-empty -m x", ""},
		{"what the rules there allow", "Bash", "plugh two", ""},
		{"what the rules there deny", "Bash", "plugh one never", ""},
		{"read beside it", "Read", "{home}/src/third/README.md", ""},
		{"write beside it", "Write", "{home}/src/third/made.txt", "{home}/src/third/made.txt"},
		{"rm -rf there", "Bash", "rm -rf {other}/old", ""},
		{"go there, status", "Bash", "cd {other} && git status", ""},
		{"go there, run", "Bash", "cd {other} && plugh one", ""},
	}
}

// addedFolder has the person add another repository, which has settings of its own.
func addedFolder(t *testing.T, w *world) {
	narrowPlace(t, w)
	writeFile(t, filepath.Join(w.home, "src", "third", "README.md"), "a third\n")
	writeFile(t, filepath.Join(w.other, "old", "a.txt"), "a\n")
	writeFile(t, filepath.Join(w.other, ".claude", "settings.json"),
		`{"permissions":{"allow":["Bash(plugh two:*)"],"deny":["Bash(plugh one never)"]}}`)
	writeFile(t, filepath.Join(w.project, ".claude", "settings.local.json"),
		jsonText(map[string]any{"permissions": map[string]any{"additionalDirectories": []string{w.other},
			"allow": []string{"Bash(plugh one:*)", "Bash(git log:*)"}}}))
}
