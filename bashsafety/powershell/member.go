package powershell

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// postfix reads what follows an operand: .Member, .Method( ), [index], ::Member.
func (p *psParser) postfix(v psWord, from int) psWord {
	if v.bare {
		v.bare = false
	} else {
		p.sets = append(p.sets, psTarget{member: "?"})
	}
	for p.i < len(p.s) {
		made := psHole(from, p.i)
		switch {
		case p.at("["):
			p.index()
			made.kind = v.each()
		case p.at("::"):
			p.i += 2
			p.member("?", v, from)
		case p.at(".") && psNamesMember(p.peek(1)):
			p.i++
			made = p.member("", v, from)
			if strings.HasPrefix(strings.ToLower(p.s[from:p.i]), "$profile.") { // $PROFILE.AllUsersAllHosts
				made.partly = v.partly
			}
		case p.at("++", "--"):
			p.i += 2
			if n := len(p.sets); n > 0 {
				p.set(p.sets[n-1], nil)
			}
		default:
			return v
		}
		v = made
		v.Span.End = p.i
	}
	return v
}

// psNamesMember reports whether a byte after a point begins the name of a member.
func psNamesMember(c byte) bool {
	return psNameStart(c) || strings.IndexByte("$({'\"", c) >= 0
}

// psNameStart reports whether a byte may begin the name of a parameter or member.
func psNameStart(c byte) bool { return psName(c) && !digit(c) }

// target replaces what the operand that is read could assign to.
func (p *psParser) target(t psTarget) {
	if n := len(p.sets); n > 0 {
		p.sets[n-1] = t
	}
}

func (p *psParser) index() {
	p.i++
	if !p.enter() {
		return
	}
	sets := p.sets
	p.sets = nil
	p.blank(true)
	p.expression()
	p.sets = sets
	p.depth--
	if n := len(sets); n > 0 && sets[n-1].variable != "" && !shell.Listed(psHooks, sets[n-1].variable) {
		p.target(psTarget{member: "[]"})
	} else if n > 0 && sets[n-1].variable+sets[n-1].typ == "" && sets[n-1].member != "?" && !sets[n-1].static {
		p.target(psTarget{member: "[] of a member"})
	}
	if p.blank(true); p.peek(0) != ']' {
		p.broken("an unclosed index")
		return
	}
	p.i++
}

// member reads the name after . or ::, and the arguments of a call. kind is the
// type before ::, "" for a member of an object. What is not in the tables
// is code that may do anything. The answer is what is known of the value.
func (p *psParser) member(kind string, of psWord, from int) psWord {
	name := ""
	switch c := p.peek(0); {
	case psName(c):
		at := p.i
		for psName(p.peek(0)) {
			p.i++
		}
		name = strings.ToLower(p.s[at:p.i])
	case strings.IndexByte("$'\"({", c) >= 0:
		sets := p.sets
		p.memberName()
		p.sets = sets
	}
	p.target(psTarget{member: name, static: kind != ""})
	called := p.peek(0) == '(' || p.peek(0) == '{'
	switch {
	case kind != "":
		spelled := kind + "::" + name
		p.target(psTarget{member: spelled, static: true})
		if !psStatic(kind, name) {
			p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "["+kind+"]::"+name, from)
		}
	case called && !p.harmless(name, of):
		p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "."+name+"()", from)
	case !called && name == "":
		p.doubt(analysis.DoubtPowerShell, shell.HidesNothing, "a property with an unknown name", from)
	}
	if called && p.peek(0) == '(' {
		first := p.arguments()
		if shell.Listed(psReaders, kind) && psStatic(kind, name) && !shell.Listed(psNoRead, name) {
			p.listFile(&first)
		}
	}
	made := psHole(from, p.i)
	switch {
	case name == "fullname" && !called && of.under != "":
		made.Text, made.Down = of.under+shell.HoleMark, true // the folder may be the file itself
	case name == "path" && !called && of.here:
		made.folder = of.folder
	}
	switch {
	case shell.Listed("new startnew", name):
		made.kind = kindOf(kind)
	case shell.Listed(psTextMembers, name), shell.Listed(psPlainTypes, kind) && psStatic(kind, name):
		made.kind = psTexts
	}
	return made
}

// memberName reads the name of a member that is not written plainly.
func (p *psParser) memberName() {
	switch p.peek(0) {
	case '$':
		p.variable()
	case '(':
		p.paren()
	case '{':
		p.scriptBlock()
	default:
		p.quoted()
	}
}

// harmless reports whether calling a method by this name does nothing but make
// a value, whatever the object is, or on the string it is called on.
func (p *psParser) harmless(name string, of psWord) bool {
	switch name {
	case "foreach", "where": // with a script block, whose commands are listed
		i := p.i + 1
		for i < len(p.s) && strings.IndexByte(" \t\r\n", p.s[i]) >= 0 {
			i++
		}
		return p.peek(0) == '{' || i < len(p.s) && p.s[i] == '{'
	case "":
		return false
	}
	return shell.Listed(psMethods, name) || shell.Listed(string(of.kind), name)
}

