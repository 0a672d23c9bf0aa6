"""Writes no model: `nothing.py FOLDER`."""
