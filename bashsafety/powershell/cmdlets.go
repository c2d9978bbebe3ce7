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
}

const (
	psPath   = "Path LiteralPath PSPath"
	psSwitch = "Force Recurse Verbose Debug WhatIf Confirm PassThru"
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
	{"Get-Content", "gc cat type", psReads, psPath, "Path", "Raw Wait AsByteStream"},
	{"Get-ChildItem", "gci ls dir", psReads, psPath, "Path Filter", "Name File Directory Hidden System ReadOnly FollowSymlink"},
	{"Get-Item", "gi", psReads, psPath, "Path", ""},
	{"Get-ItemProperty", "gp", psReads, psPath, "Path Name", ""},
	{"Get-ItemPropertyValue", "gpv", psReads, psPath, "Path Name", ""},
	{"Test-Path", "", psReads, psPath, "Path", "IsValid"},
	{"Resolve-Path", "rvpa", psReads, psPath, "Path", "Relative"},
	{"Convert-Path", "cvpa", psReads, psPath, "Path", ""},
	{"Select-String", "sls", psReads, psPath, "Pattern Path", "SimpleMatch CaseSensitive Quiet List AllMatches NotMatch NoEmphasis Raw"},
	{"Import-Csv", "ipcsv", psReads, psPath, "Path Delimiter", "UseCulture"},
	{"Import-Clixml", "", psReads, psPath, "Path", ""},
	{"Import-PowerShellDataFile", "", psReads, psPath, "Path", ""},
	{"Get-FileHash", "", psReads, psPath, "Path", ""},
	{"Get-Acl", "", psReads, psPath, "Path", "Audit"},
	{"Format-Hex", "fhx", psReads, psPath, "Path", ""},
	{"Get-AuthenticodeSignature", "", psReads, "FilePath LiteralPath", "FilePath", ""},
	{"Set-Content", "sc", psWrites, psPath, "Path Value", "NoNewline AsByteStream"},
	{"Add-Content", "ac", psWrites, psPath, "Path Value", "NoNewline AsByteStream"},
	{"Clear-Content", "clc", psWrites, psPath, "Path", ""},
	{"Out-File", "", psWrites, "FilePath LiteralPath Path PSPath", "FilePath Encoding", "Append NoClobber NoNewline"},
	{"Tee-Object", "tee", psWrites, "FilePath LiteralPath Path", "FilePath", "Append"},
	{"Export-Csv", "epcsv", psWrites, psPath, "Path Delimiter", "NoTypeInformation Append NoClobber UseCulture NoHeader"},
	{"Export-Clixml", "", psWrites, psPath, "Path", "NoClobber"},
	{"Set-ItemProperty", "sp", psWrites, psPath, "Path Name Value", ""},
	{"New-ItemProperty", "", psWrites, psPath, "Path Name", ""},
	{"Remove-ItemProperty", "rp", psWrites, psPath, "Path Name", ""},
	{"Clear-ItemProperty", "clp", psWrites, psPath, "Path Name", ""},
	{"Rename-ItemProperty", "rnp", psWrites, psPath, "Path Name NewName", ""},
	{"Set-Item", "si", psWrites, psPath, "Path Value", ""},
	{"Clear-Item", "cli", psWrites, psPath, "Path", ""},
	{"Set-Acl", "", psWrites, psPath, "Path AclObject", ""},
	{"Unblock-File", "", psWrites, psPath, "Path", ""},
	{"Set-AuthenticodeSignature", "", psWrites, "FilePath LiteralPath", "FilePath", ""},
	{"Start-Transcript", "", psWrites, psPath + " OutputDirectory", "Path", "Append NoClobber IncludeInvocationHeader"},
	{"New-Item", "ni mkdir md", psAppears, psPath, "Path", ""},
	{"Remove-Item", "ri rm del erase rd rmdir", psDeletes, psPath, "Path", ""},
	{"Copy-Item", "cpi cp copy", psCopies, psPath, "Path Destination", "Container"},
	{"Compress-Archive", "", psCopies, psPath, "Path DestinationPath", "Update"},
	{"Expand-Archive", "", psCopies, psPath, "Path DestinationPath", ""},
	{"Move-Item", "mi mv move", psRelocates, psPath, "Path Destination", ""},
	{"Rename-Item", "rni ren", psRenames, psPath, "Path NewName", ""},
	{"Set-Location", "sl cd chdir", psMoves, psPath, "Path", ""},
	{"Push-Location", "pushd", psMoves, psPath, "Path", ""},
	{"Pop-Location", "popd", psMakes, "", "", ""},
	{"Invoke-WebRequest", "iwr curl wget", psFetches, "", "Uri", "UseBasicParsing SkipCertificateCheck UseDefaultCredentials DisableKeepAlive Resume SkipHttpErrorCheck"},
	{"Invoke-RestMethod", "irm", psFetches, "", "Uri", "UseBasicParsing SkipCertificateCheck UseDefaultCredentials DisableKeepAlive Resume SkipHttpErrorCheck FollowRelLink"},
	{"Start-BitsTransfer", "", psFetches, "", "Source Destination", "Asynchronous"},
	{"Import-Module", "ipmo", psImports, "Name", "Name", "Global DisableNameChecking NoClobber AsCustomObject SkipEditionCheck"},
	{"Invoke-Item", "ii", psImports, psPath, "Path", ""},
	{"Start-Process", "saps start", psStarts, "", "FilePath ArgumentList", "Wait NoNewWindow LoadUserProfile UseNewEnvironment"},
	{"Set-Alias", "sal", psDefines, "", "", ""},
	{"New-Alias", "nal", psDefines, "", "", ""},
	{"Import-Alias", "ipal", psDefines, "", "", ""},
	{"Update-TypeData", "", psDefines, "", "", ""},
	{"New-PSDrive", "ndr mount", psDefines, "", "", ""},
	{"New-Object", "", psBuilds, "", "TypeName ArgumentList", "Strict"},
	{"ForEach-Object", "% foreach", psEach, "", "Process", ""},
	{"Invoke-Expression", "iex", psMakes, "", "Command", ""},
	{"Invoke-Command", "icm", psMakes, "", "", ""},
	{"Set-Variable", "sv set", psMakes, "", "", ""},
	{"New-Variable", "nv", psMakes, "", "", ""},
	{"Clear-Variable", "clv", psMakes, "", "", ""},
	{"Remove-Variable", "rv", psMakes, "", "", ""},
	{"Get-Variable", "gv", psMakes, "", "", ""},
	{"Where-Object", "? where", psMakes, "", "", ""},
	{"Select-Object", "select", psMakes, "", "", ""},
	{"Sort-Object", "sort", psMakes, "", "", ""},
	{"Group-Object", "group", psMakes, "", "", ""},
	{"Measure-Object", "measure", psMakes, "", "", ""},
	{"Measure-Command", "", psMakes, "", "", ""},
	{"Compare-Object", "compare diff", psMakes, "", "", ""},
	{"Format-Table", "ft", psMakes, "", "", ""},
	{"Format-List", "fl", psMakes, "", "", ""},
	{"Format-Wide", "fw", psMakes, "", "", ""},
	{"Format-Custom", "fc", psMakes, "", "", ""},
	{"Out-String", "oss", psMakes, "", "", ""},
	{"Out-Null", "", psMakes, "", "", ""},
	{"Out-Host", "oh", psMakes, "", "", ""},
	{"Out-Default", "", psMakes, "", "", ""},
	{"Write-Output", "echo write", psMakes, "", "", ""},
	{"Write-Host", "", psMakes, "", "", ""},
	{"Write-Error", "", psMakes, "", "", ""},
	{"Write-Warning", "", psMakes, "", "", ""},
	{"Write-Verbose", "", psMakes, "", "", ""},
	{"Write-Information", "", psMakes, "", "", ""},
	{"Write-Debug", "", psMakes, "", "", ""},
	{"Write-Progress", "", psMakes, "", "", ""},
	{"Get-Date", "", psMakes, "", "", ""},
	{"Get-Location", "gl pwd", psMakes, "", "", ""},
	{"Get-Command", "gcm", psMakes, "", "", ""},
	{"Get-Help", "help man", psMakes, "", "", ""},
	{"Get-Member", "gm", psMakes, "", "", ""},
	{"Get-Process", "gps ps", psMakes, "", "", ""},
	{"Stop-Process", "spps kill", psMakes, "", "", ""},
	{"Get-Service", "gsv", psMakes, "", "", ""},
	{"Get-Alias", "gal", psMakes, "", "", ""},
	{"Get-History", "ghy h history", psMakes, "", "", ""},
	{"Get-Job", "gjb", psMakes, "", "", ""},
	{"Start-Job", "sajb", psMakes, "", "", ""},
	{"Receive-Job", "rcjb", psMakes, "", "", ""},
	{"Wait-Job", "wjb", psMakes, "", "", ""},
	{"Remove-Job", "rjb", psMakes, "", "", ""},
	{"Stop-Job", "spjb", psMakes, "", "", ""},
	{"Start-Sleep", "sleep", psMakes, "", "", ""},
	{"Clear-Host", "clear cls", psMakes, "", "", ""},
	{"Join-Path", "", psMakes, "", "", ""},
	{"Split-Path", "", psMakes, "", "", ""},
	{"ConvertTo-Json", "", psMakes, "", "", ""},
	{"ConvertFrom-Json", "", psMakes, "", "", ""},
	{"ConvertTo-Csv", "", psMakes, "", "", ""},
	{"ConvertFrom-Csv", "", psMakes, "", "", ""},
	{"Get-Unique", "gu", psMakes, "", "", ""},
	{"Get-PSDrive", "gdr", psMakes, "", "", ""},
	{"Get-Module", "gmo", psMakes, "", "", ""},
	{"Get-CimInstance", "gcim", psMakes, "", "", ""},
	{"Get-WmiObject", "gwmi", psMakes, "", "", ""},
	{"Get-NetTCPConnection", "", psMakes, "", "", ""},
	{"Test-Connection", "", psMakes, "", "", ""},
	{"Test-NetConnection", "tnc", psMakes, "", "", ""},
	{"Get-Random", "", psMakes, "", "", ""},
	{"Get-Host", "", psMakes, "", "", ""},
	{"Set-StrictMode", "", psMakes, "", "", ""},
	{"Add-Member", "", psMakes, "", "", ""},
}
