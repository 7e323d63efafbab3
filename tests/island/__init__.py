"""Tests of Forbidden Island."""
