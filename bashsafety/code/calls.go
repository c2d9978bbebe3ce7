package code

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A does says what a call does with its arguments, or what it is worth. Pairs of letters are acts: d removes, t
// removes with all that is below, w writes, r reads; 0 is the first argument, 1 the second, * all, + all but the
// first, n the one that is called file, s the path whose method it is, S the same where nothing but a path has it.
// The others:
//
//	runs     a list, or texts in a row, are an argv; one text is for a shell
//	text     the first argument alone is what is run
//	argv0    execlp: a file, then an argv with its own name; argv1: the same after a mode
//	build    a command to which arguments are added; add: such an argument
//	self     runs the value whose method it is: "rm x".execute()
//	eval     code of the same language
//	told     removes; with all that is below, where an option says so: recursive
//	open     the first, as a mode says that comes second; openself: the path whose method it is; openperl: open of Perl
//	query    a statement for a database; ask: that, or else as runs
//	fetch    asks a server
//	join     makes a path of its arguments
//	same     is its first argument, or the value whose method it is
//	find     the names that a pattern finds; below: all that is below a path
//	glue     makes a text of the items of a list
//	attr     is what a name in a text names of the first
//	named    the third and what follows are an argv; third: that is a text; keyed: a list after :command
//	list     a list of its arguments; split: of the words of a text
//	load     a module by its name
//	home     the home
//	variable one of the environment, or all without an argument; all: all, where its argument is that; tells: all, told
//	each     calls the function that the first argument names on the second
type does string

// A row says what calls of some names do. A name without a dot is the last part of any, one with dots what any ends
// in, and one that begins with a dot a method of a value that is known.
type row struct {
	lang Lang
	does does
	name string
}

