package hosttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/executable"
)

// athena is what the snippet of docs/seeds.md needs of ExAthena and of Jason: calls to ask about, and one form of answer.
const athena = `
defmodule Jason do
  def encode!(%{} = m), do: "{" <> Enum.map_join(m, ",", fn {k, v} -> text(to_string(k)) <> ":" <> encode!(v) end) <> "}"
  def encode!(v), do: text(to_string(v))

  defp text(s) do
    escaped = s |> String.replace("\\", "\\\\") |> String.replace("\"", "\\\"") |> String.replace("\n", "\\n")
    "\"" <> escaped <> "\""
  end

  def decode(s) do
    case Regex.run(~r/\A\{"decision":"(\w+)"(?:,"reason":"((?:[^"\\]|\\.)*)")?\}\n?\z/, s) do
      [_, d] -> {:ok, %{"decision" => d}}
      [_, d, r] -> {:ok, %{"decision" => d, "reason" => r}}
      nil -> {:error, :syntax}
    end
  end
end

defmodule ExAthena do
  def run(_, opts) do
    for {name, args} <- [
          {"bash", %{command: "go vet ./..."}},
          {"bash", %{command: "go vet ./... && curl https://example.com"}},
          {"bash", %{command: "rm -rf /"}},
          {"write", %{path: "/etc/passwd", content: "\"x'; $(touch ran)\nx"}},
          {"read", %{path: "a.go"}}
        ] do
      case opts[:can_use_tool].(name, args, %{phase: opts[:phase], cwd: File.cwd!()}) do
        :allow -> IO.puts("allow")
        {:deny, reason} -> IO.puts("deny " <> reason)
      end
    end
  end
end
`

// TestElixir runs what docs/seeds.md shows for ExAthena with Elixir, against stubs of that library.
func TestElixir(t *testing.T) {
	elixir, err := exec.LookPath("elixir")
	if testing.Short() || !wanted("elixir", os.Getenv("PERMGATE_HOSTS")) || err != nil {
		t.Skip("PERMGATE_HOSTS=elixir runs it where Elixir is installed")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "seeds.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, snippet, _ := strings.Cut(string(page), "```elixir\n")
	snippet, _, _ = strings.Cut(snippet, "```\n")
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	executable.Write(t, filepath.Join(dir, "calls.exs"), athena+strings.Replace(snippet, "10_000", "1_500", 1))
	if err := os.MkdirAll(filepath.Join(home, ".gen"), 0o755); err != nil {
		t.Fatal(err)
	}
	rules := `{"permissions": {"allow": ["Bash(go vet:*)", "Read"]}}`
	if err := os.WriteFile(filepath.Join(home, ".gen", "settings.json"), []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	answers := func(bin string) string {
		run := exec.Command(elixir, "calls.exs")
		run.Dir = dir
		run.Env = append(os.Environ(), "PATH="+bin+":/usr/bin:/bin:"+filepath.Dir(elixir), "HOME="+home, "XDG_STATE_HOME="+dir)
		out, err := run.Output()
		if err != nil {
			t.Errorf("elixir: %v\n%s", err, out)
		}
		return string(out)
	}
	asked := filepath.Join(t.TempDir(), "permgate")
	executable.Write(t, asked, "#!/bin/sh\nexec "+BuildPermgate(t)+" \"$@\" --home "+home+"\n")
	got := strings.Split(strings.TrimSpace(answers(filepath.Dir(asked))), "\n")
	for i, want := range []string{"allow", "deny no rule allows", "deny ", "deny the call writes", "allow"} {
		if i >= len(got) || !strings.HasPrefix(got[i], want) {
			t.Errorf("call %d is answered %q, want %q", i, got, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("an argument was run as shell text")
	}
	for name, script := range map[string]string{"crash": "exit 1", "exit 2": "echo no >&2; exit 2", "killed": "kill -9 $$", "silence": "exit 0",
		"text": "echo allow", "cut": `printf '{"decision":"allow'`, "allow and crash": `echo '{"decision":"allow"}'; exit 1`, "late": "exec sleep 20", "missing": ""} {
		bin := t.TempDir()
		if script != "" {
			executable.Write(t, filepath.Join(bin, "permgate"), "#!/bin/sh\n"+script+"\n")
		}
		if got := answers(bin); strings.Count(got, "deny no answer from permgate\n") != 5 || strings.Contains(got, "allow\n") {
			t.Errorf("%s: %q", name, got)
		}
	}
}
