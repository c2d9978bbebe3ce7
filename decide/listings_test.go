//go:build linux

package decide

import (
	"os"
	"strings"
	"testing"
)

// newBuilt is a work tree with what a build makes in it, ignored.
func newBuilt(t *testing.T) *workTree {
	w := newMain(t)
	w.write("p/.gitignore", "ignored/\nnode_modules/\n__pycache__/\ndist/\n")
	w.commit(".gitignore")
	for _, name := range []string{"pkg/a/node_modules/x/i.js", "pkg/b/node_modules/y/i.js", "src/__pycache__/a.pyc", "lib/__pycache__/b.pyc", "lib/b.py"} {
		w.write("p/"+name, "x")
	}
	w.env = []string{}
	return w
}

// spellings are ways to remove what a name finds, F for what find is given.
var spellings = []string{
	"find F -exec rm -rf {} +", `find F -exec rm -r {} \;`, "find F | xargs rm -rf", "find F -print0 | xargs -0 rm -rf", "find F | xargs -I{} rm -rf {}",
	`while read -r d; do rm -rf "$d"; done < <(find F)`, `d=$(find F); rm -rf $d`, `d="$(find F | sort)"; for x in $d; do rm -rf "$x"; done`,
	`find F -print0 | while IFS= read -r -d '' d; do rm -rf "$d"; done`, `while read -d '' -r d; do rm -rf $d; done < <(find F -print0 2>/dev/null)`,
	`find F | while read d; do rm -rf "$d"; done`, `find F | while read -r d; do rm -rf $d; done`, `for d in $(find F); do rm -rf "$d"; done`,
	"find F | sort -u | xargs -r rm -rf", "find F 2>/dev/null | xargs -n1 rm -rf",
}

// found are what find is given, and whether it finds nothing but what can be made again, comes back or is not there.
var found = map[string]bool{
	". -type d -name __pycache__": true, "src lib -name __pycache__": true, ". -name node_modules -prune": true, ". -name nothing": true,
	"src -name '*.go'": true, ". -name '*.pyc'": true, "empty": true, "nowhere": true,
	". -type d -name lib": false, "lib -name '*.py' -type f -o -name x": false, "new -type f": false, ".": false, "src": false, ". -name .git": false,
	"/ -name __pycache__": false, ".. -name __pycache__": true, "-L . -name __pycache__": false, ". -follow -name __pycache__": false,
	"$D -name __pycache__": false, ". -name $N": false, "link -name '*.go'": false, "link/ -name '*.go'": false, ". -name '*'": false,
	". ! -name '*.go' -path './src/*'": false, ". -type d": false,
}

// TestListings: a removal of what find names is no question where nothing is lost with any of it, however it is spelled.
func TestListings(t *testing.T) {
	w := newBuilt(t)
	for finds, silent := range found {
		for _, spelling := range spellings {
			text := strings.Replace(spelling, "F", finds, 1)
			if v := w.decide(text); (v.Step() != "2") != silent {
				t.Errorf("%s: step %s, silent wanted: %v: %s", text, v.Step(), silent, v.Reason())
			}
		}
	}
}

