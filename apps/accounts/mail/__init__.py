"""Mails: what they say, the links they bring, and how they leave."""
