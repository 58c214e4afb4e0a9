"""What a column is, to everything above the types."""
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ColumnSchema:
    """A column as the catalog knows it. `type` is a caldera.types.registry.SqlType."""
    name: str
    type: Any
    modifier: tuple | None = None
    nullable: bool = True
    default: str | None = None          # SQL text
