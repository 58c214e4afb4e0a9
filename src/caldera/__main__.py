"""The command `caldera`, and `python -m caldera`: the shell."""
import sys

INTERRUPTED = 130                   # as shells report a process that Ctrl-C has stopped


def main(arguments=None):
    """Run the command line; returns the exit status. Ctrl-C ends it quietly at any instant, also while it still imports."""
    try:
        from caldera.client import shell
        return shell.main(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
