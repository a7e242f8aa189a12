"""The same page in NiceGUI, in an environment of its own."""
