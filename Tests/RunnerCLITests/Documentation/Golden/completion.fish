# fish completion for runner; made by `runner completion fish`
complete -c runner -f
complete -c runner -n __fish_use_subcommand -a fetch -d 'Fetch: what\'s [needed]'
complete -c runner -n __fish_use_subcommand -a help -d 'Show the help of a command'
complete -c runner -n '__fish_seen_subcommand_from help' -a 'fetch'
complete -c runner -n __fish_use_subcommand -l help -s h -d 'Show the commands'
complete -c runner -n __fish_use_subcommand -l version -d 'Show the version'
complete -c runner -n '__fish_seen_subcommand_from fetch' -F
complete -c runner -n '__fish_seen_subcommand_from fetch' -l all -s a -d 'It\'s all'
complete -c runner -n '__fish_seen_subcommand_from fetch' -l color -r -f -a 'auto never' -d 'Colours'
complete -c runner -n '__fish_seen_subcommand_from fetch' -l only -r -f -d 'Only: this'
complete -c runner -n '__fish_seen_subcommand_from fetch' -l into -s C -r -f -a '(__fish_complete_directories)' -d 'Folder'
complete -c runner -n '__fish_seen_subcommand_from fetch' -l help -s h -d 'Show this help and exit'
