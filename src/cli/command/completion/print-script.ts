/**
 * The scripts of `glassbox completion`. Each asks `glassbox complete` with the words as they stand and reads lines `value TAB meaning`. What
 * is read is only ever assigned and shown: no `eval`, no word splitting, no globbing, no `compgen -W`.
 */
import type { Context } from '../../context.js';
import { print } from '../../print/sink.js';
import type { Shell } from './command.js';

const BASH = `# glassbox completion for bash
_glassbox() {
  local words=() value meaning i
  # Before this word ":" and "=" were taken apart; the whole is needed.
  local line="\${COMP_LINE:0:COMP_POINT}"
  read -r -a words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  local current="\${words[\${#words[@]}-1]}" found=() shown=()
  while IFS=$'\\t' read -r value meaning; do
    [[ -n $value ]] || continue
    found+=("$value")
    shown+=("$value  ($meaning)")
  done < <("\${COMP_WORDS[0]}" complete -- "\${words[@]:1}" 2>/dev/null)
  # What stands before the last ":" or "=" is already in the line.
  local head=""
  [[ $current == *[:=]* && $COMP_WORDBREAKS == *[:=]* ]] && head="\${current%"\${current##*[:=]}"}"
  COMPREPLY=()
  if ((\${#found[@]} == 1)); then
    COMPREPLY=("\${found[0]#"$head"}")
  else
    for ((i = 0; i < \${#found[@]}; i++)); do
      if ((COMP_TYPE == 63)); then COMPREPLY+=("\${shown[i]#"$head"}"); else COMPREPLY+=("\${found[i]#"$head"}"); fi
    done
  fi
}
complete -o default -o nosort -F _glassbox glassbox
`;

const ZSH = `#compdef glassbox
# glassbox completion for zsh
_glassbox() {
  local line value
  local -a found shown
  while IFS= read -r line; do
    value="\${line%%$'\\t'*}"
    [[ -n "$value" ]] || continue
    found+=("$value")
    shown+=("$value  \${line#*$'\\t'}")
  done < <("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then
    compadd -l -V glassbox -d shown -a -- found
  else
    _files
  fi
}
compdef _glassbox glassbox
`;

const FISH = `# glassbox completion for fish
function __glassbox_candidates
  set -l words (commandline -opc) (commandline -ct)
  set -l found ($words[1] complete -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c glassbox -f -k -a '(__glassbox_candidates)'
`;

const SCRIPTS: Record<Shell, string> = { bash: BASH, zsh: ZSH, fish: FISH };

export async function printScript(this: Context, _flags: Record<never, never>, shell: Shell): Promise<void> {
  await print(this.process.stdout, SCRIPTS[shell].trimEnd().split('\n'));
}
