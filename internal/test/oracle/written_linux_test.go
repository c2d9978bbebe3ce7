package oracle

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// A writtenMaker makes texts that write a command into a file by any writer, carry it on, and run it by any runner. In
// the pieces H is the command, F the file, G another one, and N the next piece inside.
type writtenMaker struct {
	r    *rand.Rand
	file int
}

var (
	printers = [...]string{
		"echo 'H'", "printf '%s\\n' 'H'", "printf 'H\\n'", "cat <<'E'\nH\nE\n", "cat <<< 'H'", "yes 'H' | head -n 1", "l='H'; echo \"$l\"", "{ echo 'H'; }", "(echo true; echo 'H')",
		"say() { echo 'H'; }; say", "read -r l <<< 'H'; echo \"$l\"", "awk 'BEGIN{print \"H\"}'", "sed 's|.*|H|' <<< a", "cat <(echo 'H')", "for i in 1; do echo 'H'; done", "if true; then echo 'H'; fi",
		"echo 'H' | cat", "echo 'H' | sort", "echo 'H' | sed -n p", "echo 'H' | tr -d '\\r' | cat", "echo \"H\"", "echo H", "case a in a) echo 'H';; esac", "cat /dev/stdin <<< 'H'",
	}
	fileSinks = [...]string{
		"{ S\n} > F", "{ S\n} >> F", "{ S\n} &> F", "{ S\n} 1>F 2>&1", "{ S\n} >| F", "{ S\n} | tee F > /dev/null", "{ S\n} | cat > F", "{ S\n} | dd of=F 2> /dev/null", "{ S\n} > >(cat > F); sleep 0.05",
		"exec 3> F; { S\n} >&3; exec 3>&-", "w() { S\n}; w > F", "(S\n) > ./F", "{ S\n} > /w/F", "x=F; { S\n} > \"$x\"", "{ S\n} | sed -n 'w F'", "{ S\n} | awk '{print > \"F\"}'", "echo : > F; { S\n} >> F",
	}
	fileHops = [...]string{
		"cp F G", "mv F G", "cat F > G", "ln F G", "ln -s F G", "install -m 755 F G", "tee G < F > /dev/null", "cat < F > G", "dd if=F of=G 2> /dev/null", "cp F ./G", "cp /w/F /w/G", "sed -n p F > G", "sort F > G", "head -n 5 F > G",
		"cat F | cat > G", "exec 4< F; cat <&4 > G", "while read -r l; do echo \"$l\"; done < F > G",
	}
	fileRuns = [...]string{
		"bash F", "sh F", "bash ./F", "/bin/bash F", ". ./F", "source ./F", "chmod +x F; ./F", "chmod 755 F; /w/F", "bash < F", "cat F | bash", "bash -e -- F", "env bash F", "nohup bash F > /dev/null 2>&1", "timeout 2 bash F",
		"nice bash F", "x=$(bash F)", "(bash F)", "{ bash F; }", "trap 'bash F' EXIT", "b=bash; $b F", "if bash F; then :; fi", "f() { bash F; }; f", "eval 'bash F'", "bash -c 'bash F'", "bash -c ./F", "find . -name F -exec bash {} \\;", "echo F | xargs bash",
		"bash --rcfile F -i < /dev/null > /dev/null 2>&1", "BASH_ENV=F bash -c :", "bash <(cat F)", "bash -c \"$(cat F)\"", "eval \"$(cat F)\"", "exec 5< F; bash <&5", "chmod +x F; PATH=.:$PATH F", "for i in 1; do bash F; done", "bash F & wait",
		"chmod +x F; env ./F", "xargs -n 1 bash F <<< a", "export BASH_ENV=F; bash -c :", "bash -s < F", "cd /; bash /w/F", "bash F | cat",
	}
)

func oneOf(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

func (m *writtenMaker) name() string {
	m.file++
	return fmt.Sprintf("f%d", m.file)
}

func (m *writtenMaker) text(harm string) string {
	from := m.name()
	text := strings.ReplaceAll(oneOf(m.r, fileSinks[:]), "S", strings.ReplaceAll(oneOf(m.r, printers[:]), "H", harm))
	text = inFile(text, from, "")
	for range m.r.IntN(3) {
		to := m.name()
		text += "\n" + inFile(oneOf(m.r, fileHops[:]), from, to)
		from = to
	}
	return text + "\n" + inFile(oneOf(m.r, fileRuns[:]), from, "")
}

// inFile puts the names of files into a piece.
func inFile(piece, f, g string) string {
	out := strings.Builder{}
	for i := range len(piece) {
		letter := func(k int) bool {
			return k >= 0 && k < len(piece) && (piece[k] == '_' || 'A' <= piece[k] && piece[k] <= 'Z')
		}
		switch alone := !letter(i-1) && !letter(i+1); {
		case piece[i] == 'F' && alone:
			out.WriteString(f)
		case piece[i] == 'G' && alone:
			out.WriteString(g)
		default:
			out.WriteByte(piece[i])
		}
	}
	return out.String()
}

// TestWrittenFuzz writes commands into files by any writer and runs them by any runner, for real in a cage, and holds
// the analysis against what came of it: the command has its effect, or the text is doubted.
func TestWrittenFuzz(t *testing.T) {
	bin := BuildCage(t)
	ProveCage(t, bin)
	limit := budgetFromEnv(t, testenv.Count(t, 40, 300, 300))
	c := StartCage(t, bin)
	m := &writtenMaker{r: rand.New(rand.NewPCG(limit.seed, 49))}
	ran, doubted, start := 0, 0, time.Now()
	for i := 0; !limit.reached(start, ran); i++ {
		made := fmt.Sprintf("/w/made%d", i)
		harm := oneOf(m.r, []string{"touch " + made, "mkdir " + made, "cp /etc/hostname " + made, "ln -s x " + made})
		text := m.text(harm)
		s := bashsafety.Analyze(text, bashsafety.Env{Cwd: "/w", Home: "/home/u", Temp: "/tmp"})
		if len(s.Doubts) > 0 {
			if doubted++; doubted > 20*(ran+100) {
				t.Fatalf("%d texts are doubted, and %d ran", doubted, ran)
			}
			continue
		}
		run, err := c.Run("/dev/null", oneOf(m.r, []string{"bash", "bash", "zsh"}), "-c", text)
		if err != nil {
			t.Fatal(err)
		}
		does := slices.ContainsFunc(run.Calls, func(c Change) bool { return filepath.Base(c.Path) == filepath.Base(made) })
		if !does || run.TimedOut {
			continue
		}
		ran++
		seen := slices.ContainsFunc(s.Subcommands, func(sub bashsafety.Subcommand) bool {
			return slices.ContainsFunc(sub.Effects, func(e bashsafety.Effect) bool { return e.Kind == bashsafety.Write && e.Path == made })
		})
		if !seen {
			t.Errorf("seed %d: not seen:\n%s", limit.seed, text)
		}
		emptied(t, filepath.Join(c.Root, "w"))
	}
	t.Logf("%d texts ran what they wrote, %d more are doubted, in %s", ran, doubted, time.Since(start).Round(time.Second))
}

func emptied(t *testing.T, dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		os.RemoveAll(filepath.Join(dir, e.Name()))
	}
}
