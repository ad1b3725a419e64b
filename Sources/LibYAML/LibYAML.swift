internal import CLibYAML
