package prove

import (
	"slices"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// A key is a setting that decides about calls.
type key struct {
	name string
	at   func(*rules.Policy) *rules.Setting
	// values are those it has, from the loosest to the tightest; nil where any change
	// may be laxer
	values    []string
	otherwise string // what holds where no file says anything
	// searched is set where what is told of calls without it and with it is part of
	// every search, so that nothing is left to be said where no call was found.
	searched bool
	set      bool     // it has no value of its own: that it is there counts
	tools    []string // with the texts of calls that it is about
	texts    []string
}

// settingsKeys are the keys of both kinds of settings files that decide about calls.
func settingsKeys() []key {
	onOff := []string{"false", "true"}
	list := []key{
		{name: "defaultMode", at: func(p *rules.Policy) *rules.Setting { return &p.Mode }, searched: true},
		{name: "denyInsteadOfPrompting", at: func(p *rules.Policy) *rules.Setting { return &p.NoPrompts }, values: onOff,
			otherwise: "false", searched: true},
		{name: "blockReadsOutsideWorkingDirectories", at: func(p *rules.Policy) *rules.Setting { return &p.FenceRead },
			values: onOff, otherwise: "false", tools: []string{"Read", "Bash"}, texts: []string{outside, "cat " + outside}},
		{name: "blockWritesOutsideWorkingDirectories", at: func(p *rules.Policy) *rules.Setting { return &p.FenceWrite },
			values: onOff, otherwise: "false", tools: []string{"Edit", "Bash"}, texts: []string{outside, "touch " + outside}},
		{name: "urls.allow", at: func(p *rules.Policy) *rules.Setting { return &p.Posture.URLsSet }, values: onOff,
			otherwise: "false", set: true, searched: true},
	}
	for i := range load.PostureKeys {
		k := &load.PostureKeys[i]
		if unheard(k.Name) || (&rules.Posture{}).Setting(k.Name) == nil {
			continue
		}
		values := k.Values
		if k.Kind == load.PostureSwitch {
			values = onOff
		}
		own := key{name: k.Name, at: func(p *rules.Policy) *rules.Setting { return p.Posture.Setting(k.Name) },
			values: values, otherwise: k.Default}
		own.witnesses()
		list = append(list, own)
	}
	return list
}

// unheard reports whether no decision depends on a key: what it does about grants is
// done when settings are loaded, or once a call was decided.
func unheard(name string) bool {
	switch name {
	case "audit", "alwaysAllow", "projectTrust", "disableSessionGrants", "autoDenials":
		return true
	}
	return false
}

// witnesses fills in calls that a key of permgate.json is about.
func (k *key) witnesses() {
	shell := func(texts ...string) {
		for range texts {
			k.tools = append(k.tools, "Bash")
		}
		k.texts = append(k.texts, texts...)
	}
	switch k.name {
	case "onUnmatched", "readOnlyCommands", "enforce", "subagents":
		k.searched = true
	case "catastrophic":
		shell("rm -rf /")
	case "destructive":
		shell("rm -r /tmp/xyzzy", "rm -rf node_modules", "rm -rf build")
	case "secrets":
		shell("cat ~/.ssh/id_rsa", "cat ~/.aws/credentials")
		k.tools, k.texts = append(k.tools, "Read"), append(k.texts, "~/.ssh/id_rsa")
	case "outsideReads":
		shell("cat " + outside)
		k.tools, k.texts = append(k.tools, "Read"), append(k.texts, outside)
	case "autoProjectCode":
		shell("make", "go test ./...", "npm test")
	case "expandScripts":
		shell("make", "npm run build", "npm test", "just", "task")
	}
}

// value is what a policy says of the key.
func (k *key) value(p *rules.Policy) string {
	s := k.at(p)
	if k.set && s.Pos.File != "" {
		return "true"
	}
	return valueOf(*s, k.otherwise)
}

// laxer reports whether the first of two policies may be laxer by the key.
func (k *key) laxer(now, was *rules.Policy) bool {
	a, b := k.value(now), k.value(was)
	if k.values == nil {
		return a != b
	}
	return slices.Index(k.values, a) < slices.Index(k.values, b)
}
