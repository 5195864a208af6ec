/**
 * What each shell runs on Tab: it asks `signalbox __complete` with the words so far, so a script never falls behind the
 * commands it completes. Answers are `value<Tab>description` lines.
 */
const bash = `# signalbox completion for bash: source <(signalbox completion bash)
_signalbox() {
  local IFS=$' \\t' line typed seen skip value
  local -a words
  # Bash splits words at ":" and "=", which our ids hold: take the line itself, and later hand back only what follows.
  read -ra words <<<"\${COMP_LINE:0:COMP_POINT}"
  [[ \${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]] && words+=("")
  typed=\${words[\${#words[@]}-1]}
  seen=\${COMP_WORDS[COMP_CWORD]}
  [[ $seen == [:=] ]] && seen=
  skip=\${typed%"$seen"}
  COMPREPLY=()
  while IFS=$'\\t' read -r value line; do
    [[ $value == "$typed"* ]] && COMPREPLY+=("\${value#"$skip"}")
  done < <("\${words[0]}" __complete -- "\${words[@]:1}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _signalbox signalbox
`

const zsh = `#compdef signalbox
# signalbox completion for zsh: source <(signalbox completion zsh), after compinit
_signalbox() {
  local line
  local -a found
  for line in "\${(@f)$(\${words[1]} __complete -- "\${(@)words[2,$CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe signalbox found; else _files; fi
}
if [[ \${funcstack[1]} == _signalbox ]]; then _signalbox "$@"; else compdef _signalbox signalbox; fi
`

const fish = `# signalbox completion for fish: signalbox completion fish | source
complete -c signalbox -f -a '(signalbox __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
complete -c signalbox -l home -x -a '(__fish_complete_directories)'
`

export const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = { bash, zsh, fish }
