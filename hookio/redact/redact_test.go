package redact

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/test/examples"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// plant splits an example into the text with its secrets, the text that may be
// shown, and the secrets.
func plant(example string) (in, want string, secrets []string) {
	for {
		before, rest, ok := strings.Cut(example, "«")
		in, want = in+before, want+before
		if !ok {
			return in, want, secrets
		}
		secret, after, _ := strings.Cut(rest, "»")
		in, want = in+secret, want+Mark
		secrets = append(secrets, secret)
		example = after
	}
}

func TestShapes(t *testing.T) {
	known := map[string]int{}
	for _, e := range planted() {
		known[e.Program]++
		in, want, _ := plant(e.Cmd)
		got, hit := Text(in)
		if got != want || !hit {
			t.Errorf("%s: %s\n got %s\nwant %s %v", e.Program, in, got, want, hit)
		}
		if again, hit := Text(got); again != got || hit {
			t.Errorf("%s: a second time %s", e.Program, again)
		}
	}
	for i := range Shapes {
		if known[Shapes[i].Name] == 0 {
			t.Errorf("%s has no example", Shapes[i].Name)
		}
	}
	if len(known) != len(Shapes) {
		t.Errorf("examples of %d shapes, and there are %d", len(known), len(Shapes))
	}
}

// planted are the examples of the shapes: Program is the shape's name.
func planted() []examples.Example { return examples.Read("testdata") }

// benign is text that must stay readable.
var benign = []string{
	"git show 9fceb02d0ae598e95dc970b74767f19372d61af8", "git diff 550e8400-e29b-41d4-a716-446655440000", "cat /home/u/src/token/parser.go",
	"go test ./internal/secret/... -run TestToken", "grep -rn password src/", "echo $GITHUB_TOKEN | wc -c", "TOKEN=$(gh auth token) make", "curl -H \"Authorization: Bearer $TOKEN\" h",
	`curl -H "Authorization: token ${GH_TOKEN}" h`, "export PATH=/usr/bin:$PATH", "PWD=/tmp OLDPWD=/x make", "ls -la tokens.json", "git commit -m 'fix the password reset'", "kubectl get secret my-secret -o yaml",
	"mysql -u root -p db", "docker run -p 8080:80 nginx", "curl -u alice https://h", "git config credential.helper store", "docker login --password-stdin", "tool --token-file /run/x", "sha256sum -c sums",
	"npm install sk-learn-tools", "git push git@github.com:a/b.git", "go get golang.org/x/net@v0.1.0", "https://proxy.golang.org:443/x/@v/list", "ssh user@host:22", "scp a u@h:/x", "find . -name 'token*'", "python -c 'print(\"token\")'",
	"if token == x", "secretName: my-tls", "AWS_PROFILE=prod aws s3 ls", "max_tokens: 4096", "tokenizer=bpe", "compass --bypass=1", "curl https://h/a?page=2&key", "rm -rf build", "git rev-parse HEAD", "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DCNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
	"don't panic, it's fine", "password", "--password", "TOKEN=", "TOKEN= make", "PASSWORD=\"$DB_PASSWORD\" psql", "a basic authentication scheme", "pat=1 auth=2", "sort -k 2 file", "openssl version", "ssh-keygen -t ed25519",
	"if r in ('pass', 'fail'): x", "- all pass => done", "echo \"pass: 3 tests\"", "secret::Token", "npm install secret_santa_2024_gamepackage", "ls key-value-store-2024-release", "cat sk-learn-intro-2024-for-beginners.md", "cd hf_model_cache_2024_q1_experiments", "http://localhost:3000/a@b", "token://x",
}

func TestBenign(t *testing.T) {
	for _, in := range benign {
		if got, hit := Text(in); got != in || hit {
			t.Errorf("%s\n got %s", in, got)
		}
	}
}

