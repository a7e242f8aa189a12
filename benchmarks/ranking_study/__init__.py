"""The study of ranking methods: invented audiences, attack strategies, methods and their tables."""
