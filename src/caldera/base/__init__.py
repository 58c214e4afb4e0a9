"""What every part of the database uses, and what uses none of them.

    errors.py      error(sqlstate, message) ─▶ the exception of DB-API 2.0 that an SQLSTATE belongs to
    settings.py    SETTINGS: names, defaults and forms of what SET takes; Settings: the values of one session
    trace.py       Trace.stage("bind"): times a stage of a statement, checks its value, prints it under SET debug
    lazy.py        LazyModule: libraries that are loaded when they are first used
    forks.py       what a child process must do over after fork
"""
