package cli

import (
	"net/url"
	"path"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/lint"
)

// sarif is findings in the form code scanners read: SARIF 2.1.0
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
func sarif(e *env, found []lint.Finding) []byte {
	var o object
	o.str("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
	o.str("version", "2.1.0")
	o.list("runs", 1, func(_ int, run *object) {
		run.raw("tool", sarifTool())
		run.str("columnKind", "unicodeCodePoints")
		run.list("results", len(found), func(i int, o *object) { sarifResult(e, o, &found[i]) })
	})
	return o.end()
}

// sarifText is the message object that the format has for every text.
func sarifText(text string) []byte {
	var o object
	o.str("text", hookio.Escape(text))
	return o.end()
}

func sarifTool() []byte {
	checks := lint.Checks()
	var tool, driver object
	driver.str("name", "permgate")
	driver.str("version", version())
	driver.list("rules", len(checks), func(i int, o *object) {
		c := checks[i]
		o.str("id", c.ID)
		o.raw("shortDescription", sarifText(c.Title))
		o.raw("fullDescription", sarifText(c.Why))
		o.raw("help", sarifText(c.Fix))
		var level object
		level.str("level", c.Severity.String())
		o.raw("defaultConfiguration", level.end())
	})
	tool.raw("driver", driver.end())
	return tool.end()
}

func sarifResult(e *env, o *object, f *lint.Finding) {
	o.str("ruleId", f.Check.ID)
	for i, c := range lint.Checks() {
		if c.ID == f.Check.ID {
			o.num("ruleIndex", i)
		}
	}
	o.str("level", f.Check.Severity.String())
	text := f.Text + "; instead: " + f.Instead
	if f.Exploit != "" {
		text += "; also allows: " + f.Exploit
	}
	o.raw("message", sarifText(text))
	o.list("locations", 1, func(_ int, o *object) {
		var at object
		at.raw("artifactLocation", sarifFile(e, f.File.Name))
		if f.Pos.Line > 0 {
			at.raw("region", sarifRegion(lint.Region{Line: f.Pos.Line, Col: f.Pos.Col, EndLine: f.Pos.Line,
				EndCol: max(f.End, f.Pos.Col+1)}))
		}
		o.raw("physicalLocation", at.end())
	})
	fixed, err := lint.Fix(f.File, []lint.Finding{*f})
	if f.Edit == nil || err != nil {
		return
	}
	region, text := lint.Difference(f.File.Text, fixed)
	o.list("fixes", 1, func(_ int, o *object) {
		o.raw("description", sarifText(f.Instead))
		o.list("artifactChanges", 1, func(_ int, o *object) {
			o.raw("artifactLocation", sarifFile(e, f.File.Name))
			o.list("replacements", 1, func(_ int, o *object) {
				o.raw("deletedRegion", sarifRegion(region))
				var content object
				content.str("text", text)
				o.raw("insertedContent", content.end())
			})
		})
	})
}

func sarifRegion(r lint.Region) []byte {
	var o object
	o.num("startLine", r.Line)
	o.num("startColumn", r.Col)
	o.num("endLine", r.EndLine)
	o.num("endColumn", r.EndCol)
	return o.end()
}

// sarifFile is a file below the working directory as a relative reference,
// any other as a file URI.
func sarifFile(e *env, name string) []byte {
	u := url.URL{Scheme: "file", Path: name}
	if rest, ok := strings.CutPrefix(name, strings.TrimSuffix(e.world.Cwd, "/")+"/"); ok {
		u = url.URL{Path: rest}
	} else if !path.IsAbs(name) {
		u.Path = "/" + name
	}
	var o object
	o.str("uri", u.String())
	return o.end()
}
