"""What one web process holds, its threads, and how it loads pages."""
