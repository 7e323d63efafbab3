"""Tests of Reef."""
