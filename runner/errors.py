"""Every error a person can meet, each with its exit code.

ExecctlError (1)
├── UsageError (2)
├── ConfigurationError (3)
├── EnvironmentBroken (3)
├── NotAuthenticated (4)
├── NotFound (5)
└── NotSettled (8)
"""


class ExecctlError(Exception):
    """It did not work.

    `message` says what happened and with what; `hint` is the next command; `code` is the stable word for scripts.
    """

    exit_code = 1
    code = "failed"

    def __init__(self, message: str, hint: str = "", *, code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code or self.code


class UsageError(ExecctlError):
    """The words of the call are off."""

    exit_code = 2
    code = "usage"


class ConfigurationError(ExecctlError):
    """The configuration is wrong."""

    exit_code = 3
    code = "configuration"


class EnvironmentBroken(ExecctlError):
    """Something this host must offer is missing or unreadable."""

    exit_code = 3
    code = "environment"


class NotAuthenticated(ExecctlError):
    """The forge or an agent does not know us."""

    exit_code = 4
    code = "not_authenticated"


class NotFound(ExecctlError):
    """No such run, item, question, hold or pull request."""

    exit_code = 5
    code = "not_found"


class NotSettled(ExecctlError):
    """Nothing failed, but it is not settled yet."""

    exit_code = 8
    code = "not_settled"
