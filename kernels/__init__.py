"""Compiled code: knows rules and numbers, no files, no text.  See kernels/README.md."""
