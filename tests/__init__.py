"""Tests of Caldera. What most share: `oracle` (PostgreSQL 18), `differential` (equal answers), `corpus` (queries)."""
