package rules

import (
	"strings"

	"github.com/tidwall/gjson"
)

// An Audit is what the key audit says of the log.
type Audit struct {
	Level    string // "off", "decisions", "full"
	MaxBytes int64  // size at which the log is rotated; 0 where nothing is said
	Keep     int    // how many old files are kept; 0 where nothing is said
}

// AuditLevel returns what is to be logged.
func (g *Posture) AuditLevel() Audit {
	a := Audit{Level: g.Audit.Value}
	if strings.HasPrefix(a.Level, "{") {
		v := gjson.Parse(a.Level)
		a = Audit{v.Get("level").Str, v.Get("maxBytes").Int(), int(v.Get("keep").Int())}
	}
	if a.Level == "" {
		a.Level = "decisions"
	}
	return a
}

// Setting returns the place of a key in g, nil for the keys that are lists.
func (g *Posture) Setting(name string) *Setting {
	switch name {
	case "catastrophic":
		return &g.Catastrophic
	case "onUnmatched":
		return &g.OnUnmatched
	case "subagents":
		return &g.Subagents
	case "readOnlyCommands":
		return &g.ReadOnlyCommands
	case "destructive":
		return &g.Destructive
	case "secrets":
		return &g.Secrets
	case "outsideReads":
		return &g.OutsideReads
	case "autoProjectCode":
		return &g.AutoProjectCode
	case "projectTrust":
		return &g.ProjectTrust
	case "enforce":
		return &g.Enforce
	case "disableSessionGrants":
		return &g.NoSessionGrants
	case "alwaysAllow":
		return &g.AlwaysAllow
	case "expandScripts":
		return &g.ExpandScripts
	case "audit":
		return &g.Audit
	case "classifier":
		return &g.Classifier
	case "autoDenials":
		return &g.AutoDenials
	case "approver":
		return &g.Approver
	}
	return nil
}
