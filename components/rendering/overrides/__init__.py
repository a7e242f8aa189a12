"""What is otherwise than in ReactPy's own layout, one reason in each file; `layout.py` puts it together.

`tests/components/rendering/test_upstream.py` fails when upstream changes what these rely on.
"""