// TestListingsOf: what else may be lost, or is not.
func TestListingsOf(t *testing.T) {
	w := newBuilt(t)
	for text, silent := range map[string]bool{
		"rm -rf pkg/*/node_modules": true, "rm -rf pkg/*/node_modules src/__pycache__": true, "rm -rf p*/[ab]/node_modules": false,
		"rm -rf pkg/{a,b}/node_modules": true, "rm -rf none/*/node_modules": true, "rm -rf src/*.go lib/*.nope": true,
		"rm -rf pkg/*": false, "rm -rf */__pycache__/..": false, "rm -rf link/*": false, "rm -rf ../p/pkg/*/node_modules": false,
		"npm i; rm -rf pkg/*/node_modules": false, "shopt -s dotglob; rm -rf pkg/*/node_modules": false,
		"find . -name '*.pyc' -delete": true, "find src -name '*.go' -delete": true, "find . -type d -empty -delete": false,
		"find empty -type d -empty -delete": true, "find . -name '*.py' -delete": true, "find new -delete": false, "find . -delete": false, "find -L empty -delete": false, "find empty -follow -delete": false,
		"find lib new -name '*[bc]*' -delete": false, "find . -name '*.sample' -delete": false, "find . -name b.py -fprint x -delete": false, "find . -delete -name '*.pyc'": false, "find . -print -name b.py | xargs rm -rf": false,
		`find . -name __pycache__ -execdir rm -rf {} \;`: false, `find . -name __pycache__ -exec rm -rf {}/.. \;`: false,
		`find . -name __pycache__ -exec sh -c 'rm -rf "$1"' _ {} \;`: false, `find . -name __pycache__ -exec mv {} src \; -exec rm -rf src \;`: false,
		"find . -name __pycache__ | sed s/__pycache__// | xargs rm -rf":                     false,
		"find . -name __pycache__ | xargs dirname | xargs rm -rf":                           false,
		"find . -name __pycache__ | cut -c1-3 | xargs rm -rf":                               false,
		"find . -name __pycache__ | grep -o p | xargs rm -rf":                               false,
		"find . -name __pycache__ -printf '%h\\n' | xargs rm -rf":                           false,
		"find . -name __pycache__ | (cd src; xargs rm -rf)":                                 false,
		`find . -name __pycache__ | while read d; do cd src; rm -rf "$d"; done`:             false,
		`find . -name __pycache__ | while read d; do rm -rf "$d/.."; done`:                  false,
		`find . -name __pycache__ | while read d; do d=src; rm -rf "$d"; done`:              false,
		`find . -name __pycache__ | while read a d; do rm -rf "$a"; done`:                   false,
		`find . -name __pycache__ | while IFS=_ read d; do rm -rf "${d%__pycache__}"; done`: false,
		`rm -rf "$(find . -name __pycache__)"`:                                              false,
		`find() { echo src; }; find . -name __pycache__ | xargs rm -rf`:                     false,
		`mv src src/__pycache__; find . -name __pycache__ | xargs rm -rf`:                   false,
		`find . -name __pycache__ | tee x | xargs rm -rf`:                                   false,
		`find . -name __pycache__ | xargs -a list rm -rf`:                                   false,
		`find . -name __pycache__ | xargs rm -rf docs/a.md`:                                 true,
		`find . -name __pycache__ | xargs rm -rf new`:                                       false,
		`find . -name __pycache__ | xargs -d_ rm -rf`:                                       false,
		`find . -name __pycache__ | xargs -I% rm -rf %/..`:                                  false,
		`ls | xargs rm -rf`:                                       false,
		`git ls-files src | xargs rm -rf`:                         true,
		`git ls-files -o | xargs rm -rf`:                          false,
		`git diff --name-only | xargs rm -rf`:                     true,
		`git diff --name-only --diff-filter=M | xargs rm -f`:      true,
		`for f in $(git diff --name-only); do rm -rf "$f"; done`:  true,
		`cd src && git diff --name-only | xargs rm -rf`:           false,
		`git diff --name-only HEAD~1 | xargs rm -rf`:              false,
		`git diff --name-only --cached | xargs rm -rf`:            false,
		`git diff --name-status | xargs rm -rf`:                   false,
		`git -C src diff --name-only | xargs rm -rf`:              false,
		`git ls-files src | while read f; do rm -rf "$f"; done`:   true,
		`find . -name __pycache__ -print0 | xargs -0 sudo rm -rf`: false,
		`find . -name __pycache__ | parallel rm -rf`:              false,
	} {
		if v := w.decide(text); (v.Step() != "2") != silent {
			t.Errorf("%s: step %s, silent wanted: %v: %s", text, v.Step(), silent, v.Reason())
		}
	}
}

// TestListingsSplit: one found name that a reader of the list takes for more, or for something else, keeps the question.
func TestListingsSplit(t *testing.T) {
	for _, name := range []string{"a b", "q *", "it's", `b\c`, "[x]", "a\nb", "${x}", "-rf", "t\tt"} {
		w := newBuilt(t)
		w.must(os.MkdirAll(w.at(name), 0o755))
		w.write("p/"+name+"/__pycache__/x.pyc", "x")
		for _, spelling := range spellings {
			whole := strings.Contains(spelling, "-exec") || strings.Contains(spelling, "-0") || strings.Contains(spelling, "IFS=")
			silent := whole || name == "-rf"
			text := strings.Replace(spelling, "F", ". -type d -name __pycache__", 1)
			if v := w.decide(text); (v.Step() != "2") != silent {
				t.Errorf("%q: %s: step %s, silent wanted: %v: %s", name, text, v.Step(), silent, v.Reason())
			}
		}
	}
}

