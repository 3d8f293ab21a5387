# Smoke test on Windows (S2-24): builds, runs the checks of smoke.mjs, and looks that no process is left.
$ErrorActionPreference = 'Stop'
Set-Location (Join-Path $PSScriptRoot '..')
if (-not (Test-Path node_modules)) { npm ci --ignore-scripts; if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE } }
npm run build
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
node smoke/smoke.mjs
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
$left = Get-CimInstance Win32_Process | Where-Object { $_.CommandLine -like '*fake-agent.mjs*' }
if ($left) {
  $left | Select-Object ProcessId, CommandLine | Format-Table | Out-String | Write-Host
  Write-Host 'FAIL processes of the fake agent are left'
  exit 1
}
Write-Host 'ok   no process is left'
