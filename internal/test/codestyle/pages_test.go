package codestyle

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// A page is a file of Markdown: its links and what it sets as code.
type page struct {
	name    string
	anchors map[string]bool
	links   []string // targets, as they are written
	spans   []string // inline code
	blocks  []string // lines of code blocks
}

var (
	codeSpan = regexp.MustCompile("`[^`]+`")
	pageLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	srcLink  = regexp.MustCompile(`(?:src|srcset|href)="([^"]+)"`)
	idMark   = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
)

// readPage reads one page.
func readPage(tree fs.FS, name string) (*page, error) {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil, err
	}
	p := &page{name: name, anchors: map[string]bool{}}
	inBlock := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			inBlock = !inBlock
			continue
		case inBlock:
			p.blocks = append(p.blocks, line)
			continue
		case strings.HasPrefix(line, "#"):
			p.addAnchor(strings.TrimLeft(line, "# "))
		}
		for _, s := range codeSpan.FindAllString(line, -1) {
			p.spans = append(p.spans, strings.Trim(s, "`"))
		}
		for _, m := range idMark.FindAllStringSubmatch(line, -1) {
			p.anchors[m[1]] = true
		}
		plain := codeSpan.ReplaceAllString(line, "")
		for _, m := range append(pageLink.FindAllStringSubmatch(plain, -1), srcLink.FindAllStringSubmatch(plain, -1)...) {
			p.links = append(p.links, m[1])
		}
	}
	return p, nil
}

// addAnchor adds the anchor that GitHub gives a heading.
func (p *page) addAnchor(heading string) {
	slug := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
	for n, name := 1, slug; ; n++ {
		if !p.anchors[name] {
			p.anchors[name] = true
			return
		}
		name = fmt.Sprintf("%s-%d", slug, n)
	}
}

// readPages reads every page of the repository, by its name.
func readPages(t *testing.T, tree fs.FS) map[string]*page {
	t.Helper()
	pages := map[string]*page{}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(name, ".") && name != "."):
			return fs.SkipDir
		case path.Ext(name) != ".md":
			return nil
		}
		pages[name], err = readPage(tree, name)
		return err
	})
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	return pages
}

// TestUpstream: the patch for mvdan.cc/sh is for the version that go.mod has; for another it has to be made again, or goes.
func TestUpstream(t *testing.T) {
	page, err := os.ReadFile("../../../docs/upstream/README.md")
	mod, err2 := os.ReadFile("../../../go.mod")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	_, version, _ := strings.Cut(string(mod), "mvdan.cc/sh/v3 ")
	if version, _, _ = strings.Cut(version, "\n"); !strings.Contains(string(page), " "+version+",") {
		t.Errorf("docs/upstream has no patch for mvdan.cc/sh %s", version)
	}
}

