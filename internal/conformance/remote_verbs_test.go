package conformance

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
)

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
