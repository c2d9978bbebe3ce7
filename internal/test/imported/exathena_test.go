package imported

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/importer"
	"github.com/permgate--owner/permgate/rules"
)

// exAthena is ExAthena as its guide and lib/ex_athena/permissions.ex describe it: a denylist, an allowlist, the phase, a
// callback, of which the first that decides counts. It allows or denies; what a callback answers is a question here.
var exAthena = model{"ex_athena", "ex_athena", func(r *rand.Rand) policy {
	o := drawExOptions(r)
	return policy{
		files: []importer.File{{Name: o.name, Text: []byte(o.text(r))}},
		scope: []rules.Scope{rules.User, rules.Local, rules.Shared}[r.IntN(3)],
		call: func(r *rand.Rand) (string, hookio.Decision) {
			name, args := exCall(r)
			// an atom that is no phase counts as default
			phase := one(r, "default", "default", "plan", "accept_edits", "trusted", "bypass_permissions", "auto")
			call := map[string]any{"name": name, "arguments": args, "phase": phase, "id": "", "cwd": project}
			return compact(call), o.answer(name, args, phase)
		},
	}
}}

// exNames are names of tools: its own, servers' ones, a host's, and what looks like one.
var exNames = [...]string{
	"read", "glob", "grep", "web_fetch", "web_search", "usage_rules", "plan_mode", "spawn_agent", "lsp", "todo_write", "ask_user", "finish",
	"write", "edit", "apply_patch", "bash", "read_summary", "tickets_list", "tickets_create", "my_db_query", "deploy", "describe_page",
	"Bash", "x*", "mcp__tickets__list", "shell", "delete_file",
}

type exOptions struct {
	name, phase                   string
	disallowed, allowed, readonly []string
	has                           []string // the keys that are there
	computed, none                []string // those whose value a program computes, or that have none: nil
	callback                      bool
}

// drawExOptions are the options of one session. Keys come in any order, some of them nil or computed.
func drawExOptions(r *rand.Rand) exOptions {
	o := exOptions{
		name:       one(r, "policy.exs", "policy.exs", "policy.json"),
		phase:      one(r, ":plan", ":default", ":accept_edits", ":trusted", ":bypass_permissions", ":auto", `"trusted"`, "pick()"),
		disallowed: some(r, 3, exNames[:]...), allowed: some(r, 8, exNames[:]...), readonly: some(r, 3, exNames[:]...),
	}
	for _, key := range [...]string{"phase", "disallowed_tools", "allowed_tools", "readonly_tools", "respect_denylist", "can_use_tool"} {
		if often := map[string]int{"phase": 4, "disallowed_tools": 3}[key]; r.IntN(5) <= often {
			o.has = append(o.has, key)
		}
		if n := r.IntN(15); n == 0 && o.name == "policy.exs" {
			o.computed = append(o.computed, key)
		} else if n == 1 {
			o.none = append(o.none, key)
		}
	}
	r.Shuffle(len(o.has), func(i, k int) { o.has[i], o.has[k] = o.has[k], o.has[i] })
	o.callback = slices.Contains(o.has, "can_use_tool") && !slices.Contains(o.none, "can_use_tool")
	return o
}

