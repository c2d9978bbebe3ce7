package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// codeHostDeletions are the programs of code hosts and of the services that
// build what they hold.
var codeHostDeletions = []Loss{
	{Names: "hub", Values: "-C", Verbs: []string{"delete", "release delete", "api -X|--method=DELETE"}},
	{Names: "tea", Values: "-lro login repo remote", Verbs: []string{"** @"}},
	{Names: "gitlab-runner", Verbs: []string{"unregister|stop|uninstall"}},
	{Names: "gitlab-ctl", Verbs: []string{"stop|cleanse|uninstall|remove-accounts"}},
	{Names: "circleci", Values: "host token", Verbs: []string{"** @|unlist"}},
	{Names: "jenkins-cli jenkins-cli.jar jcli", Values: "-s auth", Verbs: []string{jenkinsVerbs}},
	{Names: "jenkins-jobs jjb", Values: "conf", Verbs: []string{"delete|delete-all", "update --delete-old"}},
	{Names: "bk drone woodpecker-cli codefresh spin octopus octo", Values: "-ts server token org pipeline", Verbs: []string{"** @"}},
	{Names: "travis", Values: "-re repo api-endpoint", Verbs: []string{"disable|cancel", "cache --delete|-d", "env unset|clear"}},
}

const jenkinsVerbs = "delete-*|disable-job|safe-shutdown|shutdown|quiet-down|clear-queue|offline-node|" +
	"disconnect-node|stop-builds|remove-job-from-view"

// jenkinsDeletes: the client of Jenkins is a jar, its command a word after it.
func jenkinsDeletes(r *lossReading) bool {
	return r.given("-jar=*jenkins-cli*.jar") && r.fitsPattern("** "+jenkinsVerbs)
}

// apiDeletes: gh api and glab api with DELETE, or a mutation that deletes.
func apiDeletes(r *lossReading) bool {
	if len(r.words) == 0 || !wordFits("api", r.words[0]) {
		return false
	}
	graph := len(r.words) > 1 && wordFits("graphql", r.words[1])
	for i := range r.opts {
		if r.opts[i].requestsDeletion(graph) {
			return true
		}
	}
	return false
}

// requestsDeletion reports whether an option of gh api makes a request that deletes.
func (u *Used) requestsDeletion(graph bool) bool {
	switch {
	case !u.Given:
		return false
	case u.Name == "X", u.means("method"):
		return MethodDeletes(&u.Value)
	case u.Name == "H", u.means("header"):
		return OverridesMethod(u.Value.Text)
	case u.Value.Text == "archived=true":
		return true
	}
	return graph && strings.HasPrefix(u.Value.Text, "query=") && lang.PostsDeletion(u.Value.Text)
}

// OverridesMethod reports whether a header has the server take a request for a
// DELETE.
func OverridesMethod(header string) bool {
	name, value, ok := strings.Cut(header, ":")
	return ok && strings.EqualFold(strings.TrimSpace(value), "delete") &&
		strings.Contains(strings.ToLower(name), "method")
}

// registryDeletions are the programs of package registries.
var registryDeletions = []Loss{
	{
		Names: "npm pnpm", Values: "-Cw registry otp tag loglevel prefix dir userconfig workspace", Dry: "dry-run",
		Verbs: []string{"unpublish|deprecate", "access|author|dist-tag|dist-tags|hook|org|owner|profile|team|token @"},
	},
	{Names: "dotnet nuget", Values: "-sk source api-key", Verbs: []string{"nuget delete", "delete"}},
	{Names: "mix", Verbs: []string{"hex.retire", "hex.publish --revert", "hex.owner remove"}},
	{Names: "pod", Verbs: []string{"trunk delete|deprecate|remove-owner"}},
	{Names: "vsce ovsx", Values: "-p pat", Verbs: []string{"unpublish|delete-publisher"}},
	{Names: "pypi-cleanup", Verbs: []string{" --do-it"}},
	{Names: "hub-tool", Verbs: []string{"tag|repo rm"}},
	{Names: "conan", Values: "-q", Verbs: []string{"remove ** --remote|-r"}},
	{Names: "anaconda cloudsmith", Values: "-tsk", Verbs: []string{"delete|remove|rm|quarantine", "* delete|rm"}},
	{Names: "jf jfrog", Dry: "dry-run", Verbs: []string{"rt delete|del|rdel|repo-delete|*-delete|*-del", "* delete|*-delete"}, Values: "server-id url user password"},
	{Names: "aptly", Values: "-config", Verbs: []string{"repo|snapshot|mirror|publish drop", "repo remove"}},
	{Names: "reprepro", Values: "-bC", Verbs: []string{"remove*|clearvanished|removefilter"}},
	{Names: "hf huggingface-cli", Values: "repo-type token", Verbs: []string{"repo delete", "repo-files ** delete", "repo branch|tag delete"}},
	{Names: "kaggle", Verbs: []string{"* delete"}},
}

// callDeletions are clients that name what they call.
var callDeletions = []Loss{
	{Names: "grpcurl grpc_cli evans", Values: "-dHv import-path proto", Style: SingleDash, Verbs: []string{"** */Delete*|*.Delete*|*/Remove*|*/Purge*"}},
	{Names: "awscurl", Values: "-XdH request", Verbs: []string{" -X|--request=DELETE"}},
}

// MethodDeletes reports whether a method deletes. One of which nothing is known may.
func MethodDeletes(method *shell.Word) bool {
	return nothingKnown(method) || wordFits("DELETE|PURGE", method)
}
