"""The screens of authenticator apps, passkeys and recovery codes."""