// text is the list of options in Elixir, or as JSON.
func (o *exOptions) text(r *rand.Rand) string {
	json := o.name == "policy.json"
	var parts []string
	for _, key := range o.has {
		value := ""
		switch key {
		case "phase":
			value = o.phase
		case "disallowed_tools":
			value = compact(append([]string{}, o.disallowed...))
		case "allowed_tools":
			value = compact(append([]string{}, o.allowed...))
		case "readonly_tools":
			value = compact(append([]string{}, o.readonly...))
		case "respect_denylist":
			value = one(r, "true", "false", "nil")
		case "can_use_tool":
			value = one(r, "&MyApp.ask/3", "fn name, _args, _ctx -> if(name == \"bash\", do: :deny, else: :allow) end")
		}
		if slices.Contains(o.none, key) {
			value = "nil"
		}
		switch {
		case slices.Contains(o.computed, key) && key != "can_use_tool":
			value = one(r, "Application.get_env(:my_app, :it)", "names ++ [\"bash\"]", "if(x, do: [\"read\"], else: nil)")
		case json && value == "nil":
			value = "null"
		case json && (value[0] == ':' || strings.ContainsAny(value, "&(")):
			value = compact(strings.TrimPrefix(value, ":"))
		}
		if json {
			key = compact(key) + ":"
		} else {
			key += ": "
		}
		parts = append(parts, key+value)
	}
	if json {
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "[" + strings.Join(parts, ", ") + "]" + one(r, "", "\n", " # one session\n")
}

// exCall draws a tool call.
func exCall(r *rand.Rand) (name string, args map[string]any) {
	file := one(r, "a.go", "src/a.go", project+"/src/a.go", "../x", "/srv/x", "/tmp/x")
	switch name = exNames[r.IntN(len(exNames))]; name {
	case "Bash", "x*", "mcp__tickets__list": // no tool has such a name
		return "bash", map[string]any{"command": "make"}
	case "read", "read_summary", "delete_file":
		return name, map[string]any{"path": file}
	case "write":
		return name, map[string]any{"path": file, "content": "x"}
	case "edit":
		return name, map[string]any{"path": file, "old_string": "a", "new_string": "b"}
	case "apply_patch":
		return name, map[string]any{"patch": "--- a/src/a.go\n+++ b/src/a.go\n@@ -1 +1 @@\n-a\n+b\n"}
	case "glob":
		return name, map[string]any{"pattern": "**/*.go"}
	case "grep":
		return name, map[string]any{"pattern": "x", "path_glob": one(r, "lib/**", "*.ex")}
	case "web_fetch":
		return name, map[string]any{"url": one(r, "https://a.example/x", "http://b.example")}
	case "web_search":
		return name, map[string]any{"query": "x"}
	case "spawn_agent":
		return name, map[string]any{"prompt": "look", "agent": one(r, "explore", "plan")}
	case "lsp":
		return name, map[string]any{"action": "hover", "file": file, "line": 1, "character": 2}
	case "todo_write":
		return name, map[string]any{"todos": []any{map[string]string{"content": "x", "status": "pending"}}}
	case "plan_mode":
		return name, map[string]any{"action": one(r, "enter", "exit")}
	case "ask_user":
		return name, map[string]any{"question": "which?"}
	case "bash", "shell":
		return name, map[string]any{"command": one(r, "ls", "cd src && ls", "git log -3", "git commit -m x", "make", "cat a.go > b.go",
			"echo $(id)",
			"find . -name x", "mix deps", "FOO=1 git diff", "sort a.go", "sed -i s/a/b/ a.go", "gh pr view 1")}
	}
	return name, map[string]any{"query": "x"}
}

// answer is lib/ex_athena/permissions.ex. What a program computes may be anything: the strictest that it may be counts.
func (o *exOptions) answer(name string, args map[string]any, phase string) hookio.Decision {
	listed := func(key string, names []string) (there, named bool) {
		if !slices.Contains(o.has, key) || slices.Contains(o.none, key) {
			return false, false
		}
		return true, slices.Contains(names, name)
	}
	computed := func(key string) bool { return slices.Contains(o.has, key) && slices.Contains(o.computed, key) }
	// its guide says that respect_denylist: false lifts the list in :trusted, and its loop does not pass that option on
	if _, denied := listed("disallowed_tools", o.disallowed); denied || computed("disallowed_tools") {
		return hookio.Deny
	}
	if there, allowed := listed("allowed_tools", o.allowed); there && !allowed || computed("allowed_tools") {
		return hookio.Deny
	}
	_, reads := listed("readonly_tools", o.readonly)
	mutates := slices.Contains(strings.Fields("write edit bash todo_write"), name)
	if phase == "plan" && (mutates || !reads || computed("readonly_tools")) && !exPlans(name, args, o) {
		return hookio.Deny
	}
	free := phase == "trusted" || phase == "bypass_permissions"
	edits := "read glob grep web_fetch web_search usage_rules plan_mode spawn_agent write edit todo_write"
	if o.callback && !free && !(phase == "accept_edits" && slices.Contains(strings.Fields(edits), name)) {
		return hookio.Ask
	}
	return hookio.Allow
}

// exPlans reports whether phase plan lets a call through. By the guide it runs neither bash nor todo_write, later versions
// let some of that through; by those it runs no tool that it does not know, which the guide leaves to the callback.
func exPlans(name string, args map[string]any, o *exOptions) bool {
	switch {
	case name == "plan_mode":
		pinned := slices.Contains(o.has, "phase") && !slices.Contains(o.none, "phase") && (o.phase == ":plan" ||
			slices.Contains(o.computed, "phase"))
		return args["action"] != "exit" || !pinned || o.callback
	}
	return slices.Contains(strings.Fields("read glob grep web_fetch web_search usage_rules spawn_agent lsp ask_user finish"), name)
}
