"""The arena over time: what is drawn, in all its forms."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import pyref
from hil import cli
from hil.check.steps import steps
from hil.errors import UsageError
from hil.report import picture as drawing
from hil.report.picture_text import text
from tests.hil.public_models import FIXTURES, public_model

SVG = "{http://www.w3.org/2000/svg}"


def planned(name, **more):
    local = FIXTURES / f"{name}.tflite"
    path = local if local.exists() else public_model(f"{name}.tflite")
    model = pyref.Model.from_file(path)
    return pyref.plan(model, **more), steps(model), model


MODELS = ["dense", "odd", "c2_bn", "mlperf_tiny/vww_96_int8", "micro_wake_word/vad"]


@pytest.mark.parametrize("name", MODELS)
def test_every_buffer_is_a_block_inside_the_plot(name):
    plan, scopes, _ = planned(name)
    drawn = drawing.picture(plan, scopes)
    assert len(drawn.blocks) == sum(p.buffer.size > 0 for p in plan.placed)
    assert len(drawn.steps) == len(drawn.live_bytes)
    for block in drawn.blocks:
        assert 0 <= block.first <= block.last < len(drawn.steps)
        assert 0 <= block.offset < block.offset + block.size <= drawn.head_bytes
    assert max(b.offset + b.size for b in drawn.blocks) == plan.head_bytes
    assert drawn.tail_bytes == plan.tail_bytes


@pytest.mark.parametrize("name", MODELS)
def test_blocks_alive_together_do_not_overlap(name):
    plan, scopes, _ = planned(name)
    blocks = drawing.picture(plan, scopes).blocks
    for k, a in enumerate(blocks):
        for b in blocks[k + 1 :]:
            together = a.first <= b.last and b.first <= a.last
            share = a.offset < b.offset + b.size and b.offset < a.offset + a.size
            assert not (together and share), (a.label, b.label)


@pytest.mark.parametrize("name", MODELS)
def test_svg_is_xml_with_a_title_for_each_block(name):
    plan, scopes, _ = planned(name)
    root = ET.fromstring(drawing.svg(plan, scopes))  # noqa: S314 - our own output
    titles = [t.text for t in root.iter(f"{SVG}title")]
    drawn = drawing.picture(plan, scopes)
    for block in drawn.blocks:
        assert any(t.startswith(f"{block.label}: {block.size:,} bytes at") for t in titles)
    words = " ".join(t.text or "" for t in root.iter(f"{SVG}text"))
    assert drawn.peak_text in words
    assert drawn.title in words


def test_the_peak_and_the_gaps_are_told():
    plan, scopes, _ = planned("c2_bn")
    drawn = drawing.picture(plan, scopes)
    assert drawn.peak_text == "peak: operator 1 (MAX_POOL_2D), 768,000 bytes alive"
    plan, scopes, _ = planned("mlperf_tiny/vww_96_int8")
    assert drawing.picture(plan, scopes).peak_text == (
        "peak: operator 2 (CONV_2D), 55,296 bytes alive; the head has 18,432 more, in gaps"
    )


def test_steps_follow_subgraphs():
    plan, scopes, model = planned("micro_wake_word/vad")
    assert str(scopes[0]) == "inputs, before operator 0"
    assert [s.tick for s in scopes[:4]] == ["in", "0", "1:", "1:0"]
    assert str(scopes[2]) == "entering subgraph 1"
    assert str(scopes[3]) == "operator 0 of subgraph 1 (VAR_HANDLE)"
    operators = sum(len(s.operators) for s in model.subgraphs)
    assert sum(s.index >= 0 for s in scopes) == operators
    assert len(scopes) == len(plan.live_bytes())


@pytest.mark.parametrize("name", ["dense", "odd", "c2_bn", "mlperf_tiny/vww_96_int8"])
def test_without_subgraphs_a_step_is_an_operator(name):
    plan, scopes, model = planned(name)
    assert len(scopes) == len(model.subgraphs[0].operators) + 1
    for placed in plan.placed:
        if placed.buffer.kind == "scratch":
            assert scopes[placed.buffer.first_use].index == placed.buffer.node


@pytest.mark.parametrize(
    ("size", "ticks"),
    [
        (0, [0]),
        (32, [0, 10, 20, 32]),
        (2448, [0, 500, 1000, 1500, 2000, 2448]),
        (768_000, [0, 200_000, 400_000, 600_000, 768_000]),
        (1_000_000, [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]),
    ],
)
def test_ticks_are_round_and_end_at_the_head(size, ticks):
    assert drawing.axis_ticks(size) == ticks


@pytest.mark.parametrize(
    ("words", "width", "expected"),
    [
        ("short", 100, "short"),
        ("a/long/name/Conv2D", 60, "…e/Conv2D"),
        ("a/long/name/Conv2D", 20, ""),
    ],
)
def test_words_are_cut_at_the_front(words, width, expected):
    assert drawing.fit(words, width) == expected


def test_the_engine_is_named():
    plan, scopes, _ = planned("dense", tflm="hil-1")
    assert "engine hil-1" in drawing.picture(plan, scopes).title


@pytest.mark.parametrize("width", [20, 76])
@pytest.mark.parametrize("name", MODELS)
def test_text_fits_its_width_and_marks_the_peak(name, width):
    plan, scopes, _ = planned(name)
    lines = text(plan, scopes, width=width, height=8).splitlines()
    plot = [line for line in lines if line[13:14] in {"|", "+"}]
    assert len(plot) == 9
    assert all(len(line) <= width + 14 for line in plot)
    assert "^" in plot[-1]
    assert any("peak: " in line for line in lines)
    assert plot[0].split("|")[0].strip() == f"{plan.head_bytes:,}"


def test_text_of_c2_bn():
    plan, scopes, _ = planned("c2_bn", tflm="hil-1")
    lines = text(plan, scopes, width=17, height=5).splitlines()
    assert lines[1:8] == [
        "     768,000 |AACC·············",
        "     614,400 |·BB··············",
        "     460,800 |·BB·EE···········",
        "     307,200 |·BBDD·GG·········",
        "     153,600 |·BBDDFFHHIIIILLPQ",
        "           0 +--^--------------",
        "              peak: operator 1 (MAX_POOL_2D), 768,000 bytes alive",
    ]
    assert "C tensor 16 ...bn_model/max_pooling2d_0/MaxPool: 153,600 bytes at 614,400" in lines[10]
    assert lines[-2].strip() == "and 5 smaller"
    assert lines[-1].strip().startswith("Tail: 4,560 bytes")


@pytest.mark.parametrize("suffix", [".svg", ".SVG", ".png"])
def test_files(tmp_path, suffix, capsys):
    if suffix == ".png":
        pytest.importorskip("matplotlib", reason="a .png needs the extra `plot`")
    path = tmp_path / f"arena{suffix}"
    command = ["check", str(FIXTURES / "dense.tflite"), "--picture", str(path)]
    assert cli.execute(command) == 0
    capsys.readouterr()
    begin = path.read_bytes()[:8]
    assert begin == b"\x89PNG\r\n\x1a\n" if suffix == ".png" else begin.startswith(b"<svg")


@pytest.mark.parametrize(
    ("name", "words"),
    [("arena.jpg", "a picture is a .svg or a .png file"), ("none/arena.svg", "cannot be written")],
)
def test_pictures_that_cannot_be_drawn(tmp_path, name, words):
    plan, scopes, _ = planned("dense")
    with pytest.raises(UsageError, match=words):
        drawing.draw(plan, scopes, tmp_path / name)


def test_a_png_without_matplotlib_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    plan, scopes, _ = planned("dense")
    with pytest.raises(UsageError, match=r"pip install 'tflm-hil\[plot\]'"):
        drawing.draw(plan, scopes, tmp_path / "arena.png")


def test_the_page_of_a_run_has_the_picture(tmp_path, capsys):
    page = tmp_path / "run.html"
    cli.execute(["run", str(FIXTURES / "dense.tflite"), "--html", str(page)])
    capsys.readouterr()
    assert "Arena head:" in page.read_text(encoding="utf-8")
