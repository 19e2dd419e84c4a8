"""A model provider on the loopback interface that answers what a test wrote down."""
