# Nothing for Python.