// rows is the one table of calls. What a language has twice is the first here.
var rows = [...]row{
	{every, "fetch", "urlopen requests.get requests.post requests.request httpx.get httpx.post fetch URI.open Net.HTTP.get LWP.Simple.get http.get https.get axios.get axios axios.post got " +
		"urlretrieve Net.HTTP.get_response HTTParty.get Faraday.get URI.parse recv recvfrom TCPSocket.new TCPSocket.open"},
	{Perl, "fetch", "get"},
	{Python, "eval", "exec eval compile"},
	{every, "chdir", "chdir os.Chdir setwd set_current_dir"},
	{JavaScript, "same", "promisify"},
	{scripting, "part", ".slice"},
	{JavaScript, "eval", "eval Function runInNewContext runInThisContext"},
	{Perl | PHP | Ruby, "eval", "eval instance_eval class_eval"},
	{Perl, "openperl", "open"},
	{every, "text", "popen shell_exec passthru getoutput getstatusoutput execSync system_shell popen4 create_subprocess_shell shell-command-to-string " +
		"async-shell-command shell-command call-process-shell-command os.cmd doShellScript callCommand exec.sync shelljs.exec Bun.$ $ $.sync io.popen " +
		"os.execute Sys.command script pty.spawn io.read_pipe syscmd esyscmd shell.exec"},
	{Python, "argv0", "os.execl os.execlp os.execle os.execlpe os.execv os.execvp os.execve os.execvpe os.posix_spawn os.posix_spawnp execl execlp execv execvp"},
	{C, "argv0", "execl execlp execv execvp posix_spawn"},
	{Python, "argv1", "os.spawnl os.spawnlp os.spawnle os.spawnlpe os.spawnv os.spawnvp os.spawnve os.spawnvpe"},
	{Rust | C | JVM, "build", "Command.new ProcessBuilder"},
	{every, "add", ".arg .args .command"},
	{JVM, "self", ".execute .lazyLines .run"},
	{every, "query", "executescript executemany query statement unprepared raw unsafe batch exec_query select_all $executeRawUnsafe executeRawUnsafe " +
		"$executeRaw $queryRaw $queryRawUnsafe queryRawUnsafe execute_sql read_sql sql"},
	{Lisp, "named", "start-process start-file-process"},
	{Lisp, "third", "start-process-shell-command start-file-process-shell-command"},
	{Lisp, "keyed", "make-process make-pipe-process"},
	{ML, "text", "pipeline"},
	{every, "ask", "run exec execute"},
	{every, "runs", "system Popen call check_call check_output execFile execFileSync spawn spawnSync proc_open pcntl_exec execl execlp execv execvp Command sh shell cmd " +
		"runCommand readProcess callProcess rawSystem system2 unix dos subprocess Process call-process start-process run-shell-command run-program process-lines " +
		"process-file capture2 capture2e capture3 popen2 popen2e popen3 pipeline pipeline_r pipeline_w pipeline_start create_subprocess_exec execa execaSync execaCommand " +
		"execaCommandSync execaNode exec.Command CommandContext StartProcess cross-spawn os.startfile execvpe ProcessBuilder Deno.run system* exit-code process* open-pipe* open-pipe open-input-pipe open-output-pipe launch-program"},
	{every, "glue", ".join"},
	{Python, "attr", "getattr"},
	{Ruby, "each", "send public_send __send__"},
	{PHP, "each", "call_user_func call_user_func_array array_map array_walk array_filter"},
	{Python, "each", "map"},
	{JavaScript, "each", "forEach map .forEach .map"},
	{Perl | PHP | Ruby, "d*", "unlink rmdir"},
	{Python, "d*", "os.remove os.unlink os.rmdir os.removedirs Path.unlink Path.rmdir"},
	{JavaScript, "d*", "unlinkSync fs.unlink promises.unlink unlink trashSync"},
	{Ruby, "d*", "File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink FileUtils.rm FileUtils.rm_f rm_f remove_file FileUtils.rmdir"},
	{Lua | Go | ML | C, "d*", "os.remove Remove Sys.remove remove unlink Unix.unlink"},
	{R, "d*", "file.remove"},
	{Elixir, "d*", "File.rm File.rmdir"},
	{Lisp, "d*", "delete-file"},
	{Rust, "d*", "fs.remove_file fs.remove_dir remove_file remove_dir"},
	{JVM, "d*", "Files.delete Files.deleteIfExists"},
	{R, "told", "unlink"},
	{every, "t*", "rmtree remove_tree rm_rf rm_r rimraf rimrafSync rimraf.sync rimraf.rimraf removeSync removeItem remove_dir_all RemoveAll delete-directory " +
		"remove_entry_secure remove_dir fs.remove emptyDirSync fs.emptyDir deltree remove_entry"},
	{every &^ R, "told", "rmSync rmdirSync fs.rm fs.rmdir promises.rm promises.rmdir Deno.remove Deno.removeSync rm"},
	{scripting | JVM | R, "dS", ".unlink .rmdir"},
	{scripting | JVM | R, "ds", ".delete .remove"},
	{every, "tS", ".rmtree .deleteDir .deleteRecursively .rmtree_p .removedirs"},
	{every, "w0", "writeFile writeFileSync appendFile appendFileSync outputFile outputFileSync outputJson writeJson createWriteStream writeTextFile writeTextFileSync Bun.write " +
		"file_put_contents File.write IO.write binwrite os.truncate truncateSync fs.truncate os.chmod os.chown os.utime os.mkdir os.makedirs os.mkfifo mkdirSync " +
		"fs.mkdir promises.mkdir Deno.mkdir Deno.mkdirSync ensureDirSync ensureFileSync chmodSync fs.chmod promises.chmod utimesSync chownSync Deno.chmod mkdir mkdir_p mkpath " +
		"make_path touch WriteFile os.Create Truncate Chmod Mkdir MkdirAll Chown fs.write File.create create_dir create_dir_all set_permissions spit dir.create file.create sink " +
		"write-region append-to-file make-directory set-file-modes Files.write Files.writeString Files.createFile lchmod lchown logging.FileHandler to_file write_text save_file openSync.w"},
	{R, "wn", "cat"},
	{R, "w+", "write writeLines write.csv saveRDS"},
	{Python, "wn", "logging.basicConfig"},
	{PHP, "w0", "chmod chown touch mkdir ftruncate"},
	{Perl, "w0", "truncate"},
	{Perl | Ruby, "w+", "chmod chown utime File.chmod File.chown File.utime FileUtils.chmod FileUtils.chmod_R FileUtils.chown chmod_R chown_R"},
	{scripting, "ws", ".write_text .write_bytes .touch .mkdir .chmod .symlink_to .hardlink_to .link_to .write .binwrite .truncate .mkpath .open_w"},
	{JVM, "ws", ".write .append .writeText .mkdirs .mkdir .createNewFile .setText"},
	{every, "r0w1", "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.copymode copyFile copyFileSync cpSync fs.cp promises.cp fs.copy copySync fs.copySync os.link os.symlink " +
		"symlinkSync linkSync fs.symlink fs.link promises.symlink symlink link FileUtils.cp FileUtils.cp_r FileUtils.copy FileUtils.ln_s FileUtils.ln_sf ln_s ln_sf cp_r File.symlink File.link copy " +
		"file.copy File.cp File.cp_r copy-file make-symbolic-link Symlink fs.copy hard_link Files.copy file.symlink IO.copy_stream"},
	{every, "d0w1", "os.rename os.renames os.replace shutil.move renameSync fs.rename promises.rename fs.move moveSync Deno.rename Deno.renameSync rename File.rename FileUtils.mv mv move " +
		"file.rename Rename rename-file Files.move Sys.rename"},
	{Python | Ruby | JVM, "dsw0", ".rename .replace .renameTo .move"},
	{scripting | Lua | R, "open", "open fopen openSync File.open File.new io.open codecs.open gzip.open file gzfile SplFileObject fs.open promises.open"},
	{scripting, "openself", ".open"},
	{every, "r0", "readFile readFileSync createReadStream readTextFile readTextFileSync Deno.readFile Bun.file file_get_contents readfile fpassthru File.read File.readlines File.binread IO.read IO.readlines " +
		"IO.binread File.foreach readLines readRDS scan slurp ReadFile os.Open read_to_string Files.readString Files.readAllLines Source.fromFile linecache.getlines read_csv loadtxt " +
		"insert-file-contents Files.lines show_source highlight_file fs.read parse_ini_file YAML.load_file io.lines dofile readJsonSync readJson"},
	{scripting, "rs", ".read_text .read_bytes .read .readlines .binread .each_line .getText .readText"},
	{every, "join", "os.path.join path.join path.resolve File.join file.path filepath.Join Path Path.of Paths.get Pathname PurePath join_paths joinpath Path.join posix.join catfile catdir " +
		".joinpath .join_path expand-file-name .resolve File os.path.abspath os.path.realpath"},
	{every, "same", "expanduser path.expand File.expand_path expand_path untildify .expanduser os.path.expandvars Path.expand str String text shQuote sql fspath normpath abspath realpath bytes b .strip .encode .decode .trim .toString .to_s .read .text .body .json .content .then .get .chomp .as_posix " +
		".absolute .resolve .freeze .concat .String .quote escapeshellarg .data .arrayBuffer to_charlist .clone .unwrap .split_once .lstrip .rstrip"},
	{every, "find", "glob glob.glob glob.iglob Dir.glob Sys.glob sync.glob globSync Dir fs.globSync filepath.Glob list.files"},
	{scripting, "find", ".glob .iterdir .children .each_child"},
	{scripting, "below", ".rglob .walk os.walk walkSync Find.find fs.walk .find"},
	{every, "find", "os.listdir os.scandir readdirSync readdir Dir.children Dir.entries Dir.each_child Dir.foreach"},
	{every, "list", "c list List.of Arrays.asList Seq Array listOf arrayOf List cons vec array"},
	{every, "split", "shlex.split .split Shellwords.split shellsplit shell_split"},
	{every, "load", "require import __import__ importlib.import_module import_module use"},
	{every, "all", "os.environ.copy environ.copy Object.assign dict Object.keys keys append os.environ.keys Object.fromEntries len"},
	{every, "tells", "os.environ.items os.environ.values environ.items environ.values ENV.to_h ENV.to_a ENV.to_json ENV.to_hash ENV.each ENV.each_pair ENV.inspect ENV.map ENV.sort ENV.select ENV.filter ENV.to_s"},
	{every, "home", "os.homedir homedir Path.home Dir.home home UserHomeDir Deno.homeDir user_home"},
	{every, "variable", "getenv os.getenv os.environ.get env.get ENV.fetch process.env.get Sys.getenv System.getenv System.get_env Deno.env.get Deno.env.toObject os.Getenv os.Environ environ.get " +
		"System.getProperty ENV.get"},
}

