"""A log can be watched while its attempt is at work."""

import subprocess
import threading

from tests.acceptance.worlds import EXECCTL, World, until


def test_a_log_is_printed_as_it_grows_until_the_attempt_has_ended(world: World) -> None:
    world.script(investigation=[{"say": "at work", "wait_for": world.go("go"), "files": {"value.txt": "ok\n"}}])
    run = world.add()
    world.tick_until(lambda: world.attempts(run) == [("investigation", "running")], "running")
    command = [str(EXECCTL), "--config", str(world.config), "logs", str(run), "-f"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as following:
        assert following.stdout is not None
        lines: list[str] = []
        reading = threading.Thread(target=lines.extend, args=(iter(following.stdout.readline, ""),), daemon=True)
        reading.start()
        until(lambda: "at work\n" in lines, "what the agent said")
        assert not any("## Result" in line for line in lines)
        world.touch("go")
        world.tick_until(lambda: world.attempts(run)[0][1] == "succeeded", "its end")
        assert following.wait(timeout=20) == 0
        reading.join(timeout=20)
    text = "".join(lines)
    assert text.count("at work\n") == 1
    assert text.index("## Prompt") < text.index("at work") < text.index("## Result") < text.index("end: succeeded")
