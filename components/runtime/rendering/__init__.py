"""From markup to HTML and frames: serializer, shared parts, layouts, documents."""
