"""Whatever is sent, the server does not break."""

from typing import Any

import schemathesis
from hypothesis import HealthCheck, given, settings


def test_no_request_of_the_schema_breaks_the_server(address: str) -> None:
    broken: list[tuple[str, str, int, str]] = []

    def check(case: schemathesis.Case[Any]) -> None:
        answer = case.call(timeout=120)
        if answer.status_code >= 500:
            broken.append((case.method, case.path, answer.status_code, answer.text))

    house = settings(max_examples=12, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    for found in schemathesis.openapi.from_url(f"{address}/api/openapi.json").get_all_operations():
        operation = found.ok()  # type: ignore[union-attr]
        assert operation is not None
        house(given(case=operation.as_strategy())(check))()
    assert broken == []
