package powershell

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A psDoes says what a cmdlet does. The zero value only makes objects.
type psDoes uint8

const (
	psMakes     psDoes = iota
	psReads            // files
	psWrites           // files
	psAppears          // a new file, folder or link
	psDeletes          // files
	psCopies           // to a destination
	psRelocates        // moves to a destination
	psRenames          // a file in its folder
	psMoves            // the working directory
	psFetches          // a URL
	psImports          // runs a file or a module
	psStarts           // runs a program
	psDefines          // gives a command a new meaning
	psBuilds           // makes an object of a type
	psEach             // runs a script block, or a method by its name
)

// A cmdlet is what is known of one cmdlet. Parameters are blank-separated.
type cmdlet struct {
	name    string
	aliases string
	does    psDoes
	paths   string // parameters that name the files
	pos     string // what words without a parameter are, in order
	flags   string // parameters without a value
	// reads are the parameters with a value with which, and with flags, paths and pos, all it does is to read or to
	// make objects; "" proves nothing.
	reads string
}

const (
	psPath   = "Path LiteralPath PSPath"
	psSwitch = "Force Recurse Verbose Debug WhatIf Confirm PassThru"
	psCommon = "ErrorAction WarningAction InformationAction ProgressAction OutBuffer"
	psSieve  = "Filter Include Exclude"
)

// cmdletOf finds a cmdlet by its name or an alias, in lower case.
func cmdletOf(name string) *cmdlet {
	for i := range cmdlets {
		c := &cmdlets[i]
		if len(c.name) == len(name) && strings.EqualFold(c.name, name) || shell.Listed(c.aliases, name) {
			return c
		}
	}
	return nil
}

