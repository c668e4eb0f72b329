# Completions of octavo for fish.
# Keep them as ~/.config/fish/completions/octavo.fish

function __octavo_taken -d 'The words that are neither flags nor their values'
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l taken
    set -l is_value 0
    for token in $tokens
        if test $is_value = 1
            set is_value 0
            continue
        end
        switch $token
            case VALUE_FLAGS
                set is_value 1
            case '-*'
            case '*'
                set -a taken $token
        end
    end
    string join ' ' -- $taken
end

function __octavo_after -d 'Whether exactly these words were typed'
    set -l taken (__octavo_taken)
    test "$taken" = "$argv[1]"
end

function __octavo_within -d 'Whether these words were typed, and perhaps operands after them'
    set -l taken (__octavo_taken)
    test "$taken" = "$argv[1]"; or string match -q -- "$argv[1] *" "$taken"
end

complete -c octavo -f
