"""python -m tests.fuzz: see tests.fuzz."""
from tests.fuzz.campaign import main

raise SystemExit(main())
