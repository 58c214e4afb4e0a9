"""Side-by-side benchmarks: Caldera and its peers on one machine, in one run, with equal answers."""
