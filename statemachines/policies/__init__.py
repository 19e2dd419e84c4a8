"""Calculations behind the guards: values, not verdicts."""
