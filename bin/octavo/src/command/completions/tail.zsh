    esac
    flags+=(COMMON_FLAGS)
    if [[ ${words[CURRENT]} == -* ]]; then
        _describe -o flag flags
    elif (( ${#candidates} )); then
        _describe word candidates
    else
        _files
    fi
}

if [ "$funcstack[1]" = "_octavo" ]; then
    _octavo "$@"
else
    compdef _octavo octavo
fi
