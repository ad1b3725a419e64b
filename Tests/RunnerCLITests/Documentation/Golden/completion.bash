# bash completion for runner; made by `runner completion bash`
_runner() {
    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"
    COMPREPLY=()
    # Readline takes --name=value apart at the sign.
    [[ "$before" == "=" ]] && before="${COMP_WORDS[COMP_CWORD-2]}"
    [[ "$word" == "=" ]] && word=""
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "fetch help --help --version" -- "$word"))
        return
    fi
    case "$command" in
    fetch)
        case "$before" in
        --color)
            COMPREPLY=($(compgen -W "auto never" -- "$word"))
            return
            ;;
        --only)
            :
            return
            ;;
        -C|--into)
            compopt -o filenames; local IFS=$'\n'; COMPREPLY=($(compgen -d -- "$word"))
            return
            ;;
        esac
        if [[ "$word" == -* ]]; then
            COMPREPLY=($(compgen -W "--all --color --only --into --help" -- "$word"))
        else
            compopt -o filenames; local IFS=$'\n'; COMPREPLY=($(compgen -f -- "$word"))
        fi
        ;;
    help)
        COMPREPLY=($(compgen -W "fetch" -- "$word"))
        ;;
    esac
}
complete -F _runner runner
