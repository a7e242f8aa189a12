"""The error log, the security log, and for whom the present work is done."""