// arguments reads (expression, ...) and returns the first.
func (p *psParser) arguments() (first psWord) {
	p.i++
	if !p.enter() {
		return first
	}
	sets, blocks := p.sets, p.blocks
	p.blocks = nil
	if p.blank(true); p.peek(0) != ')' {
		p.sets = nil
		first = p.operands(false)
		if p.blank(true); p.at(",") {
			p.i++
			p.blank(true)
			p.expression()
		}
	}
	p.sets, p.blocks = sets, blocks
	p.depth--
	if p.blank(true); p.peek(0) != ')' {
		p.broken("unterminated call arguments")
		return first
	}
	p.i++
	return first
}

// The tables of what of .NET only makes a value, or reads the file or folder that is
// its first argument. They prove it; what is not listed is a doubt. Each member is on
// the page of its type, https://learn.microsoft.com/dotnet/api/system.TYPE.
const (
	// psTypes are types that a value may be turned into.
	psTypes = "string int int16 int32 int64 long uint uint16 uint32 uint64 short byte sbyte char bool boolean " +
		"double single float decimal datetime datetimeoffset timespan guid version array object psobject " +
		"pscustomobject management.automation.pscustomobject ordered hashtable collections.hashtable regex uri xml " +
		"void switch switchparameter management.automation.switchparameter ref bigint numerics.biginteger " +
		"ipaddress net.ipaddress math convert text.encoding collections.arraylist semver io.fileinfo " +
		"io.directoryinfo nullable exception"
	// psAttributes may be written over parameters.
	psAttributes = "parameter cmdletbinding alias outputtype validateset validaterange validatepattern " +
		"validatelength validatecount validatenotnull validatenotnullorempty validatenotnullorwhitespace " +
		"validatescript allownull allowemptystring allowemptycollection supportswildcards scriptblock"
	// psMethods make a value of whatever object they are called on.
	psMethods = "tostring trim trimstart trimend split substring startswith endswith contains indexof lastindexof " +
		"tolower toupper tolowerinvariant toupperinvariant padleft padright equals gettype gethashcode compareto " +
		"add addrange containskey containsvalue clone toarray tochararray adddays addhours addminutes addseconds " +
		"addmonths addyears addmilliseconds subtract touniversaltime tolocaltime toshortdatestring " +
		"tolongdatestring getenumerator matches ismatch normalize append appendline tolist getbytes getstring " +
		"waitforexit computehash findall getproperty enumeratearray enumerateobject"
	// psPlainTypes are types whose members make strings, numbers and dates.
	psPlainTypes = "string char io.path io.file regex text.regularexpressions.regex environment guid datetime uri " +
		"web.httputility net.webutility bitconverter"
	// psReaders are types whose members read a file or folder, except psNoRead.
	psReaders = "io.file io.directory management.automation.language.parser parser diagnostics.fileversioninfo " +
		"reflection.assemblyname"
	psNoRead = "exists getlastwritetime getcreationtime getattributes getcurrentdirectory parseinput new"
	// psTextMembers are properties and methods whose value is a string.
	psTextMembers = "name fullname basename extension line path value message key source version replace remove " +
		"insert tostring trim trimstart trimend split substring tolower toupper tolowerinvariant toupperinvariant " +
		"padleft padright content directoryname pspath"
	// psHooks are variables that change how commands run.
	psHooks = "psdefaultparametervalues executioncontext psmoduleautoloadingpreference psnativecommandargumentpassing"
	// psTouching are properties that change a file when they are assigned.
	psTouching = "isreadonly attributes lastwritetime lastwritetimeutc creationtime creationtimeutc lastaccesstime " +
		"lastaccesstimeutc unixfilemode target ?"
)

// A psStaticRow lists what a type has that only makes a value; * is all of it.
type psStaticRow struct{ types, members string }

