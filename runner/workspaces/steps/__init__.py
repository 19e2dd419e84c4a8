"""The supervisor's steps around an agent: `python -I -m runner.workspaces.steps NAME PARAMS.json`.

`mirror`, `ingest`, `checkout`, `cleanup` and `remove` run as the host, `prepare` and `handover` inside the sandbox.
"""
