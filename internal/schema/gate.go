package schema

import (
	"encoding/json"

	"github.com/permgate--owner/permgate/rules/load"
)

// gateKey is the schema of one key of permgate.json, by its kind. A kind that
// is not known here takes any value.
func gateKey(k *load.PostureKey) *node {
	n := &node{Description: description(k), Examples: examples(k.Example)}
	switch k.Kind {
	case load.PostureWord:
		n.Enum, n.Default = words(k.Values), quoted(k.Default)
	case load.PostureBool, load.PostureSwitch:
		n.Type, n.Default = "boolean", json.RawMessage(k.Default)
	case load.PosturePatterns:
		n.Type, n.Items = "array", &node{Type: "string", MinLength: 1}
	case load.PostureNames:
		n.Type, n.Items = "array", &node{Type: "string", Pattern: load.FolderNamePattern}
	case load.PostureURLs:
		urls := &node{Type: "array", Items: &node{Type: "string", MinLength: 1}}
		n.AnyOf = []*node{urls, {Type: "object", Properties: map[string]*node{"allow": urls, "deny": urls}, Additional: false}}
	case load.PostureRules:
		n.Type, n.Items = "array", ruleObject()
	case load.PostureAudit:
		level := &node{Enum: words(k.Values), Default: quoted(k.Default)}
		n.AnyOf = []*node{level, {Type: "object", Additional: false, Properties: map[string]*node{
			"level":    level,
			"maxBytes": {Type: "integer", Minimum: load.MinAuditBytes, Maximum: load.MaxAuditBytes, Description: "log size in bytes at which it is rotated"},
			"keep":     {Type: "integer", Minimum: 1, Maximum: load.MaxAuditKeep, Description: "how many old files are kept"},
		}}}
	case load.PostureNumber:
		n.Type, n.Minimum, n.Maximum, n.Default = "integer", 1, load.MaxPostureNumber, json.RawMessage(k.Default)
	case load.PostureOperator:
		n.Type, n.Additional, n.Required = "object", false, []string{"command"}
		n.Properties = map[string]*node{
			"command": {Type: "array", Items: &node{Type: "string"}, MinItems: 1,
				Description: "the program, by its bare name or absolute path, and its arguments; no shell reads them"},
			"timeoutMs": {Type: "integer", Minimum: load.MinOperatorMillis, Maximum: load.MaxOperatorMillis,
				Description: "how long it may take, in milliseconds"},
		}
	}
	return n
}

// ruleObject is the schema of one element of "rules": one rule with examples.
func ruleObject() *node {
	calls := func(doc string) *node { return &node{Type: "array", Items: &node{Type: "string"}, Description: doc} }
	match, not := calls("example inputs the rule matches"), calls("example inputs the rule does not match")
	n := &node{}
	for _, list := range [...]struct{ key, rule string }{{"allow", "allow"}, {"ask", "restriction"}, {"deny", "restriction"}} {
		n.OneOf = append(n.OneOf, &node{
			Type: "object", Required: []string{list.key}, Patterns: others(), Additional: false,
			Properties: map[string]*node{list.key: {Ref: "#/definitions/" + list.rule}, "match": match, "not_match": not},
		})
	}
	return n
}

// description says what a key is for, and whose file may set or loosen it.
func description(k *load.PostureKey) string {
	if len(k.Loosen) == 0 {
		return k.Doc
	}
	switch k.Kind {
	case load.PostureSwitch, load.PostureOperator, load.PostureNumber, load.PostureAudit, load.PostureNames:
		return k.Doc + " (only in " + scopes(k.Loosen) + " files)"
	}
	return k.Doc + " (project files can only tighten it)"
}

func words(values []string) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}

func quoted(word string) json.RawMessage {
	b, _ := json.Marshal(word) // a string always can
	return b
}
