/** The look of an exported session. */
export const STYLE = `
:root { --ink: #1c1e21; --quiet: #6a7078; --line: #e3e5e8; --paper: #fff; --soft: #f6f7f8; --good: #14763a; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ea; --quiet: #9aa1a9; --line: #33383e; --paper: #17191c; --soft: #1f2226; --good: #5cc98a; --bad: #ff8a80; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1rem; max-width: 54rem; color: var(--ink); background: var(--paper); font: 16px/1.55 system-ui, sans-serif; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 0.85rem; color: var(--quiet); margin: 0 0 0.25rem; }
header p, footer, .quiet { color: var(--quiet); font-size: 0.9rem; }
section { margin: 1rem 0; }
.prompt { background: var(--soft); border-radius: 8px; padding: 0.75rem 1rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
pre { margin: 0.5rem 0; padding: 0.75rem; background: var(--soft); border-radius: 6px; overflow: auto; max-height: 30rem; font: 13px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
details { border: 1px solid var(--line); border-radius: 8px; padding: 0.5rem 0.75rem; }
summary { cursor: pointer; overflow-wrap: anywhere; } code { font: 13px ui-monospace, monospace; }
.status { color: var(--quiet); font-size: 0.8rem; } .status.ok { color: var(--good); } .status.failed, .status.denied { color: var(--bad); }
.diff ins { color: var(--good); text-decoration: none; } .diff del { color: var(--bad); text-decoration: none; }
.warning, .error { color: var(--bad); } img { max-width: 100%; }
@media print { details { break-inside: avoid; } }
`;
