"""The same page in NiceGUI, in a virtual environment of its own."""
