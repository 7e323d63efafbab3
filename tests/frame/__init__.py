"""Tests of the frame."""
