"""What people press and type into: fields, commands, confirmations and their answers."""
