package hookio

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// lines returns the lines of a corpus file.
func lines(t *testing.T, name string) *bufio.Scanner {
	s := bufio.NewScanner(bytes.NewReader(testenv.Corpus(t, "corpus/"+name)))
	s.Buffer(nil, MaxPayload)
	return s
}

// TestRecordedCalls reads calls that agents really made: none is malformed.
func TestRecordedCalls(t *testing.T) {
	n := 0
	for s := lines(t, "real_calls.jsonl"); s.Scan(); n++ {
		c, err := Read(strings.NewReader(s.Text()), Options{Host: "claude"})
		if err != nil {
			t.Errorf("%.200s: %v", s.Text(), err)
		} else if c.Malformed != "" {
			t.Errorf("%.200s: %s", s.Text(), c.Malformed)
		}
	}
	t.Log(n, "calls")
}

// TestCorpora reads the input column: harmless calls are not malformed, and of
// the attacks on decoders those on known tools are.
func TestCorpora(t *testing.T) {
	for _, name := range []string{"attacks_dev.tsv", "benign_dev.tsv"} {
		s := lines(t, name)
		for s.Scan(); s.Scan(); {
			f := strings.Split(s.Text(), "\t")
			tool := f[2]
			if !strings.HasPrefix(tool, `"`) {
				b, _ := json.Marshal(tool)
				tool = string(b)
			}
			c, err := Read(strings.NewReader(`{"tool_name":`+tool+`,"tool_input":`+f[3]+`}`), Options{})
			if err != nil {
				t.Errorf("%s: %v", f[0], err)
				continue
			}
			decoders := f[1] == "json" && c.RawTool != "UnknownTool"
			if c.Malformed == "" && decoders || c.Malformed != "" && name == "benign_dev.tsv" {
				t.Errorf("%s: malformed %q: %.200s", f[0], c.Malformed, f[3])
			}
		}
	}
}