// find is what the calls of a name do, "" for any other.
func (p *parser) find(name string) does {
	what, ok := p.names[name]
	if !ok {
		if what = p.lang.find(name); len(p.names) < 8*maxActs {
			p.names[name] = what
		}
	}
	return what
}

func (l Lang) find(name string) does {
	name = strings.TrimRight(name, "!?")
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last == "" {
		return ""
	}
	for i := range rows {
		r := &rows[i]
		if !r.lang.is(l) || !strings.Contains(r.name, last) {
			continue
		}
		if !strings.HasPrefix(name, ".") && shell.Among(r.name, last) {
			return r.does
		}
		for tail := name; ; {
			if shell.Among(r.name, tail) {
				return r.does
			}
			_, rest, ok := strings.Cut(tail, ".")
			if !ok || !strings.Contains(rest, ".") || tail[0] == '.' {
				break
			}
			tail = rest
		}
	}
	return ""
}

// known reports whether a name is one of the table.
func (p *parser) known(name string) bool { return p.find(name) != "" }

// act notes what a call does with some values, as far as these say.
func (p *parser) act(verb Verb, values ...value) {
	p.out.Changes = p.out.Changes || verb >= Removes && verb <= Writes
	if p.out.built >= maxBuilt {
		return
	}
	a, removes := Act{Verb: verb}, verb == Removes || verb == RemovesTree
	for i := range values {
		v := &values[i]
		switch {
		case v.kind == aList:
			for k := range v.items {
				in := &v.items[k]
				if removes && in.kind == 0 && in.many {
					in = &value{kind: aText, text: hole("").text, many: true}
				}
				if in.kind == aText && (k >= len(v.keys) || v.keys[k] == "") {
					a.Words = append(a.Words, Word{word(in.text), in.glob || removes && in.many})
				}
			}
		case verb == RunsShell && v.kind == aText:
			a.Words = append(a.Words, Word{shellText(v.text), false})
		case v.kind == aText:
			a.Words = append(a.Words, Word{word(v.text), v.glob || removes && v.many})
		case removes && v.kind == 0 && v.many:
			a.Words = append(a.Words, Word{shell.HoleMark, true})
		case verb == RunsArgv:
			a.Words = append(a.Words, Word{shell.HoleMark, false})
		}
	}
	size := itemSize
	for i := range a.Words {
		size += itemSize + len(a.Words[i].Text)
	}
	for _, dir := range append([]value{{}}, p.out.dirs...) {
		a.Dir = Word{word(dir.text), false}
		switch {
		case len(a.Words) == 0 && verb < RunsDownload:
		case len(p.out.Acts) < maxActs && p.out.spend(size):
			p.out.Acts = append(p.out.Acts, a)
		default:
			p.out.Cut = true
		}
	}
}

// argv notes the command of some values.
func (p *parser) argv(values ...value) {
	flat := p.flat(values)
	if len(flat) > 0 && flat[0].kind == aText && !strings.HasPrefix(flat[0].text, shell.HoleMark) {
		p.act(RunsArgv, flat...)
	}
}

// runs notes what a value that is run is: a list is an argv, a text for a shell.
func (p *parser) runs(v value) {
	switch {
	case v.fetch:
		p.act(RunsDownload)
	case v.kind == aList && v.keys == nil && len(v.items) > 0:
		p.argv(v)
	case v.kind == aText:
		p.act(RunsShell, v)
	}
}