// TestLinks checks that no link of a page is dead, and that links lead from README.md to every page.
func TestLinks(t *testing.T) {
	tree := os.DirFS("../../..")
	pages := readPages(t, tree)
	reached := map[string]bool{"README.md": true}
	for queue := []string{"README.md"}; len(queue) > 0; queue = queue[1:] {
		for _, link := range pages[queue[0]].links {
			if to := linkTarget(tree, queue[0], link); pages[to] != nil && !reached[to] {
				reached[to] = true
				queue = append(queue, to)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		if !reached[name] {
			t.Errorf("no link leads from README.md to %s: docs/README.md is the map", name)
		}
		for _, link := range pages[name].links {
			if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
				continue
			}
			to := linkTarget(tree, name, link)
			_, anchor, _ := strings.Cut(link, "#")
			if _, err := fs.Stat(tree, to); err != nil {
				t.Errorf("%s: the link %s is dead: %v", name, link, err)
			} else if anchor != "" && (pages[to] == nil || !pages[to].anchors[anchor]) {
				t.Errorf("%s: the link %s is dead: %s has no such heading", name, link, to)
			}
		}
	}
}

// linkTarget is the file a link of a page leads to: of a folder, its README.md if there is one.
func linkTarget(tree fs.FS, from, link string) string {
	file, _, _ := strings.Cut(link, "#")
	if file == "" {
		return from
	}
	to := path.Join(path.Dir(from), file)
	if _, err := fs.Stat(tree, path.Join(to, "README.md")); err == nil {
		return path.Join(to, "README.md")
	}
	return to
}

// A sourcePath begins with a folder of the repository.
var (
	sourcePath = regexp.MustCompile(`^(?:\./)?((?:\.ci|\.github|bashsafety|decide|docs|hookio|internal|rules|testdata)(?:/[\w.*{},-]+)*/?)$`)
	usersPath  = regexp.MustCompile(`^(?:\.github|docs|internal)/`) // in pages for users: mostly a file of theirs
	exported   = regexp.MustCompile(`^(bashsafety|decide|hookio|rules)\.([A-Z]\w+)$`)
)

// TestPaths checks that the folders and names of the source that pages speak of exist, and files that are set as code.
func TestPaths(t *testing.T) {
	tree := os.DirFS("../../..")
	for name, p := range readPages(t, tree) {
		switch name {
		case "CHANGELOG.md", "docs/seeds.md", "docs/commands.md": // tells what was; has generated examples
			continue
		}
		words, inside := strings.Fields(strings.Join(p.spans, " ")), name == "CONTRIBUTING.md" || name == "docs/architecture.md"
		if inside {
			words = append(words, strings.Fields(strings.Join(p.blocks, " "))...)
		}
		for _, word := range words {
			word = strings.TrimRight(strings.TrimSuffix(word, "/..."), ",;:)")
			if m := exported.FindStringSubmatch(word); m != nil && !declares(t, tree, m[1], m[2]) {
				t.Errorf("%s speaks of %s, which is not declared", name, word)
			}
			m := sourcePath.FindStringSubmatch(word)
			if strings.Contains(word, "{") && !strings.Contains(word, "}") {
				m = nil // part of a drawing
			}
			if m == nil || strings.ToLower(word) != word || !inside && usersPath.MatchString(m[1]) { // NAME is the reader's
				continue
			}
			for _, file := range alternatives(strings.TrimSuffix(m[1], "/")) {
				if found, err := fs.Glob(tree, file); err != nil || len(found) == 0 {
					t.Errorf("%s speaks of %s: there is no such file", name, file)
				}
			}
		}
	}
}

// alternatives writes a{b,c} out.
func alternatives(name string) []string {
	before, rest, _ := strings.Cut(name, "{")
	inner, after, ok := strings.Cut(rest, "}")
	if !ok {
		return []string{name}
	}
	var all []string
	for part := range strings.SplitSeq(inner, ",") {
		all = append(all, alternatives(before+part+after)...)
	}
	return all
}

// declares reports whether a package declares an exported name, or a type of it has a method or field of that name.
func declares(t *testing.T, tree fs.FS, pkg, name string) bool {
	t.Helper()
	files, err := fs.Glob(tree, pkg+"/*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^(?:func|type|var|const) ` + name + `\b|^\t` + name + `\b|^func \([^)]*\) ` + name + `\b`)
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := fs.ReadFile(tree, file)
		return err == nil && declared.Match(text)
	})
}

// TestPinned: what a workflow runs of others is named by its digest, which no one can move to other code.
func TestPinned(t *testing.T) {
	names, err := filepath.Glob("../../../.github/workflows/*.yml")
	if err != nil || len(names) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	uses := regexp.MustCompile(`(?m)^\s*(?:- )?uses: (.*)$`)
	pinned := regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+@[0-9a-f]{40} # v\d+(\.\d+)*$`)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range uses.FindAllStringSubmatch(string(text), -1) {
			if !pinned.MatchString(m[1]) {
				t.Errorf("%s: %s: want a digest and its version", filepath.Base(name), m[1])
			}
		}
	}
}
