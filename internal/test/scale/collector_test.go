package scale

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/gate/log"
)

const (
	builder   = "go.opentelemetry.io/collector/cmd/builder@v0.165.0" // docs/fleet.md has the same
	collected = 10_000
)

// TestCollector: a collector with the configuration of docs/fleet.md gets every line of a log once, though the log is
// rotated and the collector restarted meanwhile.
func TestCollector(t *testing.T) {
	if os.Getenv("PERMGATE_SCALE") == "" {
		t.Skip("PERMGATE_SCALE=1 builds an OpenTelemetry Collector and lets it read a log")
	}
	c := &collector{T: t, dir: t.TempDir(), seen: map[string]bool{}}
	c.server = httptest.NewServer(http.HandlerFunc(c.receive))
	defer c.server.Close()
	c.build()
	w := &log.Writer{Dir: filepath.Join(c.dir, "log"), MaxBytes: 1 << 20}
	stop := c.start()
	for n := range collected {
		if n == collected/2 { // lines are written while none runs
			stop()
		}
		if n == collected*3/4 {
			stop = c.start()
		}
		r := &log.Record{Event: log.EventDecision, Time: time.Now(), Tool: "Bash", Answered: "ask", CallID: fmt.Sprintf("call-%d", n), Reason: "no rule"}
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
		if n%500 == 0 { // a file must not be thrown away before it is read
			time.Sleep(100 * time.Millisecond)
		}
	}
	if files, err := log.Files(w.Dir); err != nil || len(files) < 3 {
		t.Fatalf("the log was not rotated: %v, %v", files, err)
	}
	deadline := time.Now().Add(time.Minute)
	for c.count() < collected && time.Now().Before(deadline) {
		time.Sleep(200 * time.Millisecond)
	}
	stop()
	if n := c.count(); n != collected {
		t.Errorf("%d of %d lines arrived", n, collected)
	}
}

type collector struct {
	*testing.T
	dir    string
	server *httptest.Server
	mu     sync.Mutex
	seen   map[string]bool // ids of calls that arrived, with their name and in their place
}

func (c *collector) build() {
	c.Helper()
	config, err := filepath.Abs(filepath.Join(docs, "collector", "builder.yaml"))
	if err != nil {
		c.Fatal(err)
	}
	cmd := exec.Command("go", "run", builder, "--config", config)
	cmd.Dir = c.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		c.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}

// start runs the collector until the returned function is called.
func (c *collector) start() (stop func()) {
	c.Helper()
	config, err := filepath.Abs(filepath.Join(docs, "collector", "config.yaml"))
	if err != nil {
		c.Fatal(err)
	}
	ctx, cancel := context.WithCancel(c.Context())
	cmd := exec.CommandContext(ctx, filepath.Join(c.dir, "permgate-collector", "permgate-collector"), "--config", config)
	cmd.Env = append(os.Environ(), "PERMGATE_LOG="+filepath.Join(c.dir, "log"), "PERMGATE_OFFSETS="+filepath.Join(c.dir, "offsets"),
		"PERMGATE_OTLP="+c.server.URL)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		c.Fatal(err)
	}
	return func() {
		cancel()
		cmd.Wait()
		if c.Failed() || c.count() == 0 {
			c.Log(said.String())
		}
	}
}

// receive is where the records go.
func (c *collector) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err == nil && r.Header.Get("Content-Encoding") == "gzip" {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(body)); err == nil {
			body, err = io.ReadAll(z)
		}
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	callID := regexp.MustCompile(`"gen_ai.tool.call.id","value":\{"stringValue":"(call-[0-9]+)"`)
	for _, id := range callID.FindAllSubmatch(body, -1) {
		c.seen[string(id[1])] = true
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write([]byte("{}"))
}

func (c *collector) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.seen)
}
