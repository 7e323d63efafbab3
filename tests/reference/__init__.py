"""Plain, slow, independent versions of the rules: the oracles that compiled kernels are compared with."""
