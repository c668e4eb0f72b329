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
        VALUE_FLAGS) is_value=1 ;;
        -*) ;;
        *) taken+=" $word" ;;
        esac
    done
    COMPREPLY=()
    # Values are completed as names of files.
    [[ -z $is_value ]] || return 0
    case $taken in
