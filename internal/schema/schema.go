// Package schema describes permgate.json and what permgate reads of settings.json as JSON Schema, from the tables of
// their reader. It is draft-07, which editors know best.
package schema

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// A node is one schema: the keywords of draft-07 that are used here.
type node struct {
	Schema      string            `json:"$schema,omitempty"`
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description,omitempty"`
	Ref         string            `json:"$ref,omitempty"`
	Type        string            `json:"type,omitempty"`
	Enum        []any             `json:"enum,omitempty"`
	EnumDocs    []string          `json:"enumDescriptions,omitempty"` // Visual Studio Code shows them
	Pattern     string            `json:"pattern,omitempty"`
	MinLength   int               `json:"minLength,omitempty"`
	MinItems    int               `json:"minItems,omitempty"`
	Minimum     int               `json:"minimum,omitempty"`
	Maximum     int               `json:"maximum,omitempty"`
	Default     json.RawMessage   `json:"default,omitempty"`
	Examples    []json.RawMessage `json:"examples,omitempty"`
	AnyOf       []*node           `json:"anyOf,omitempty"`
	OneOf       []*node           `json:"oneOf,omitempty"`
	Items       *node             `json:"items,omitempty"`
	Required    []string          `json:"required,omitempty"`
	Properties  map[string]*node  `json:"properties,omitempty"`
	Patterns    map[string]*node  `json:"patternProperties,omitempty"`
	Additional  any               `json:"additionalProperties,omitempty"` // *node or false
	Definitions map[string]*node  `json:"definitions,omitempty"`

	// What the files may hold besides JSON, as Visual Studio Code is told.
	Comments bool `json:"allowComments,omitempty"`
	Commas   bool `json:"allowTrailingCommas,omitempty"`
}

// draft is the dialect of both schemas.
const draft = "http://json-schema.org/draft-07/schema#"

// ignored are keys of permgate.json left to others: "$schema" and comments that are members.
const ignored = `^(\$|//)`

// Gate returns the schema of permgate.json.
func Gate() []byte {
	keys := map[string]*node{}
	section := map[string]*node{}
	for i := range load.PostureKeys {
		k := &load.PostureKeys[i]
		n := gateKey(k)
		keys[k.Name], section[k.Name] = n, &node{Ref: "#/properties/" + k.Name}
	}
	hosts := map[string]*node{}
	for _, h := range hookio.Hosts() {
		hosts[h.Name] = &node{Ref: "#/definitions/section"}
	}
	keys["$schema"] = &node{Type: "string"}
	keys["hosts"] = &node{
		Type: "object", Properties: hosts, Additional: &node{Ref: "#/definitions/section"},
		Description: "one object per agent program: it applies only to calls from a hook registered with that --host, and overrides the keys next to it",
	}
	return text(&node{
		Schema: draft, Title: "permgate.json",
		Description: "What permgate does with calls that no rule decides. Project files can only tighten.",
		Type:        "object", Properties: keys, Patterns: others(), Additional: false,
		Definitions: definitions(&node{Type: "object", Properties: section, Patterns: others(), Additional: false}),
		Comments:    true, Commas: true,
	})
}

func others() map[string]*node { return map[string]*node{ignored: {}} }

// Settings returns the schema of the keys that permgate reads in settings.json. Others are allowed.
func Settings() []byte {
	top := map[string]*node{"$schema": {Type: "string"}}
	perms := map[string]*node{}
	for i := range load.Switches {
		s := &load.Switches[i]
		n := &node{Description: s.Doc, Type: "boolean"}
		if s.Lock {
			n = &node{Description: s.Doc, Enum: []any{true, false, "disable"}}
		}
		top[s.Name], perms[s.Name] = n, n
	}
	for i := range load.PermissionKeys {
		k := &load.PermissionKeys[i]
		perms[k.Name] = permissionKey(k)
	}
	auto := map[string]*node{}
	for i := range rules.AutoKeys {
		k := &rules.AutoKeys[i]
		auto[k.Name] = list(k.Doc, k.Example, &node{Type: "string"}) // other programs keep prose there
	}
	top["permissions"] = &node{Type: "object", Properties: perms, Description: "what tools may do: deny overrides ask, ask overrides allow"}
	top["autoMode"] = &node{Type: "object", Properties: auto, Description: "rules for mode auto; only user and managed files count"}
	return text(&node{
		Schema: draft, Title: "settings.json, settings.local.json",
		Description: "The keys that permgate reads; all others belong to the agent program.",
		Type:        "object", Properties: top, Definitions: definitions(nil),
		Comments: true, Commas: true,
	})
}

func permissionKey(k *rules.SettingsKey) *node {
	switch k.Name {
	case "defaultMode":
		n := &node{Description: k.Doc, Default: json.RawMessage(`"default"`)}
		for i := range rules.Modes {
			n.Enum = append(n.Enum, rules.Modes[i].Name)
			n.EnumDocs = append(n.EnumDocs, rules.Modes[i].Doc)
		}
		for _, a := range rules.ModeAliases {
			n.Enum, n.EnumDocs = append(n.Enum, a.Name), append(n.EnumDocs, "another name of "+a.Mode)
		}
		return n
	case "additionalDirectories":
		return list(k.Doc, k.Example, &node{Type: "string"})
	case "allow":
		return list(k.Doc, k.Example, &node{Ref: "#/definitions/allow"})
	}
	return list(k.Doc, k.Example, &node{Ref: "#/definitions/restriction"})
}

func list(doc, example string, items *node) *node {
	return &node{Description: doc, Type: "array", Items: items, Examples: examples(example)}
}

func examples(text string) []json.RawMessage {
	if text == "" {
		return nil
	}
	return []json.RawMessage{json.RawMessage(text)}
}

// definitions are the two kinds of rules, and what the caller adds.
func definitions(section *node) map[string]*node {
	const (
		tool    = `[A-Za-z0-9_.-]+`
		mcp     = `mcp__[A-Za-z0-9_./-]+(__[A-Za-z0-9_.*?/-]*)?`
		pattern = `(\([\s\S]*[^\s][\s\S]*\))?\s*$`
	)
	var tools []any
	for _, t := range rules.Tools {
		tools = append(tools, t)
	}
	rule := func(pattern, doc string) *node {
		return &node{Type: "string", Description: doc, AnyOf: []*node{{Enum: tools}, {Pattern: pattern}}}
	}
	d := map[string]*node{
		"allow":       rule(`^\s*(`+tool+`|`+mcp+`)`+pattern, "Tool or Tool(pattern); a wildcard in the tool's name only after mcp__server__"),
		"restriction": rule(`^\s*([A-Za-z0-9_.*?-]+|mcp__[A-Za-z0-9_.*?/-]+)`+pattern, "Tool or Tool(pattern); the tool's name may hold wildcards"),
	}
	if section != nil {
		d["section"] = section
	}
	return d
}

func text(n *node) []byte {
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	w.SetIndent("", "  ")
	if err := w.Encode(n); err != nil {
		panic(err) // an example of a table is no JSON: the tests have seen every one
	}
	return b.Bytes()
}

// scopes names the scopes whose files may loosen a key.
func scopes(list []rules.Scope) string {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.String()
	}
	return strings.Join(names, " and ")
}

// gateKey is the schema of a key of permgate.json, by kind. An unknown kind takes any value.
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
	case load.PostureTools:
		n.Type, n.Items = "array", &node{Ref: "#/definitions/restriction"}
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
