# Completions of octavo for bash.
# Keep them as ~/.local/share/bash-completion/completions/octavo

_octavo() {
    local cur=${COMP_WORDS[COMP_CWORD]} word taken="" is_value="" words="" flags="" index
    # The words that are neither flags nor their values. In bash, "=" is a word of its own.
    for ((index = 1; index < COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        if [[ -n $is_value ]]; then
            [[ $word == "=" ]] || is_value=""
            continue
        fi
        case $word in
        VALUE_FLAGS) is_value=$word ;;
        -*) ;;
        *) taken+=" $word" ;;
        esac
    done
    COMPREPLY=()
    if [[ -n $is_value ]]; then
        # Values without a list are completed as names of files.
        case $is_value in
        VALUE_CHOICES
        esac
        [[ $cur != "=" ]] || cur=""
        [[ -z $words ]] || COMPREPLY=($(compgen -W "$words" -- "$cur"))
        return 0
    fi
    case $taken in
