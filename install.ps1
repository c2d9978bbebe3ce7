# Builds permgate and puts it into $env:PREFIX\bin, or ~\.local\bin. Needs Go and no
# administrator; running it again replaces the binary, also one that is running. For
# Windows PowerShell 5.1 and PowerShell 7:
#
#   powershell -ExecutionPolicy Bypass -File install.ps1
Set-StrictMode -Version 2
$ErrorActionPreference = 'Stop'
$PSNativeCommandUseErrorActionPreference = $false # check ends with 1 for ask, 2 for deny
$need = [version]'1.26'

function Say([string] $text) { Write-Output $text }

function Stop-Install([string] $what, [string] $hint) {
    [Console]::Error.WriteLine("install.ps1: $what")
    [Console]::Error.WriteLine("  hint: $hint")
    exit 1
}

Set-Location -LiteralPath $PSScriptRoot

# Go, and new enough
if (-not (Get-Command -Name go -CommandType Application -ErrorAction SilentlyContinue)) {
    Stop-Install 'no go command on PATH' "get Go $need or later from https://go.dev/dl and run this again"
}
$have = (& go env GOVERSION) -replace '^go', ''
Say "go is version $have"
if ($have -match '^\d+\.\d+' -and [version] $Matches[0] -lt $need) { # a development version: let the build say what it lacks
    Stop-Install "go is version $have, permgate needs $need or later" 'get it from https://go.dev/dl and run this again'
}

# build in the folder of the target, so that the last step is one rename
$prefix = $env:PREFIX
if (-not $prefix) { $prefix = Join-Path $HOME '.local' }
$bin = Join-Path $prefix 'bin'
$target = Join-Path $bin 'permgate.exe'
$new = Join-Path $bin ".permgate.$PID.exe"
$null = New-Item -ItemType Directory -Force -Path $bin
Say "building $target"
$env:CGO_ENABLED = '0'
& go build -trimpath '-buildmode=exe' -ldflags '-s -w' -o $new '.'
if ($LASTEXITCODE -ne 0) {
    Stop-Install 'the build failed' "the messages above are the compiler's; a clean checkout and Go $need are enough"
}

# a program that runs cannot be overwritten, but renamed; what was renamed is removed as soon as it no longer runs
$old = Join-Path $bin ".permgate.$PID.old.exe"
try {
    if (Test-Path -LiteralPath $target) {
        Say "replacing $target, by renames"
        Move-Item -LiteralPath $target -Destination $old
    }
    Move-Item -LiteralPath $new -Destination $target
} catch {
    $why = $_
    if (-not (Test-Path -LiteralPath $target) -and (Test-Path -LiteralPath $old)) {
        Move-Item -LiteralPath $old -Destination $target
    }
    Remove-Item -LiteralPath $new -Force -ErrorAction SilentlyContinue
    Stop-Install "cannot replace ${target}: $why" 'close what uses it and run this again'
}
Get-ChildItem -LiteralPath $bin -Filter '.permgate.*.old.exe' -Force | Remove-Item -Force -ErrorAction SilentlyContinue
Say "installed $target ($((& $target version | Select-Object -First 1)))"

# three calls, decided with your settings and one rule as in a project that has
# a folder src; nothing of them is run
$project = Join-Path ([IO.Path]::GetTempPath()) "permgate-$PID"
$null = New-Item -ItemType Directory -Path (Join-Path $project 'src')
Set-Content -LiteralPath (Join-Path $project 'src\main.go') -Value 'package main'

function Show-Call([string] $what, [string] $call) {
    Say ''
    Say $what
    Say "> permgate check --allowedTools 'Bash(git:*)' '$call'"
    & $target check --cwd $project --allowedTools 'Bash(git:*)' $call
    if ($LASTEXITCODE -ge 3) { Stop-Install 'permgate check failed' "run: $target check '$call'" }
}

try {
    Show-Call 'one rule allows git, but not what comes after it:' 'git status && rm -rf src'
    Show-Call 'nor what git itself can be made to run:' 'git -c core.pager=./x log'
    Show-Call 'what you allow runs without a question:' 'git status && git log --oneline -5'
} finally {
    Remove-Item -LiteralPath $project -Recurse -Force
}

Say ''
Say 'next:'
if (@($env:Path -split ';') -notcontains $bin) {
    Say "add it to PATH:      [Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ';$bin', 'User')"
}
Say 'put it to work:      permgate install --host claude    (--list shows the others, --dry-run what changes)'
Say 'see that it works:   permgate doctor, and then permgate log'
Say 'a first policy:      permgate init    (in a project)'
Say 'take it out again:   permgate uninstall --host claude'
