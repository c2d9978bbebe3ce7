package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate/trust"
)

func trustFiles(k *subcmd.GrantDiff, e *subcmd.Env, o *trustOptions, dir string) int {
	var todo []*subcmd.Entry
	faulty := 0
	for _, f := range k.Entries {
		switch f.State() {
		case subcmd.StateFaulty:
			fmt.Fprintf(e.Err, "%s: not trusted: %s\n", e.Cmd, e.Fault(f.Fault))
			faulty++
		case subcmd.StateUntrusted, subcmd.StateChanged:
			todo = append(todo, f)
		}
	}
	code := subcmd.ExitOK
	if faulty > 0 {
		code = e.Fail("fix it first: until then it grants nothing", "%s has an error", subcmd.Plural(faulty, "file", "files"))
	}
	if len(todo) == 0 {
		if faulty == 0 {
			fmt.Fprintln(e.Out, hookio.Escape(nothingToTrust(k, e)))
		}
		return code
	}
	showTrust(k, e, todo)
	if o.DryRun {
		return code
	}
	if code := o.Confirmed(e, "trust this?"); code != subcmd.ExitOK {
		return code
	}
	if failed := recordTrust(k, e, todo, dir); failed != subcmd.ExitOK {
		return failed
	}
	for _, f := range todo {
		fmt.Fprintf(e.Out, "trusted %s\n", e.Path(f.Path))
	}
	if hosts, _ := e.Required(); len(hosts) == 0 {
		fmt.Fprintln(e.Out, `projectTrust is "off" here, so these files count anyway; the record matters once your permgate.json says "require"`)
	}
	return code
}

func nothingToTrust(k *subcmd.GrantDiff, e *subcmd.Env) string {
	trusted := func(f *subcmd.Entry) bool { return f.State() == subcmd.StateTrusted }
	if slices.ContainsFunc(k.Entries, trusted) {
		return "nothing to do: every file in " + e.Path(k.Policy.Project.Given) + " that grants something is trusted"
	}
	return "nothing to trust: no file in " + e.Path(k.Policy.Project.Given) + " grants anything that needs trust"
}

// recordTrust writes down what was shown, if that is still what the files hold.
func recordTrust(k *subcmd.GrantDiff, e *subcmd.Env, files []*subcmd.Entry, dir string) int {
	unlock, err := k.Lock()
	if err != nil {
		return e.FailFile(err)
	}
	defer unlock()
	now := e.GrantDiff(dir)
	for _, f := range files {
		if !now.Holds(f) {
			return e.Fail("run the command again", "%s changed meanwhile; nothing was recorded", e.Path(f.Path))
		}
	}
	for _, f := range files {
		if err := now.Put(e, now.Find(f.Path), now.All(f), f.Content); err != nil {
			return e.FailFile(err)
		}
	}
	return subcmd.ExitOK
}

func revokeTrust(k *subcmd.GrantDiff, e *subcmd.Env, o *trustOptions) int {
	for _, f := range k.Entries {
		if errors.Is(f.Err, trust.ErrNewer) {
			return e.FailFile(f.Err)
		}
	}
	have := k.Recorded()
	if len(have) == 0 {
		fmt.Fprintf(e.Out, "nothing to forget: no file in %s was trusted\n", e.Path(k.Policy.Project.Given))
		return subcmd.ExitOK
	}
	for _, r := range have {
		fmt.Fprintf(e.Out, "%s %s\n", map[bool]string{true: "would forget", false: "forget"}[o.DryRun],
			e.Path(k.At.Path(r.Key)))
	}
	if o.DryRun {
		return subcmd.ExitOK
	}
	if code := o.Confirmed(e, "stop trusting this?"); code != subcmd.ExitOK {
		return code
	}
	unlock, err := k.Lock()
	if err != nil {
		return e.FailFile(err)
	}
	defer unlock()
	for _, r := range have {
		if err := os.Remove(r.Name); err != nil && !os.IsNotExist(err) {
			return e.FailFile(err)
		}
	}
	fmt.Fprintf(e.Out, "%s in %s no longer trusted\n", subcmd.Plural(len(have), "file", "files"), e.Path(k.Policy.Project.Given))
	return subcmd.ExitOK
}
