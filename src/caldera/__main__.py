"""`python -m caldera`: the shell."""
import sys

from caldera.client.shell import main

sys.exit(main())
