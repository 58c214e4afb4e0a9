"""Tests of Caldera. What most of them share: `oracle` (PostgreSQL 18), `differential` (equal answers), `corpus` (queries)."""
