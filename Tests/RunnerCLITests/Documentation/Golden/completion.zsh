#compdef runner
# zsh completion for runner; made by `runner completion zsh`
_runner() {
    local -a commands
    commands=(
        'fetch:Fetch\: what'\''s \[needed\]'
        'help:Show the help of a command'
    )
    if ((CURRENT == 2)); then
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    ((CURRENT--))
    case $command in
    fetch)
        _arguments -s -S \
            '-a[It'\''s all]' \
            '--all[It'\''s all]' \
            '--color=[Colours]:auto|never:(auto never)' \
            '*--only=[Only\: this]:ID: ' \
            '-C+[Folder]:DIR:_files -/' \
            '--into=[Folder]:DIR:_files -/' \
            '-h[Show this help and exit]' \
            '--help[Show this help and exit]' \
            '*:JOB:_files'
        ;;
    help) _describe command commands ;;
    esac
}
if [[ $funcstack[1] == _runner ]]; then _runner "$@"; else compdef _runner runner; fi
