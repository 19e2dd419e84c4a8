"""The reference of the configuration cannot drift from the models."""

from tests.docs.configuration_page import PAGE, page


def test_the_configuration_reference_is_made_from_the_models() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
