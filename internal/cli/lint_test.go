package cli

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/policy/lint"
)

// lintOut runs lint in a project that holds one settings file.
func lintOut(t *testing.T, settings string, args ...string) (string, int) {
	t.Helper()
	dir := t.TempDir()
	app := filepath.Join(dir, "app")
	writeFile(t, filepath.Join(app, ".gen", "settings.json"), settings)
	var out, errs bytes.Buffer
	w := worldOf(filepath.Join(dir, "home"), app)
	code := Main(append([]string{"lint"}, args...), strings.NewReader(""), &out, &errs, w)
	if errs.Len() > 0 {
		t.Fatal(errs.String())
	}
	return out.String(), code
}

// TestSarif checks what SARIF 2.1.0 demands of the parts that are written:
// names and types of properties, what is required, and that indexes and regions
// are right.
func TestSarif(t *testing.T) {
	settings := "{\"permissions\": {\n\t\"deny\": [\"日本\", \"Bash(env *)\", \"Write(./gen/**)\"],\n\t\"allow\": [\"Bash(python3:*)\"]}}"
	out, code := lintOut(t, settings, "--sarif")
	if code != subcmd.ExitFindings {
		t.Errorf("exit code %d", code)
	}
	type message struct{ Text string }
	type file struct{ URI string }
	type region struct{ StartLine, StartColumn, EndLine, EndColumn int }
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name, Version string
					Rules         []struct {
						ID                                      string
						ShortDescription, FullDescription, Help message
						DefaultConfiguration                    struct{ Level string }
					}
				}
			}
			ColumnKind string
			Results    []struct {
				RuleID    string
				RuleIndex *int
				Level     string
				Message   message
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation file
						Region           region
					}
				}
				Fixes []struct {
					Description     message
					ArtifactChanges []struct {
						ArtifactLocation file
						Replacements     []struct {
							DeletedRegion   region
							InsertedContent message
						}
					}
				}
			}
		}
	}
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(&log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].ColumnKind != "unicodeCodePoints" {
		t.Fatal(out)
	}
	run := &log.Runs[0]
	rules := run.Tool.Driver.Rules
	if len(rules) != len(lint.Checks()) || run.Tool.Driver.Name == "" {
		t.Errorf("%d rules", len(rules))
	}
	levels := []string{"note", "warning", "error"}
	for _, r := range rules {
		if r.ID == "" || r.ShortDescription.Text == "" || r.FullDescription.Text == "" || r.Help.Text == "" || !slices.Contains(levels, r.DefaultConfiguration.Level) {
			t.Errorf("rule %+v", r)
		}
	}
	if len(run.Results) != 4 {
		t.Fatalf("%d results: %s", len(run.Results), out)
	}
	lines := strings.Split(settings, "\n")
	fixes := 0
	for _, r := range run.Results {
		if r.RuleIndex == nil || rules[*r.RuleIndex].ID != r.RuleID || !slices.Contains(levels, r.Level) || r.Message.Text == "" || len(r.Locations) != 1 {
			t.Fatalf("result %+v", r)
		}
		at := r.Locations[0].PhysicalLocation
		line := []rune(lines[at.Region.StartLine-1])
		if text := string(line[at.Region.StartColumn-1 : at.Region.EndColumn-1]); at.ArtifactLocation.URI != ".gen/settings.json" || text[0] != '"' || text[len(text)-1] != '"' {
			t.Errorf("%s is said of %s in %s", r.RuleID, text, at.ArtifactLocation.URI)
		}
		for _, f := range r.Fixes {
			fixes++
			if f.Description.Text == "" || len(f.ArtifactChanges) != 1 || len(f.ArtifactChanges[0].Replacements) != 1 || f.ArtifactChanges[0].ArtifactLocation != at.ArtifactLocation {
				t.Errorf("fix %+v", f)
			}
			if at := f.ArtifactChanges[0].Replacements[0].DeletedRegion; at.StartLine != 2 || at.EndLine != 2 || at.StartColumn > at.EndColumn {
				t.Errorf("region %+v", at)
			}
		}
	}
	if fixes != 2 {
		t.Errorf("%d fixes", fixes)
	}
}

// TestLintEscapes puts what a terminal obeys into a settings file.
func TestLintEscapes(t *testing.T) {
	out, _ := lintOut(t, "{\"permissions\": {\"deny\": [\"X\x7f\u202e\\u001b[31m(a)\"]}}")
	if strings.ContainsAny(out, "\x1b\x7f\u202e") || !strings.Contains(out, `\u202e`) {
		t.Errorf("%q", out)
	}
}

// TestCheckIDs makes sure that explain ID has one thing to explain.
func TestCheckIDs(t *testing.T) {
	for _, c := range bashsafety.Checks() {
		if lint.Find(c.ID) != nil {
			t.Errorf("%s is a check of shell texts and of settings", c.ID)
		}
	}
}
