"""What people use: the embedded interface for Python programs, and the shell.

    connect(path) ─▶ Connection ─ sql(text) ───▶ Relation: fetchall() arrow() df() pl() show()       connection, relation
                          └─ cursor() ─▶ Cursor: DB-API 2.0 (PEP 249)                                cursor
    Python objects ─▶ parameters ─▶ query.execute ─▶ Result ─▶ rows ─▶ Python objects                parameters, rows
    variables of the caller ─▶ frames ─▶ relations that SQL may name                                 frames
    Ctrl-C ─▶ interrupt ─▶ the query is cancelled, the connection lives                              interrupt

    errors ─▶ the user's line of Python, the place in the statement                                  tracebacks, source_line
    statements that take long ─▶ a bar                                                               progress

    caldera [path] ─▶ shell ─ statements, backslash commands ─▶ printing                             shell, script, commands,
                                                                                                     editor, describe
"""
