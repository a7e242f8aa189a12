"""What is otherwise than in ReactPy's own layout, one reason in each file; `layout.py` puts it together.

`tests/components/rendering/test_upstream.py` fails when upstream changes what these rely on.

Each file is a mixin beside ReactPy's layout, whose methods a type checker does not see from there: that is what the
`type: ignore` of calls to `super()` and to private methods stand for.
"""