// TestMadeUp: a token of an issuer that no one knows is found by its shape, wherever it is.
func TestMadeUp(t *testing.T) {
	rnd := rand.New(rand.NewPCG(29, 8))
	const letters, all = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	pick := func(from string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = from[rnd.IntN(len(from))]
		}
		return string(b)
	}
	frames := []string{"%", "tool %", "tool -t%", "tool -t %", "tool --x=%", `tool "%"`, "tool '%' && ls", `{"a":"%","b":1}`, "curl -H 'X-Thing: %' h", "curl https://h/?q=%&z=1", "curl https://%@h/x",
		"A=% make", "echo % > f", "x %. Then", "f(%)", "/w/%/x", "curl -d '{\"k\": \"%\"}' h", "mcp__a__%"}
	missed := 0
	for n := range 400 {
		mark := pick(letters, 2+rnd.IntN(6)) + []string{"_", "-", "_live_", "-api-", "_pat_"}[n%5]
		token := mark + pick(all, 20+rnd.IntN(30))
		for _, f := range frames {
			got, _ := Text(strings.Replace(f, "%", token, 1))
			if strings.Contains(got, token[len(mark)+4:]) {
				if missed++; n < 20 {
					t.Errorf("%s survives in %s", token, got)
				}
			}
		}
	}
	if missed*100 > 400*len(frames) { // one of a hundred may look like a word by chance
		t.Errorf("%d survive", missed)
	}
}

// TestNotMadeUp: what is counted, dated, hashed or named is no token, whatever it is glued to.
func TestNotMadeUp(t *testing.T) {
	rnd := rand.New(rand.NewPCG(29, 9))
	hex := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "0123456789abcdef"[rnd.IntN(16)]
		}
		return string(b)
	}
	for range 300 {
		sha, uuid := hex(40), hex(8)+"-"+hex(4)+"-"+hex(4)+"-"+hex(4)+"-"+hex(12)
		for _, text := range []string{
			sha, "git show " + sha[:12], "release-" + sha, "build_" + hex(64), "x session-" + uuid, "app-" + uuid + ".log", "/home/u/.claude/projects/-home-u-app/" + uuid + ".jsonl", "sha256:" + hex(64), "i-0" + hex(16),
			"subnet_" + hex(17), "img-" + strings.ToUpper(hex(32)), "web-" + hex(9) + "-" + hex(5), "tool_results/toolu_01AecSccUuPdwAMh2iM49Bqm.txt", "backup_20241125T231500_" + hex(8), "npm-debug-2024-11-25T23_15_00_123Z-debug-0.log",
		} {
			if got, hit := Text(text); hit {
				t.Fatalf("%s becomes %s", text, got)
			}
		}
	}
}

// TestRecordedIDs: what is a hash, an id, a package's checksum or a path in recorded calls stays readable.
func TestRecordedIDs(t *testing.T) {
	kinds := regexp.MustCompile(`\b[0-9a-f]{7,64}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\bsha(?:1|256|512)-[A-Za-z0-9+/=]{20,}|\b(?:toolu|msg|call|req)_[A-Za-z0-9]+|(?:~|\.{0,2})/[\w./@+-]+|\b[\w-]+/[\w./@+-]+`)
	seen, wrong := map[string]bool{}, 0
	for _, line := range strings.Split(string(testenv.Corpus(t, "corpus/real_calls.jsonl")), "\n") {
		for _, word := range kinds.FindAllString(line, -1) {
			if seen[word] {
				continue
			}
			seen[word] = true
			for _, text := range []string{word, "cat " + word, `{"id":"` + word + `"}`} {
				if got, hit := Text(text); hit {
					if wrong++; wrong < 10 {
						t.Errorf("%s becomes %s", text, got)
					}
				}
			}
		}
	}
	if t.Logf("%d hashes, ids and paths", len(seen)); len(seen) < 5000 {
		t.Errorf("only %d", len(seen))
	}
}

func TestName(t *testing.T) {
	for _, n := range strings.Fields("TOKEN GITHUB_TOKEN token2 api_key apiKey API-KEY x-api-key --password PGPASSWORD MYSQL_PWD SSHPASS aws_secret_access_key clientSecret passphrase db.pass user_pass _authToken _auth REDISCLI_AUTH GITHUB_PAT CI_JOB_TOKEN secret_id privateKey AZURE_STORAGE_KEY_connection_string cookie") {
		if !Name(n) {
			t.Errorf("%s is no secret name", n)
		}
	}
	for _, n := range strings.Fields("PWD OLDPWD PATH tokens tokenizer token_count password_file secretName bypass compass author authority pattern monkey key keyboard pat passing TOKEN_URL max-tokens cookiecutter credential.helper") {
		if Name(n) {
			t.Errorf("%s is a secret name", n)
		}
	}
}

