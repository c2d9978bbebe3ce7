package conformance

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
)

// TestStopsRemote: what deletes or stops things that are no files is asked about in
// bypass with the installed posture, and under a rule for the program; what
// only looks like it is found by none of these checks.
func TestStopsRemote(t *testing.T) {
	stops, passes := 0, 0
	ids := map[string]bool{}
	for _, s := range remoteStops {
		ids[s.check] = true
		for _, command := range strings.Split(strings.TrimSpace(s.lines), "\n") {
			stops++
			found := false
			for _, f := range bashsafety.Analyze(command, bashsafety.Env{Cwd: "/work/project", Home: "/home/dev"}).Findings {
				found = found || f.Check.ID == s.check
			}
			if !found {
				t.Errorf("%s does not find %q", s.check, command)
			}
			for _, mode := range []string{"default", "bypassPermissions"} {
				if a := installed(t, command, mode); a.Decision != hookio.Ask {
					t.Errorf("%q in %s under broad rules: %v, %s", command, mode, a.Decision, a.Reason)
				}
			}
			if a := underItsRule(t, command); a.Decision != hookio.Ask {
				t.Errorf("%q under a rule for its program: %v, %s", command, a.Decision, a.Reason)
			}
		}
	}
	for _, command := range strings.Split(strings.TrimSpace(remotePasses), "\n") {
		passes++
		command = strings.ReplaceAll(command, "⏎", "\n")
		for _, f := range bashsafety.Analyze(command, bashsafety.Env{Cwd: "/work/project", Home: "/home/dev"}).Findings {
			if ids[f.Check.ID] {
				t.Errorf("%s finds %q", f.Check.ID, command)
			}
		}
		if a := installed(t, command, "bypassPermissions"); a.Decision == hookio.Ask || a.Decision == hookio.Deny {
			t.Errorf("%q in bypass: %v, %s", command, a.Decision, a.Reason)
		}
	}
	t.Logf("%d commands ask, %d look-alikes do not", stops, passes)
	if stops < 400 || passes < 200 {
		t.Error("too few")
	}
}

// underItsRule decides a text under an allow rule for the first word of it alone.
func underItsRule(t *testing.T, command string) hookio.Answer {
	t.Helper()
	first, _, _ := strings.Cut(command, " ")
	rule, _ := json.Marshal("Bash(" + first + ":*)")
	_, v := call(t, Setup{Tool: "Bash", Input: shell(command), Mode: "default", Host: "claude", Named: true, Tmp: true, Settings: map[string]string{
		"/home/dev/.claude/permgate.json": installedPosture(t), "/home/dev/.claude/settings.json": `{"permissions":{"allow":[` + string(rule) + `]}}`,
	}})
	return v.Answer()
}

// The programs of clouds and platforms, and the verbs by which each of them takes away, stops
// or resets something of somebody's. Neither list is taken from the tables.
const (
	verbPrograms = "aws gcloud az oci ibmcloud doctl hcloud linode-cli scw vultr-cli civo openstack yc aliyun exo upctl " +
		"heroku fly flyctl vercel netlify wrangler firebase supabase railway render koyeb northflank deployctl eas " +
		"appwrite clever scalingo platform upsun stripe fastly flarectl cloudflared twilio sentry-cli datadog-ci newrelic " +
		"algolia shopify"
	lossVerbs = "delete destroy purge remove terminate erase wipe reset reboot disable deactivate revoke deregister " +
		"unregister shutdown suspend detach disconnect uninstall undeploy regenerate cancel stop kill evict"
)

// verbForms are how a program spells a verb and what it is done to.
var verbForms = [...]string{
	"SERVICE VERB-thing", "SERVICE VERB-thing --id x", "SERVICE admin-VERB-user --id x", "SERVICE batch-VERB-things",
	"--profile p SERVICE VERB-thing", "SERVICE VERB_thing", "SERVICE VERBThing",
}

// TestLossVerbs: a verb that takes something away is asked about with every program of a
// cloud or platform, under a rule for the program and in bypass.
func TestLossVerbs(t *testing.T) {
	calls, missed := 0, 0
	for program := range strings.FieldsSeq(verbPrograms) {
		for verb := range strings.FieldsSeq(lossVerbs) {
			for _, form := range verbForms {
				command := program + " " + strings.NewReplacer("SERVICE", "widgets", "VERB", verb).Replace(form)
				calls++
				found := false
				for _, f := range bashsafety.Analyze(command, bashsafety.Env{Cwd: "/work/project", Home: "/home/dev"}).Findings {
					found = found || strings.HasSuffix(f.Check.ID, "-delete")
				}
				if !found {
					if missed++; missed < 20 {
						t.Errorf("no check finds %q", command)
					}
				}
			}
		}
		command := program + " widgets admin-disable-user"
		for _, mode := range []string{"auto", "bypassPermissions"} {
			if a := installed(t, command, mode); a.Decision != hookio.Ask {
				t.Errorf("%q in %s: %v, %s", command, mode, a.Decision, a.Reason)
			}
		}
		if a := underItsRule(t, command); a.Decision != hookio.Ask {
			t.Errorf("%q under a rule for its program: %v, %s", command, a.Decision, a.Reason)
		}
		for _, look := range []string{"describe-things", "list", "get-thing-to-delete", "create stop", "show reset", "list-deleted"} {
			for _, f := range bashsafety.Analyze(program+" widgets "+look, bashsafety.Env{Cwd: "/work/project", Home: "/home/dev"}).Findings {
				t.Errorf("%s finds %q", f.Check.ID, program+" widgets "+look)
			}
		}
	}
	t.Logf("%d calls, %d not found", calls, missed)
}

// cloudCarriers are the commands by which a cloud runs a statement; QUERY is the option.
const cloudCarriers = `
aws athena start-query-execution --work-group w QUERY(query-string)
aws --profile p rds-data execute-statement --resource-arn a --secret-arn s QUERY(sql)
aws redshift-data execute-statement QUERY(sql) --cluster-identifier c
aws dynamodb execute-statement QUERY(statement)
aws timestream-query query QUERY(query-string)
gcloud spanner databases execute-sql db --instance i QUERY(sql)
gcloud --project p spanner databases ddl update db QUERY(ddl)
az postgres flexible-server execute -n s -d d QUERY(querytext)
bq query --nouse_legacy_sql QUERY()`

// TestCloudStatements: a statement that deletes is found in the option by which a cloud is
// given it, one that does not is not.
func TestCloudStatements(t *testing.T) {
	finds := func(command string) bool {
		for _, f := range bashsafety.Analyze(command, bashsafety.Env{Cwd: "/work/project", Home: "/home/dev"}).Findings {
			if f.Check.ID == "database-statement" {
				return true
			}
		}
		return false
	}
	for line := range strings.SplitSeq(strings.TrimSpace(cloudCarriers), "\n") {
		before, rest, _ := strings.Cut(line, "QUERY(")
		option, after, _ := strings.Cut(rest, ")")
		for statement, deletes := range map[string]bool{
			"DROP TABLE t": true, "delete from t": true, "truncate table t": true, "select 1; drop schema s cascade": true, "update t set a = 1": true,
			"select * from t": false, "delete from t where id = 7": false, "select 'drop table t'": false, "insert into t values (1)": false,
		} {
			quoted := `"` + statement + `"`
			forms := []string{quoted}
			if option != "" {
				forms = []string{"--" + option + " " + quoted, "--" + option + "=" + quoted}
			}
			for _, form := range forms {
				if command := before + form + after; finds(command) != deletes {
					t.Errorf("%q: deletes is %v", command, !deletes)
				}
			}
		}
	}
}