// cmdlets are the cmdlets that are known, with the aliases of Windows PowerShell.
var cmdlets = [...]cmdlet{
	{"Get-Content", "gc cat type", psReads, psPath, "Path", "Raw Wait AsByteStream", psSieve + " TotalCount First Head Tail Last ReadCount Encoding Delimiter"},
	{"Get-ChildItem", "gci ls dir", psReads, psPath, "Path Filter", "Name File Directory Hidden System ReadOnly FollowSymlink", "Include Exclude Depth Attributes"},
	{"Get-Item", "gi", psReads, psPath, "Path", "", psSieve},
	{"Get-ItemProperty", "gp", psReads, psPath, "Path Name", "", psSieve},
	{"Get-ItemPropertyValue", "gpv", psReads, psPath, "Path Name", "", psSieve},
	{"Test-Path", "", psReads, psPath, "Path", "IsValid", psSieve + " PathType NewerThan OlderThan"},
	{"Resolve-Path", "rvpa", psReads, psPath, "Path", "Relative", "RelativeBasePath"},
	{"Convert-Path", "cvpa", psReads, psPath, "Path", "", psCommon},
	{"Select-String", "sls", psReads, psPath, "Pattern Path", "SimpleMatch CaseSensitive Quiet List AllMatches NotMatch NoEmphasis Raw", "InputObject Context Encoding Include Exclude Culture"},
	{"Import-Csv", "ipcsv", psReads, psPath, "Path Delimiter", "UseCulture", "Header Encoding"},
	{"Import-Clixml", "", psReads, psPath, "Path", "", ""},
	{"Import-PowerShellDataFile", "", psReads, psPath, "Path", "", psCommon},
	{"Get-FileHash", "", psReads, psPath, "Path", "", "Algorithm"},
	{"Get-Acl", "", psReads, psPath, "Path", "Audit", psSieve},
	{"Format-Hex", "fhx", psReads, psPath, "Path", "", "Count Offset Encoding"},
	{"Get-AuthenticodeSignature", "", psReads, "FilePath LiteralPath", "FilePath", "", ""},
	{"Set-Content", "sc", psWrites, psPath, "Path Value", "NoNewline AsByteStream", ""},
	{"Add-Content", "ac", psWrites, psPath, "Path Value", "NoNewline AsByteStream", ""},
	{"Clear-Content", "clc", psWrites, psPath, "Path", "", ""},
	{"Out-File", "", psWrites, "FilePath LiteralPath Path PSPath", "FilePath Encoding", "Append NoClobber NoNewline", ""},
	{"Tee-Object", "tee", psWrites, "FilePath LiteralPath Path", "FilePath", "Append", ""},
	{"Export-Csv", "epcsv", psWrites, psPath, "Path Delimiter", "NoTypeInformation Append NoClobber UseCulture NoHeader", ""},
	{"Export-Clixml", "", psWrites, psPath, "Path", "NoClobber", ""},
	{"Set-ItemProperty", "sp", psWrites, psPath, "Path Name Value", "", ""},
	{"New-ItemProperty", "", psWrites, psPath, "Path Name", "", ""},
	{"Remove-ItemProperty", "rp", psWrites, psPath, "Path Name", "", ""},
	{"Clear-ItemProperty", "clp", psWrites, psPath, "Path Name", "", ""},
	{"Copy-ItemProperty", "cpp", psWrites, psPath, "Path Destination Name", "", ""},
	{"Move-ItemProperty", "mp", psWrites, psPath, "Path Destination Name", "", ""},
	{"Rename-ItemProperty", "rnp", psWrites, psPath, "Path Name NewName", "", ""},
	{"Set-Item", "si", psWrites, psPath, "Path Value", "", ""},
	{"Clear-Item", "cli", psWrites, psPath, "Path", "", ""},
	{"Set-Acl", "", psWrites, psPath, "Path AclObject", "", ""},
	{"Unblock-File", "", psWrites, psPath, "Path", "", ""},
	{"Set-AuthenticodeSignature", "", psWrites, "FilePath LiteralPath", "FilePath", "", ""},
	{"Start-Transcript", "", psWrites, psPath + " OutputDirectory", "Path", "Append NoClobber IncludeInvocationHeader", ""},
	{"New-Item", "ni mkdir md", psAppears, psPath, "Path", "", ""},
	{"Remove-Item", "ri rm del erase rd rmdir", psDeletes, psPath, "Path", "", ""},
	{"Copy-Item", "cpi cp copy", psCopies, psPath, "Path Destination", "Container", ""},
	{"Compress-Archive", "", psCopies, psPath, "Path DestinationPath", "Update", ""},
	{"Expand-Archive", "", psCopies, psPath, "Path DestinationPath", "", ""},
	{"Move-Item", "mi mv move", psRelocates, psPath, "Path Destination", "", ""},
	{"Rename-Item", "rni ren", psRenames, psPath, "Path NewName", "", ""},
	{"Set-Location", "sl cd chdir", psMoves, psPath, "Path", "", psCommon},
	{"Push-Location", "pushd", psMoves, psPath, "Path", "", ""},
	{"Pop-Location", "popd", psMakes, "", "", "", ""},
	{"Invoke-WebRequest", "iwr curl wget", psFetches, "", "Uri", "UseBasicParsing SkipCertificateCheck UseDefaultCredentials DisableKeepAlive Resume SkipHttpErrorCheck", ""},
	{"Invoke-RestMethod", "irm", psFetches, "", "Uri", "UseBasicParsing SkipCertificateCheck UseDefaultCredentials DisableKeepAlive Resume SkipHttpErrorCheck FollowRelLink", ""},
	{"Start-BitsTransfer", "", psFetches, "", "Source Destination", "Asynchronous", ""},
	{"Import-Module", "ipmo", psImports, "Name", "Name", "Global DisableNameChecking NoClobber AsCustomObject SkipEditionCheck", ""},
	{"Invoke-Item", "ii", psImports, psPath, "Path", "", ""},
	{"Start-Process", "saps start", psStarts, "", "FilePath ArgumentList", "Wait NoNewWindow LoadUserProfile UseNewEnvironment", ""},
	{"Set-Alias", "sal", psDefines, "", "", "", ""},
	{"New-Alias", "nal", psDefines, "", "", "", ""},
	{"Import-Alias", "ipal", psDefines, "", "", "", ""},
	{"Update-TypeData", "", psDefines, "", "", "", ""},
	{"New-PSDrive", "ndr mount", psDefines, "", "", "", ""},
	{"New-Object", "", psBuilds, "", "TypeName ArgumentList", "Strict", ""},
	{"ForEach-Object", "% foreach", psEach, "", "Process", "", "Begin End RemainingScripts MemberName InputObject"},
	{"Invoke-Expression", "iex", psMakes, "", "Command", "", ""},
	{"Invoke-Command", "icm", psMakes, "", "", "", ""},
	{"Set-Variable", "sv set", psMakes, "", "", "", ""},
	{"New-Variable", "nv", psMakes, "", "", "", ""},
	{"Clear-Variable", "clv", psMakes, "", "", "", ""},
	{"Remove-Variable", "rv", psMakes, "", "", "", ""},
	{"Get-Variable", "gv", psMakes, "", "Name", "ValueOnly", "Include Exclude Scope"},
	{"Where-Object", "? where", psMakes, "", "FilterScript Value", "EQ NE GT LT GE LE Like NotLike Match NotMatch Contains NotContains In NotIn Is IsNot CEQ CNE CGT CLT CGE CLE CLike CNotLike CMatch CNotMatch CContains CNotContains CIn CNotIn Not", "FilterScript Property Value InputObject"},
	{"Select-Object", "select", psMakes, "", "Property", "Unique Wait CaseInsensitive", "ExcludeProperty ExpandProperty First Last Skip SkipLast SkipIndex Index InputObject"},
	{"Sort-Object", "sort", psMakes, "", "Property", "Descending Unique CaseSensitive Stable", "Top Bottom Culture InputObject"},
	{"Group-Object", "group", psMakes, "", "Property", "NoElement AsHashTable AsString CaseSensitive", "Culture InputObject"},
	{"Measure-Object", "measure", psMakes, "", "Property", "Line Word Character IgnoreWhiteSpace Sum Average Maximum Minimum StandardDeviation AllStats", "InputObject"},
	{"Measure-Command", "", psMakes, "", "Expression", "", "Expression InputObject"},
	{"Compare-Object", "compare diff", psMakes, "", "ReferenceObject DifferenceObject", "IncludeEqual ExcludeDifferent CaseSensitive", "Property SyncWindow Culture"},
	{"Format-Table", "ft", psMakes, "", "Property", "AutoSize Wrap HideTableHeaders ShowError RepeatHeader", "GroupBy View Expand Column InputObject"},
	{"Format-List", "fl", psMakes, "", "Property", "ShowError", "GroupBy View Expand Column InputObject"},
	{"Format-Wide", "fw", psMakes, "", "Property", "AutoSize ShowError", "GroupBy View Expand Column InputObject"},
	{"Format-Custom", "fc", psMakes, "", "", "", ""},
	{"Out-String", "oss", psMakes, "", "", "Stream NoNewline", "Width InputObject"},
	{"Out-Null", "", psMakes, "", "", "", "InputObject"},
	{"Out-Host", "oh", psMakes, "", "", "", "InputObject"},
	{"Out-Default", "", psMakes, "", "", "", "InputObject"},
	{"Write-Output", "echo write", psMakes, "", "InputObject", "NoEnumerate", "InputObject"},
	{"Write-Host", "", psMakes, "", "Object", "NoNewline", "Separator ForegroundColor BackgroundColor"},
	{"Write-Error", "", psMakes, "", "Message", "", "Message"},
	{"Write-Warning", "", psMakes, "", "Message", "", "Message"},
	{"Write-Verbose", "", psMakes, "", "Message", "", "Message"},
	{"Write-Information", "", psMakes, "", "Message", "", "Message"},
	{"Write-Debug", "", psMakes, "", "Message", "", "Message"},
	{"Write-Progress", "", psMakes, "", "", "", ""},
	{"Get-Date", "", psMakes, "", "Date", "AsUTC", "Format UFormat Year Month Day Hour Minute Second DisplayHint"},
	{"Get-Location", "gl pwd", psMakes, "", "", "Stack", "PSDrive PSProvider"},
	{"Get-Command", "gcm", psMakes, "", "Name", "All ListImported Syntax ShowCommandInfo", "CommandType Module Noun Verb TotalCount"},
	{"Get-Help", "help man", psMakes, "", "Name", "Full Detailed Examples", "Parameter Category"},
	{"Get-Member", "gm", psMakes, "", "Name", "Static", "MemberType View InputObject"},
	{"Get-Process", "gps ps", psMakes, "", "Name", "Module FileVersionInfo IncludeUserName", "Id"},
	{"Stop-Process", "spps kill", psMakes, "", "", "", ""},
	{"Get-Service", "gsv", psMakes, "", "Name", "DependentServices RequiredServices", "DisplayName Include Exclude"},
	{"Get-Alias", "gal", psMakes, "", "Name", "", "Exclude Scope Definition"},
	{"Get-History", "ghy h history", psMakes, "", "Id", "", "Count"},
	{"Get-Job", "gjb", psMakes, "", "", "", ""},
	{"Start-Job", "sajb", psImports, "FilePath LiteralPath", "", "", ""},
	{"Receive-Job", "rcjb", psMakes, "", "", "", ""},
	{"Wait-Job", "wjb", psMakes, "", "", "", ""},
	{"Remove-Job", "rjb", psMakes, "", "", "", ""},
	{"Stop-Job", "spjb", psMakes, "", "", "", ""},
	{"Start-Sleep", "sleep", psMakes, "", "Seconds", "", "Milliseconds"},
	{"Clear-Host", "clear cls", psMakes, "", "", "", psCommon},
	{"Join-Path", "", psMakes, "", "Path ChildPath AdditionalChildPath", "Resolve", "AdditionalChildPath"},
	{"Split-Path", "", psMakes, "", "Path", "Leaf Parent Qualifier NoQualifier Extension LeafBase IsAbsolute Resolve", "LiteralPath"},
	{"ConvertTo-Json", "", psMakes, "", "InputObject", "Compress AsArray EnumsAsStrings", "Depth EscapeHandling"},
	{"ConvertFrom-Json", "", psMakes, "", "InputObject", "AsHashtable NoEnumerate", "Depth DateKind"},
	{"ConvertTo-Csv", "", psMakes, "", "", "NoTypeInformation UseCulture NoHeader", "Delimiter InputObject"},
	{"ConvertFrom-Csv", "", psMakes, "", "InputObject Delimiter", "UseCulture", "Header"},
	{"Get-Unique", "gu", psMakes, "", "", "AsString OnType CaseInsensitive", "InputObject"},
	{"Get-PSDrive", "gdr", psMakes, "", "Name", "", "PSProvider Scope"},
	{"Get-Module", "gmo", psMakes, "", "Name", "ListAvailable All", "PSEdition"},
	{"Get-CimInstance", "gcim", psMakes, "", "", "", ""},
	{"Get-WmiObject", "gwmi", psMakes, "", "", "", ""},
	{"Set-CimInstance", "scim", psMakes, "", "", "", ""},
	{"New-CimInstance", "ncim", psMakes, "", "", "", ""},
	{"Remove-CimInstance", "rcim", psMakes, "", "", "", ""},
	{"Invoke-CimMethod", "icim", psMakes, "", "", "", ""},
	{"Set-WmiInstance", "swmi", psMakes, "", "", "", ""},
	{"Remove-WmiObject", "rwmi", psMakes, "", "", "", ""},
	{"Invoke-WmiMethod", "iwmi", psMakes, "", "", "", ""},
	{"Stop-Service", "spsv", psMakes, "", "", "", ""},
	{"Get-NetTCPConnection", "", psMakes, "", "LocalAddress", "", "LocalPort RemoteAddress RemotePort State OwningProcess"},
	{"Test-Connection", "", psMakes, "", "", "", ""},
	{"Test-NetConnection", "tnc", psMakes, "", "", "", ""},
	{"Get-Random", "", psMakes, "", "", "", "Minimum Maximum Count SetSeed InputObject"},
	{"Get-Host", "", psMakes, "", "", "", psCommon},
	{"Set-StrictMode", "", psMakes, "", "", "Off", "Version"},
	{"Add-Member", "", psMakes, "", "", "", ""},
}
