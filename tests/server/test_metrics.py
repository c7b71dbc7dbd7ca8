"""The metrics of the server, and their list in the documents."""

import re
from pathlib import Path
from typing import Any

import pytest

from parlour.server.metrics import metrics

ROOT = Path(__file__).parents[2]


@pytest.fixture
def families() -> dict[str, Any]:
    """Return the metrics, as Prometheus reads them, by their attributes."""
    return {attribute: each.collect()[0] for attribute, each in vars(metrics()).items()}


class TestMetrics:
    def test_an_attribute_has_the_name_of_its_metric(self, families: dict[str, Any]) -> None:
        names = {attribute: family.name for attribute, family in families.items()}
        assert names == {attribute: f"parlour_{attribute}" for attribute in families}

    def test_the_documents_list_each_metric_once(self, families: dict[str, Any]) -> None:
        text = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
        section = text.partition("\n## Metrics\n")[2].partition("\n## ")[0]
        exposed = [family.name + "_total" * (family.type == "counter") for family in families.values()]
        assert sorted(re.findall(r"`(parlour_\w+)`", section)) == sorted(exposed)

    def test_the_server_counts_each_metric(self, families: dict[str, Any]) -> None:
        files = (ROOT / "src" / "parlour" / "server").rglob("*.py")
        sources = "\n".join(file.read_text(encoding="utf-8") for file in files)
        assert [attribute for attribute in families if f"metrics().{attribute}." not in sources] == []