// TestListingsIncluded: --include says which names grep prints, where it is one and nothing else says so.
func TestListingsIncluded(t *testing.T) {
	w := newBuilt(t)
	for include, silent := range map[string]bool{
		"--include='*.go' .": true, "--include '*.go' -e x . docs": true, "--include='*.go' --exclude-dir=docs .": true,
		"--include='*.nope' src": true, "--include='*.go' --include='*.go' .": true, "--include='*.py' lib": true,
		"--include='*' .": false, "--include='*.go' --include='*.py' lib src": false, "--exclude=x --include='*.go' .": false,
		"--include='*.go' --exclude='x' .": false, "--include='./*.go' .": false, "--include=\"$I\" .": false, "--include='*.go' lib/b.py src": false,
		"--include='*.go' -L .": true, "--include='*.go' -L new": true, "--include='*.[g]o' src": true, "--include='[!b]*' lib new": false,
	} {
		for _, text := range []string{"grep -rl x I | xargs rm -rf", "grep -rlZ x I | xargs -0 rm -rf", `for f in $(grep -rl x I | sort); do rm -rf "$f"; done`} {
			text = strings.Replace(text, "I", include, 1)
			if v := w.decide(text); (v.Step() != "2") != silent {
				t.Errorf("%s: step %s, silent wanted: %v: %s", text, v.Step(), silent, v.Reason())
			}
		}
	}
}

