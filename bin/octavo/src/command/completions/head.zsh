#compdef octavo
# Completions of octavo for zsh.
# Keep them as _octavo in a folder of $fpath

_octavo() {
    local word taken="" is_value="" index
    local -a candidates flags
    # The words that are neither flags nor their values.
    for ((index = 2; index < CURRENT; index++)); do
        word=${words[index]}
        if [[ -n $is_value ]]; then
            is_value=""
            continue
        fi
        case $word in
        (VALUE_FLAGS) is_value=$word ;;
        (-*) ;;
        (*) taken+=" $word" ;;
        esac
    done
    if [[ -n $is_value ]]; then
        # Values without a list are completed as names of files.
        case $is_value in
        VALUE_CHOICES
        esac
        if (( ${#candidates} )); then
            _describe value candidates
        else
            _files
        fi
        return
    fi
    case $taken in