// TestEverywhere plants every example within other text.
func TestEverywhere(t *testing.T) {
	frames := []string{"%", "cd x && %", "% ; ls", "cd 'a b' && % | tee \"log\"", "# note: it's\n%", "( % )", "sudo %", "echo \"done\" && %\necho 'x'"}
	for _, e := range planted() {
		for _, f := range frames {
			in, _, secrets := plant(strings.Replace(f, "%", e.Cmd, 1))
			got, _ := Text(in)
			for _, s := range secrets {
				if len(s) > 3 && strings.Contains(got, s) {
					t.Errorf("%s: %s survives in %s", e.Program, s, got)
				}
			}
		}
	}
}

// FuzzText plants a secret in a shape's example within any text: it must not
// survive, whatever surrounds it, and a second time nothing may change.
func FuzzText(f *testing.F) {
	all := planted()
	for i := range all {
		f.Add("x ", " y", uint16(i))
	}
	for _, b := range benign {
		f.Add(b, b, uint16(0))
	}
	f.Fuzz(func(t *testing.T, before, after string, i uint16) {
		in, _, secrets := plant(all[int(i)%len(all)].Cmd)
		text := before + "\n" + in + "\n" + after
		got, hit := Text(text)
		if hit != (got != text) {
			t.Fatalf("%q: %v", text, hit)
		}
		for _, secret := range secrets {
			if len(secret) > 7 && strings.Contains(got, secret) && !strings.Contains(before, secret) && !strings.Contains(after, secret) {
				t.Fatalf("%q survives in %q", secret, got)
			}
		}
		if again, _ := Text(got); again != got {
			t.Fatalf("%q, a second time %q", got, again)
		}
	})
}

// TestLinear takes texts made to be looked at again and again from every word.
// What decides waits for this package, and a call would be asked about that is
// to be denied.
func TestLinear(t *testing.T) {
	for _, unit := range []string{
		"https://a/", "token\"", `a"b`, `eyJa"`, `ghp_a"`, "https://u:p", `A b="c `, "Bearer a", "mysql -p ", `"token" `, "-----BEGIN ", `token:\"`, "a_token ", "?sig=", "token 'a", "a=$(b", "key-a'",
	} {
		start := testenv.Worked()
		Text(strings.Repeat(unit, 64<<10/len(unit)))
		if took := testenv.Worked() - start; took > 5*time.Second { // many times what it takes
			t.Errorf("%q many times: %v", unit, took)
		}
	}
}

// TestLongNames is TestLinear for names of many words, which take no longer to
// be looked at again than to be looked at: there have to be more of them.
func TestLongNames(t *testing.T) {
	for _, unit := range []string{"a.", "token.", "a-b.", "sk-", "ghp_"} {
		start := testenv.Worked()
		Text("x " + strings.Repeat(unit, 1<<20/len(unit)))
		if took := testenv.Worked() - start; took > 20*time.Second { // minutes, where each word is gone on from
			t.Errorf("%q many times: %v", unit, took)
		}
	}
}

// quotings put a text into the quotes of a shell or of JSON.
var quotings = []struct {
	name string
	put  func(string) string
}{
	{"sh -c '...'", func(s string) string { return "sh -c '" + strings.ReplaceAll(s, "'", `'\''`) + "' && ls" }},
	{`bash -lc "..."`, func(s string) string {
		return `bash -lc "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(s) + `"; ls`
	}},
	{`ssh h "..."`, func(s string) string {
		return `ssh h "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(s) + `"`
	}},
	{`{"cmd": "..."}`, func(s string) string { return `{"cmd": ` + jsonText(s) + `, "n": 1}` }},
	{`-d '{"cmd": "..."}'`, func(s string) string {
		return `curl -d '{"cmd": ` + strings.ReplaceAll(jsonText(s), "'", `'\''`) + `}' h`
	}},
	{"heredoc", func(s string) string { return "cat <<EOF > f\nit's\n" + s + "\nEOF\nls" }},
}

func jsonText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// TestQuoted plants the examples in other quotes than their own.
func TestQuoted(t *testing.T) {
	for _, e := range planted() {
		in, _, secrets := plant(e.Cmd)
		for _, q := range quotings {
			got, _ := Text(q.put(in))
			for _, s := range secrets {
				if len(s) > 3 && !strings.ContainsAny(s, "'\"\\\n$ ") && strings.Contains(got, s) {
					t.Errorf("%s in %s: %q survives in %s", e.Program, q.name, s, got)
				}
			}
		}
	}
}
