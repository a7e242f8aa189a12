"""The dashboard: ratings that wait, what runs live, default pictures, and who changed what."""
