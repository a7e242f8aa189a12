"""The same page in NiceGUI, in its own virtual environment."""
