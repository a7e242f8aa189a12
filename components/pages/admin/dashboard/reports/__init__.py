"""The tab Reports: texts that people reported, hidden or dismissed here."""
