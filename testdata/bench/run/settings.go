package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// writeSettings makes a home and a project with four settings files of fifteen rules each.
func writeSettings(dir string) error {
	allow := []string{"git status:*", "git diff:*", "git log:*", "go test:*", "npm test:*", "npm run *", "ls:*", "tail:*"}
	for i, path := range []string{"home/.claude/settings.json", "home/.gen/settings.json",
		"project/.claude/settings.json", "project/.claude/settings.local.json"} {
		var rules []string
		for _, a := range allow {
			rules = append(rules, fmt.Sprintf("      %q", fmt.Sprintf("Bash(%s)", a)))
		}
		text := fmt.Sprintf(`{
  "permissions": {
    "allow": [
%s,
      "Read(./src%d/**)",
      "WebFetch(domain:docs%d.example.org)"
    ],
    "ask": ["Bash(git push:*)", "Edit(./deploy%d/**)"],
    "deny": ["Read(./secret%d/**)", "Bash(terraform apply:*)", "Edit(//srv/data%d/**)"]
  }
}
`, strings.Join(rules, ",\n"), i, i, i, i, i)
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return os.MkdirAll(filepath.Join(dir, "project", ".git"), 0o755)
}

// unlogged copies settings and switches the log off in the copy.
func unlogged(from, to string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	dir := filepath.Join(to, "home", ".gen")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(from, "home", ".gen"), 0o755); err != nil {
		return err
	}
	name := filepath.Join(dir, "permgate.json") // beside one of as many words, so that as much is read
	if err := os.WriteFile(name, []byte(`{"audit": "off"}`), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(from, "home", ".gen", "permgate.json"), []byte(`{"audit": "decisions"}`), 0o644)
}
