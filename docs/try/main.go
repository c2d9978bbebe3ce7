// Program try builds the page of this folder, says how large it is, and shows it:
//
//	go run ./docs/try              at http://127.0.0.1:8099/
//	go run ./docs/try -out FOLDER  only writes the files
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/internal/page"
)

var (
	//go:embed index.html
	html string
	//go:embed try.css
	css string
	//go:embed try.js
	script string
)

// largest is how many bytes a browser may have to fetch of the program.
const largest = 5_000_000

func main() {
	out := flag.String("out", "", "write the page to this `folder` and show nothing")
	addr := flag.String("addr", "127.0.0.1:8099", "show the page at this `address`")
	flag.Parse()
	if err := run(*out, *addr); err != nil {
		fmt.Fprintln(os.Stderr, "try:", err)
		os.Exit(1)
	}
}

func run(out, addr string) error {
	files, err := build()
	if err != nil {
		return err
	}
	if out != "" {
		return write(out, files)
	}
	fmt.Printf("the page is at http://%s/ until this program is interrupted\n", addr)
	return http.ListenAndServe(addr, serve(files))
}

// serve shows the files of the page, and nothing else.
func serve(files map[string]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := cmp.Or(strings.TrimPrefix(r.URL.Path, "/"), "index.html")
		if files[name] == "" {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, name, time.Time{}, strings.NewReader(files[name]))
	}
}

func write(dir string, files map[string]string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// build makes the four files of the page.
func build() (map[string]string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	start, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")) // of the Go that compiles
	if err != nil {
		return nil, err
	}
	program, err := compile()
	return map[string]string{
		"index.html": html, "try.css": page.CSS + css, "try.js": string(start) + page.Elements + page.Decision + script,
		"permgate.bin": program,
	}, err
}

// compile builds the program and packs it: not every server packs what it sends.
func compile() (string, error) {
	dir, err := os.MkdirTemp("", "permgate-try-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "permgate.wasm")
	// without inlining there is a fifth less to fetch, and one call at a time is decided at once all the same
	cmd := exec.Command("go", "build", "-trimpath", "-gcflags=all=-l", "-ldflags=-s -w", "-o", name,
		"github.com/permgate--owner/permgate/internal/try/wasm")
	cmd.Env, cmd.Stderr = append(os.Environ(), "GOOS=js", "GOARCH=wasm"), os.Stderr
	fmt.Fprintln(os.Stderr, "compiling permgate for the browser; the first time, that takes minutes")
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go build: %w", err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(data); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	fmt.Printf("permgate.wasm: %d bytes, %d with gzip -9; at most %d\n", len(data), packed.Len(), largest)
	if packed.Len() > largest {
		return "", fmt.Errorf("permgate.wasm is too large packed: %d bytes", packed.Len())
	}
	return packed.String(), nil
}
