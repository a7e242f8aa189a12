"""Screens of authenticator apps, passkeys and recovery codes."""