// TestListingsElsewhere: where a list is about other places or names than it seems, or its reader takes it otherwise.
func TestListingsElsewhere(t *testing.T) {
	w := newBuilt(t)
	w.write("p/src/a.go", "package changed\n")
	w.write("p/.npmrc", "x")
	w.write("p/dist/.env", "x")
	w.write("p/dist/o", "x")
	w.write("p/ignored/sub/notes", "x")
	w.write("p/pkg/a/node_modules/x src/a.go", "x")
	for _, text := range []string{
		"cd empty && find -P ../new -delete", "cd empty && find -O3 ../new -delete", "cd empty && find -- ../new -delete",
		"cd empty && find -E ../new -delete", "cd empty && find -xf .. -delete", "cd empty && find -P ../new | xargs rm -rf",
		"cd docs && git ls-files ../src | xargs rm -rf", "cd docs && git ls-files :/ | xargs rm -rf", "cd docs && git ls-files .. | xargs rm -rf",
		"find . -name a.go | xargs rm -rf", "rm -rf $(find pkg -name '*.go')", "grep -rl x pkg | xargs rm -rf",
		"find . -name .npmrc -delete", "find dist -type f -delete", "cd dist && find . -delete", "find . -name .env -exec rm -rf {} +",
		"find . -name '.e*' -exec rm -f {} +", "git clean -fx dist/.env", "rg --files ignored | xargs rm -rf",
		"cd ignored && rg --files | xargs rm -rf", "rg --files -g '*' new | xargs rm -rf", "fd . ignored | xargs rm -rf",
		`find . -name __pycache__ -print0 | while read d; do rm -rf "$d"; done`, "find . -name __pycache__ -print0 | xargs rm -rf",
		"find . -name __pycache__ | xargs -0 rm -rf", "find . -name __pycache__ -print0 | grep a | xargs rm -rf",
		"rm -rf $(find . -name __pycache__ -print0)", "find nowhere |& xargs rm -rf", "find nowhere |& sort | xargs rm -rf",
		"find nowhere | sort |& xargs rm -rf", "find lib/__pycache__ | xargs -I src -n2 rm -rf src", "find lib/__pycache__ | xargs -n $X rm -rf",
		`find lib/__pycache__ | while IFS=. read d; do rm -rf "$d"; done`, "rm -rf s*/^b.go", "rm -rf s*/*~b.go", "find ../ -maxdepth 0 -name .. -exec rm -rf {} +",
		"find lib -newer -name -exec rm -rf {} +",
		`while read d; do rm -rf "$d"; done < <(find . -name __pycache__; echo src)`, `while read d; do rm -rf "$d"; done < <(find . -name __pycache__) < src/b.go`,
		`while cd src; read d; do rm -rf "$d"; done < <(find . -name __pycache__)`, `while read -d _ d; do rm -rf "$d"; done < <(find . -name __pycache__)`,
		`while read -r -d '' d; do rm -rf "$d"; done < <(find . -name __pycache__)`, `while read -r d; do rm -rf "$d"; done < <(find . -name __pycache__ -print0)`,
		`while IFS= read -r -d '' d; do d=${d%%/*}; rm -rf "$d"; done < <(find lib -name __pycache__ -print0)`,
		`while IFS= read -r -d '' d e; do rm -rf "$d"; done < <(find . -name __pycache__ -print0)`, `while read d; do rm -rf "$d"; done < <(find . -name __pycache__ | sed s/__.*//)`,
		`exec 3< <(find . -name __pycache__); while read d <&3; do rm -rf "$d"; done`, `while read d; do rm -rf "$d"; done <(find . -name __pycache__)`,
		`while read -u 3 d; do rm -rf "$d"; done < <(find . -name __pycache__)`, `while read d; do rm -rf "$d"; done < <(cd lib; find . -name __pycache__)`,
		`d=$(find . -name __pycache__); rm -rf "$d"`, `d=$(find . -name __pycache__); d=src; rm -rf $d`, `d=$(find . -name __pycache__); d+=/..; rm -rf $d`,
		`d=$(find . -name __pycache__); rm -rf $d/..`, `d=$(find . -name __pycache__); rm -rf ${d%%_*}`, `d=$(find . -name __pycache__); IFS=_; rm -rf $d`,
		`IFS=_; rm -rf $(find . -name __pycache__)`, `d=$(find . -name __pycache__); cd lib; rm -rf $d`, `d=$(find . -name __pycache__ -print0); rm -rf $d`,
		`d=$(find . -name __pycache__); read d; rm -rf $d`, `d=$(find . -name __pycache__)src; rm -rf $d`, `d=$(find . -name __pycache__; echo src); rm -rf $d`,
		`d=$(find . -name __pycache__); eval "$X"; rm -rf $d`, `d=$(find . -name __pycache__); mv src lib/__pycache__; rm -rf $d`,
		`d=$(find . -name __pycache__); for d in src; do rm -rf $d; done`, `d=$(find . -name __pycache__); f() { d=src; }; f; rm -rf $d`,
		`d=$(find . -name __pycache__); while rm -rf $d; do d=src; done`, `d=$(find . -name __pycache__); trap 'd=src' USR1; rm -rf $d`,
		`d=src; if [ -n "$X" ]; then d=$(find . -name __pycache__); fi; rm -rf $d`, `declare -u d; d=$(find . -name __pycache__); rm -rf $d`,
		`declare -u d=$(find . -name __pycache__); rm -rf $d`, `d=$(find . -name nothing); rm -rf ${d:-src}`, `d=$(find . -name nothing); rm -rf ${d-src}`,
		`d=$(find . -name nothing); rm -rf ${d:=src}`, `d=$(find . -name __pycache__); rm -rf ${d:+src}`, `d=$(find . -name __pycache__); rm -rf ${d:0:5}`,
		`d=$(find . -name __pycache__); rm -rf ${d//_*/}`, `d=$(find . -name __pycache__); rm -rf ${!d}`, `d=$(find . -name __pycache__); rm -rf $d*`,
		`d=$(find . -name __pycache__); rm -rf src$d`, `d=$(find . -name __pycache__); d[0]=src; rm -rf $d`, `d=$(find . -name __pycache__); printf -v d src; rm -rf $d`,
		`d=$(find . -name __pycache__); source x; rm -rf $d`, `d=$(find . -name __pycache__); find lib -name __pycache__ | xargs -I{} rm -rf "$d"`,
		`d=$(find . -name __pycache__); find lib -name __pycache__ -exec rm -rf "$d" \;`, `d=$(find . -name __pycache__); for x in "$d"; do rm -rf "$x"; done`,
		`d=$(find . -name __pycache__); e=$d; rm -rf "$e"`, `d=$(find . -name __pycache__); for x in $d; do rm -rf "${x%%/*}"; done`,
		`d=$(find . -name __pycache__); rm -rf $(echo $d | sed s/__.*//)`, `d=$(find . -name __pycache__); set -- $d; rm -rf $1/..`,
		`d=$(find . -name __pycache__); sh -c 'rm -rf $d'`, `find() { echo src; }; d=$(find . -name __pycache__); rm -rf $d`, `d=$(command find . -name __pycache__; pwd); rm -rf $d`,
		`d=$(find . -name __pycache__) rm -rf $d`, `d=src; (d=$(find . -name __pycache__)); rm -rf $d`, `d=src; d=$(find . -name __pycache__) true; rm -rf $d`,
		`d=src; d=$(find . -name __pycache__) | cat; rm -rf $d`, `d=src; d=$(find . -name __pycache__) & rm -rf $d`, `d=src; false && d=$(find . -name __pycache__); rm -rf $d`,
		`d=$(find nowhere 2>&1); rm -rf $d`, `while read d; do rm -rf "$d"; done < <(find nowhere 2>&1)`, `d=$(find nowhere |& sort); rm -rf $d`,
		`d=$(find . -name __pycache__ | tee src/a.go); rm -rf $d`, `d=$(find . -name __pycache__ > src/a.go); rm -rf $d src`, `d=$(set -x; find . -name __pycache__); rm -rf $d`,
		`while read d; do rm -rf "$d"; done < <(find . -name __pycache__ | tee src/b.go)`, `while read -rd _ d; do rm -rf "$d"; done < <(find . -name __pycache__)`,
		`while IFS= read -rd '' d; do rm -rf $d/..; done < <(find . -name __pycache__ -print0)`, `alias find='echo src #'; while read d; do rm -rf "$d"; done < <(find . -name __pycache__)`,
		`PATH=.:$PATH; while read d; do rm -rf "$d"; done < <(find . -name __pycache__)`, `while read d; do rm -rf "$d"; done < <(./find . -name __pycache__)`,
		`cd lib; while read d; do cd ..; rm -rf "$d"; done < <(find . -name __pycache__)`, `d=$(cd lib; find . -name __pycache__); rm -rf $d`,
		`cd lib; d=$(find . -name __pycache__); cd ../src; rm -rf $d`, `shopt -s lastpipe; find . -name __pycache__ | read d; rm -rf "$d/.."`,
		`while read d; do rm -rf "$d"; done < <(find . -name __pycache__) <<< src`, `while read d; do rm -rf "$d"; done <<< src < <(find . -name __pycache__)`,
		`while read d <<< src; do rm -rf "$d"; done < <(find . -name __pycache__)`, `while read d < src/b.go; do rm -rf "$d"; done < <(find . -name __pycache__)`,
		`while { read d; d=src; }; do rm -rf "$d"; done < <(find . -name __pycache__)`, `while read d; do read d < src/b.go; rm -rf "$d"; done < <(find . -name __pycache__)`,
		`f() { rm -rf $1; }; d=$(find . -name __pycache__); f "$d" src`, `d=$(find . -name __pycache__); export d; sh -c 'rm -rf $d src'`,
		`declare -n d=e; d=$(find . -name __pycache__); e=src; rm -rf $d`, `d=$(find . -name __pycache__); unset d; rm -rf $d src`,
	} {
		if v := w.decide(text); v.Step() == "7" {
			t.Errorf("%s: step 7", text)
		}
	}
	for _, text := range []string{
		`while read d; do rm -rf "$d"; done < <(find . -name __pycache__)`, `d=$(find . -name __pycache__); rm -rf $d`,
		`while IFS= read -r -d '' d; do rm -rf "$d"; done < <(find . -name __pycache__ -print0)`, `d=$(find . -name nothing); rm -rf $d`,
		`find . -name __pycache__ -print0 | while IFS= read -rd '' d; do rm -rf "$d"; done`,
	} {
		if v := w.decide(text); v.Step() != "7" {
			t.Errorf("%s: step %s: %s", text, v.Step(), v.Reason())
		}
	}
	w.env = []string{"RIPGREP_CONFIG_PATH=/x"}
	if v := w.decide("rg --files lib/__pycache__ | xargs rm -rf"); v.Step() == "7" {
		t.Error("with options of rg in a file: step 7")
	}
}

