"""Overrides of ReactPy's layout, one reason a file; `layout.py` combines them.

`tests/components/runtime/rendering/test_upstream.py` fails when upstream changes code that they rely on.

Each file is a mixin for ReactPy's layout. A type checker does not see the layout's methods in a mixin, so calls of
`super()` and of private methods have a `type: ignore`.
"""
