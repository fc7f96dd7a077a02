"""Ctrl-C while Unicorn runs: never lost in a callback, and the machine can go on."""

from __future__ import annotations

import signal
import threading

import pytest

from emulator import StopReason
from emulator.blocks import BlockDecoder
from tests.emulator.emulator_programs import machine


def ended(m):
    return m.register("r0"), m.instructions, m.cycles


@pytest.fixture
def undisturbed():
    m = machine("count")
    m.run()
    return ended(m)


def interrupt():
    signal.raise_signal(signal.SIGINT)


class TestInACallback:
    def test_of_an_arrival(self, undisturbed):
        m = machine("count")
        m.on_arrival("main", interrupt)
        with pytest.raises(KeyboardInterrupt):
            m.run(max_instructions=100)
        assert m.run() is StopReason.WAITING_FOR_INPUT
        assert ended(m) == undisturbed

    def test_of_a_new_block(self, undisturbed, monkeypatch):
        describe = BlockDecoder.describe
        once = [interrupt]

        def interrupted(self, address, code):
            while once:
                once.pop()()
            return describe(self, address, code)

        monkeypatch.setattr(BlockDecoder, "describe", interrupted)
        m = machine("count")
        with pytest.raises(KeyboardInterrupt):
            m.run(max_instructions=100)
        assert m.run() is StopReason.WAITING_FOR_INPUT
        assert ended(m) == undisturbed

    def test_an_exception_of_a_handler_of_our_own_arrives_too(self):
        class OverError(Exception):
            pass

        def over(number, frame):
            raise OverError

        before = signal.signal(signal.SIGINT, over)
        try:
            m = machine("count")
            m.on_arrival("main", interrupt)
            with pytest.raises(OverError):
                m.run()
            assert signal.getsignal(signal.SIGINT) is over
        finally:
            signal.signal(signal.SIGINT, before)


def test_an_endless_loop_ends_at_once():
    m = machine("silent")
    timer = threading.Timer(0.2, signal.pthread_kill, (threading.get_ident(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        m.run(timeout_s=20)
    timer.join()


def test_the_handler_is_back_after_each_run():
    before = signal.getsignal(signal.SIGINT)
    m = machine("count")
    m.run(max_instructions=10)
    assert signal.getsignal(signal.SIGINT) is before
    m.run()
    assert signal.getsignal(signal.SIGINT) is before


def test_an_ignored_signal_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        m = machine("count")
        m.on_arrival("main", interrupt)
        assert m.run() is StopReason.WAITING_FOR_INPUT
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_thread_runs_without_touching_signals():
    m = machine("count")
    seen = []
    thread = threading.Thread(target=lambda: seen.append(m.run()))
    thread.start()
    thread.join()
    assert seen == [StopReason.WAITING_FOR_INPUT]
