    esac
    if [[ $cur == -* ]]; then
        words="$flags COMMON_FLAGS"
    fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}

complete -o default -F _octavo octavo