// TestListingsOfPrograms: a program that removes what it finds, or unknown names that it goes through, is asked about
// like rm -r of them.
func TestListingsOfPrograms(t *testing.T) {
	w := newBuilt(t)
	for text, silent := range map[string]bool{
		"import os, glob\nfor f in glob.glob('docs/*'): os.remove(f)":                                     false,
		"import os\n[os.remove(f) for f in os.listdir('.')]":                                              false,
		"import os\nfor f in os.listdir('docs'): os.remove(os.path.join('docs', f))":                      false,
		"import os\nfor f in os.listdir('docs'): os.remove(f'docs/{f}')":                                  false,
		"import os\nfor f in os.listdir('docs'): os.remove('docs/%s' % f)":                                false,
		"import os\nfor f in os.listdir('docs'): os.remove('docs/{}'.format(f))":                          false,
		"import os\nos.chdir('docs')\nfor f in os.listdir(): os.remove(f)":                                false,
		"import os\nfor e in os.scandir('docs'): os.remove(e.path)":                                       false,
		"import os\nfor r, d, names in os.walk('docs'):\n  for n in names: os.unlink(os.path.join(r, n))": false,
		"from pathlib import Path\nfor p in Path('docs').glob('*'): p.unlink()":                           false,
		"from pathlib import Path\nfor p in Path('docs').iterdir(): p.unlink(missing_ok=True)":            false,
		"from pathlib import Path\nimport os\nfor p in Path('docs').rglob('*'): os.remove(str(p))":        false,
		"from pathlib import Path\nfor p in sorted(Path('docs').glob('*')): p.unlink()":                   false,
		"from pathlib import Path\nfor p in Path('docs').glob('*.md'): p.parent.rmdir()":                  false,
		"import shutil, glob\nfor d in glob.glob('s*'): shutil.rmtree(d)":                                 false,
		"import os, glob\nlist(map(os.remove, glob.glob('docs/*')))":                                      false,
		"import os\nfor line in open('list'): os.remove(line.strip())":                                    false,
		"import os\nfor row in rows: os.remove(row['path'])":                                              false,
		"import os\nfor i in range(9): os.remove(names[i])":                                               false,
		"import os\nnames = []\nfor n in names: os.remove(n)":                                             false,
		"import shutil\nfor d in stale(): shutil.rmtree(d)":                                               false,
		"import os, glob\nfor f in glob.glob(top + '/*'): os.remove(f)":                                   false,
		"import os\nos.remove('new')":                                                                     true,
		"import os\nos.remove(name)":                                                                      true,
		"import os\nfor f in ['new', 'docs/a.md']: os.remove(f)":                                          true,
		"import os, glob\nfor f in glob.glob('*.x'): os.rename(f, f + '.old')":                            true,
		"names = []\nfor n in rows: names.remove(n)":                                                      true,
		"for u in users: u.delete()":                                                                      true,
		"for f in files: print(f)":                                                                        true,
	} {
		if v := w.decide("python3 -c \"" + text + "\""); (v.Step() != "2") != silent {
			t.Errorf("%s: step %s, silent wanted: %v: %s", text, v.Step(), silent, v.Reason())
		}
	}
	for _, text := range []string{
		`node -e "const fs = require('fs'); fs.readdirSync('docs').forEach(f => fs.unlinkSync('docs/' + f))"`,
		`node -e "const fs = require('fs'); for (const f of names) fs.unlinkSync(path.join('docs', f))"`,
		`node -e "const fs = require('fs'); for (let i = 0; i < 9; i++) fs.unlinkSync(names[i])"`,
		`node -e "const fs = require('fs'); names.forEach(fs.unlinkSync)"`,
		`ruby -e "Dir.glob('docs/*').each { |f| File.delete(f) }"`, `ruby -e "Dir['docs/*'].each { |f| File.delete(f) }"`,
		`ruby -e "File.delete(*Dir['docs/*'])"`, `ruby -e "require 'fileutils'; FileUtils.rm(Dir.glob('docs/*'))"`,
		`perl -e "unlink glob('docs/*')"`, `perl -e "unlink <docs/*>"`, `perl -e 'foreach my $f (glob "docs/*") { unlink $f }'`,
		`php -r 'foreach (glob("docs/*") as $f) { unlink($f); }'`,
	} {
		if v := w.decide(text); v.Step() != "2" {
			t.Errorf("%s: step %s", text, v.Step())
		}
	}
}
