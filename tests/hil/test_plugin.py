"""The pytest plugin, run as its users run it: pytest inside pytest."""

from __future__ import annotations

import pytest

from tests.hil.observations import FIXTURES

pytest_plugins = ["pytester"]

TEST = """
    import pytest

    @pytest.mark.hil(model={model!r}, seed=2)
    def test_model(hil_model):
        comparison = hil_model.check()
        assert len(comparison.operators) == 5
"""


@pytest.fixture
def project(pytester):
    pytester.makepyfile(TEST.format(model=str(FIXTURES / "dense.tflite")))
    return pytester


def run(project, *arguments):
    # In a process of its own: the emulator's native callbacks do not survive a second import.
    return project.runpytest_subprocess("-p", "no:cacheprovider", *arguments)


def test_a_marked_model_runs_on_the_emulator(project):
    run(project).assert_outcomes(passed=1)


def test_missing_hardware_skips_with_a_reason(project):
    result = run(project, "--hil-target", "serial", "--hil-port", "/dev/nowhere", "-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*cannot use port /dev/nowhere*"])


def test_missing_hardware_fails_when_strict(project):
    result = run(project, "--hil-target", "serial", "--hil-port", "/dev/nowhere", "--hil-strict")
    result.assert_outcomes(errors=1)


def test_strictness_has_an_environment_variable(project, monkeypatch):
    monkeypatch.setenv("HIL_STRICT", "1")
    monkeypatch.setenv("HIL_TARGET", "/dev/nowhere")
    run(project).assert_outcomes(errors=1)


def test_a_fault_does_not_fail_the_tests_after_it(project):
    image = FIXTURES.parent / "boards/stm32h747i_disco/firmware/hil-agent-fault.elf"
    project.makepyfile(
        """
        import pytest
        from hil.errors import DeviceFaultError

        @pytest.mark.hil(model={model!r})
        @pytest.mark.parametrize("again", range(2))
        def test_model(hil_model, again):
            with pytest.raises(DeviceFaultError, match="during operator 0"):
                hil_model.check()
            assert hil_model.target.link.hello().clock_hz > 0
    """.replace("{model!r}", repr(str(FIXTURES / "dense.tflite")))
    )
    run(project, "--hil-firmware", str(image)).assert_outcomes(passed=2)


def test_a_url_is_a_target(project):
    result = run(project, "--hil-target", "/dev/nowhere")
    result.assert_outcomes(skipped=1)


def test_a_difference_fails_with_the_first_element(project):
    image = FIXTURES.parent / "boards/stm32h747i_disco/firmware/hil-agent-single-rounding.elf"
    project.makepyfile(TEST.format(model=str(FIXTURES / "c2_bn.tflite")))
    result = run(project, "--hil-firmware", str(image))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*first difference: operator 0 (CONV_2D), tensor 15, index*"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--hil-target", "serial"], "needs --hil-port"),
        (["--hil-port", "/dev/nowhere"], "goes with --hil-target serial"),
        (["--hil-board", "toaster"], "board 'toaster' is not known"),
        (["--hil-baud", "fast", "--hil-target", "/dev/nowhere"], "expected a whole number"),
    ],
    ids=["port-missing", "port-alone", "board", "baud"],
)
def test_options_that_cannot_be_meant(project, arguments, words):
    result = run(project, *arguments)
    result.assert_outcomes(errors=1)
    assert words in result.stdout.str()


@pytest.mark.parametrize(
    ("marker", "words"),
    [
        ("", "mark it @pytest.mark.hil"),
        ("@pytest.mark.hil(seed=1)", "mark it @pytest.mark.hil"),
        ("@pytest.mark.hil(model='m', colour=1)", "takes cycles_tolerance, golden, model, seed"),
        ("@pytest.mark.hil(model=3)", "mark it @pytest.mark.hil"),
        ("@pytest.mark.hil(modle='m')", "got ['modle']"),
        ("@pytest.mark.hil('m')", "by name, got ['m']"),
        ("@pytest.mark.hil(model='m', seed=-1)", "seed=-1 is no whole number"),
        ("@pytest.mark.hil(model='m', cycles_tolerance=2)", "cycles_tolerance=2 is no fraction"),
        ("@pytest.mark.hil(model='nowhere.tflite')", "expected a readable file"),
    ],
    ids=[
        "unmarked",
        "no-model",
        "unknown-argument",
        "model-number",
        "model-misspelt",
        "positional",
        "seed",
        "tolerance",
        "missing-file",
    ],
)
def test_markers_that_cannot_be_meant(project, marker, words):
    project.makepyfile(f"import pytest\n{marker}\ndef test_model(hil_model):\n    assert False\n")
    result = run(project)
    result.assert_outcomes(errors=1)
    assert words in result.stdout.str()
