"""Decisions without I/O: the callers pass requests, answers and errors, and a lock where threads share it."""
