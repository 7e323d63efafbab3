"""Tests of FUSE."""
