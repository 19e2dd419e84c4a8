"""The numbers that every database of ours can hold."""

LARGEST_INTEGER = 2**31 - 1