var psStatics = [...]psStaticRow{
	{"math numerics.biginteger bigint char convert bitconverter timespan version stringcomparison stringsplitoptions stringcomparer globalization.cultureinfo", "*"},
	{"text.encoding text.regularexpressions.regexoptions dayofweek net.securityprotocoltype consolecolor io.searchoption web.httputility net.webutility", "*"},
	{"string", "join isnullorempty isnullorwhitespace format compare concat empty equals"},
	{"int int16 int32 int64 long uint uint32 uint64 byte double single float decimal bool", "parse tryparse maxvalue minvalue"},
	{"datetime datetimeoffset", "now utcnow today parse parseexact tryparse minvalue maxvalue fromunixtimeseconds fromunixtimemilliseconds unixepoch isleapyear daysinmonth"},
	{"guid", "newguid empty parse tryparse"},
	{"environment", "newline machinename osversion processorcount is64bitoperatingsystem is64bitprocess currentdirectory username userdomainname version " +
		"getfolderpath getenvironmentvariable systemdirectory tickcount"},
	{"environment.specialfolder environmentvariabletarget runtime.interopservices.architecture", "*"},
	{"runtime.interopservices.runtimeinformation", "osdescription osarchitecture processarchitecture frameworkdescription isosplatform"},
	{"io.path", "combine join getfilename getdirectoryname getextension getfilenamewithoutextension gettemppath getfullpath getrandomfilename " +
		"getpathroot ispathrooted getrelativepath changeextension directoryseparatorchar pathseparator"},
	{"io.file", "exists readalltext readalllines readallbytes readlines getlastwritetime getcreationtime getattributes"},
	{"io.directory", "exists getcurrentdirectory getfiles getdirectories enumeratefiles enumeratedirectories getlastwritetime"},
	{"management.automation.language.parser parser", "parsefile parseinput"}, // the short one is known after using namespace
	{"management.automation.psparser", "tokenize"},
	{"diagnostics.fileversioninfo", "getversioninfo"},
	{"reflection.assemblyname", "getassemblyname"},
	{"security.cryptography.sha256 security.cryptography.sha1 security.cryptography.sha512 security.cryptography.md5", "create hashdata"},
	{"text.json.jsondocument", "parse"},
	{"uri", "escapedatastring unescapedatastring iswellformeduristring trycreate"},
	{"net.dns", "gethostname"},
	{"regex text.regularexpressions.regex", "match matches ismatch replace split escape unescape"},
	{"array", "indexof reverse sort"},
	{"console", "outputencoding inputencoding writeline write out error foregroundcolor backgroundcolor windowwidth bufferwidth"},
	{"net.servicepointmanager", "securityprotocol"},
	{"diagnostics.stopwatch", "startnew getelapsedtime frequency"},
	{"collections.generic.list collections.generic.hashset collections.generic.dictionary collections.arraylist text.stringbuilder " +
		"collections.generic.queue collections.generic.stack text.utf8encoding collections.hashtable random datetime timespan version uri " +
		"pscustomobject string exception argumentexception invalidoperationexception", "new"},
}

// psSettable are the members of types that may be assigned.
const psSettable = "console::outputencoding console::inputencoding console::foregroundcolor " +
	"net.servicepointmanager::securityprotocol"

// psStatic reports whether [kind]::name only makes a value.
func psStatic(kind, name string) bool {
	if name == "" {
		return false
	}
	kind, _, _ = strings.Cut(kind, "[")
	for i := range psStatics {
		row := &psStatics[i]
		if shell.Listed(row.types, kind) && (row.members == "*" && name != "new" || shell.Listed(row.members, name)) {
			return true
		}
	}
	return false
}

// psType reports whether turning a value into a type, or making one, only makes a value.
func psType(name string) bool {
	base, rest, generic := strings.Cut(name, "[")
	if strings.TrimRight(rest, "], ") == "" {
		generic = false // an array
	}
	if !generic {
		return shell.Listed(psTypes, base)
	}
	return psStatic(base, "new")
}

// typed reads [type], [type]::member or [type]operand.
func (p *psParser) typed() psWord {
	from := p.i
	name := p.typeName()
	if p.at("::") {
		p.sets = append(p.sets, psTarget{})
		p.i += 2
		v := p.member(name, psWord{}, from)
		v.bare = true
		return p.postfix(v, from)
	}
	if p.blank(false); !p.valueFollows() {
		v := psHole(from, p.i) // a type by itself
		v.bare = true
		p.sets = append(p.sets, psTarget{})
		return p.postfix(v, from)
	}
	if !psType(name) {
		p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "["+name+"]", from)
	}
	if name == "ref" {
		p.facts.byRef = true
	}
	p.unaries()
	one := p.operand()
	v := psHole(from, p.i)
	if n := len(p.sets); n > 0 && p.sets[n-1].variable != "" {
		p.facts.byRef = p.facts.byRef || name == "ref"
		p.sets[n-1].typ = name
	}
	if name == "string" && one.list == nil && (one.Known || one.kind == psTexts) {
		v = one
	}
	v.kind = kindOf(name)
	return v
}

// valueFollows reports whether what follows a type is a value to convert.
func (p *psParser) valueFollows() bool {
	r, _ := p.rune()
	if psQuote(r) || strings.ContainsRune("$([{@!", r) || p.number() > 0 {
		return true
	}
	return r == '-' && p.peek(1) != '-' && p.operator() == ""
}

// typeName reads [Name], in lower case and without System.; the cursor ends
// past the bracket, or before the ( of an attribute.
func (p *psParser) typeName() string {
	p.i++
	from, open := p.i, 1
	for p.i < len(p.s) && open > 0 {
		switch c := p.s[p.i]; {
		case c == '[':
			open++
		case c == ']':
			open--
		case c == '(' && open == 1:
			return psTypeName(p.s[from:p.i])
		case !psName(c) && strings.IndexByte(".,+ `\t", c) < 0:
			p.broken("a type name")
			return "?"
		}
		p.i++
	}
	if open > 0 {
		p.broken("an unterminated type name")
		return "?"
	}
	return psTypeName(p.s[from : p.i-1])
}

func psTypeName(s string) string {
	return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), "system.")
}
