"""Slots of the int64 array that `emulator.native` and the Python side share, one per machine."""

from __future__ import annotations

import zlib
from typing import Final

# Run control and totals.
STOP: Final = 0  # why the native side asked Unicorn to stop, one of STOP_*; 0 while running
INSTRUCTIONS: Final = 1
MODELLED_CYCLES: Final = 2
INSTRUCTION_LIMIT: Final = 3  # stop at the first block that starts at or past this many
LAST_BLOCK: Final = 4  # slot of the row of the block that ran last
FLAGS_REFUSED: Final = 5  # blocks with one of these flags stop the run before they start
NEW_BLOCK_CALLBACK: Final = 6  # void(address, size, row slot): fill in a row's constants
UC_EMU_STOP: Final = 7
UC_HANDLE: Final = 8
FETCH_ADDRESS: Final = 9  # page whose fetch was refused as execute-never
TABLE_USED: Final = 10
MISPREDICT_CYCLES: Final = 11
MISPREDICTIONS: Final = 12
PENDING_STOP: Final = 13  # a peripheral's wish, one of STOP_*, for the next block to carry out
CYCLE_LIMIT: Final = 14  # stop at the first block that starts at or past so many modelled cycles

STOP_LIMIT: Final = 1
STOP_BLOCK_REFUSED: Final = 2
STOP_TABLE_FULL: Final = 3
STOP_WAITING: Final = 4
STOP_OUTPUT: Final = 5
STOP_PERIPHERAL: Final = 6  # a Python peripheral asked; `Machine` knows what for
STOP_REFUSED: Final = 7  # a register access of a wrong width
STOP_TIMER: Final = 8  # CYCLE_LIMIT reached

# Console USART.
USART_CR1: Final = 16
USART_CR2: Final = 17
USART_CR3: Final = 18
USART_BRR: Final = 19
USART_GTPR: Final = 20
USART_RTOR: Final = 21
USART_PRESC: Final = 22
USART_ERRORS: Final = 23  # sticky ISR bits that ICR clears
USART_LAST_RDR: Final = 24
USART_RX_BUFFER: Final = 25  # host address; bytes RX_NEXT..RX_END wait for the firmware
USART_RX_NEXT: Final = 26
USART_RX_END: Final = 27
USART_TX_BUFFER: Final = 28  # host address; TX_COUNT bytes wait for the host
USART_TX_COUNT: Final = 29
USART_TX_STOP: Final = 30  # stop soon once TX_COUNT reaches this
USART_POLLS: Final = 31  # ISR reads in a row that found nothing received
USART_POLL_AT: Final = 32  # INSTRUCTIONS at the last of them
USART_IDLE_LIMIT: Final = 33  # that many make the firmware idle
USART_TX_FULL: Final = 35  # stop at once when TX_COUNT reaches this
USART_WRONG_WIDTH: Final = 34  # offset << 8 | width | write << 32 of an access to refuse; else 0

# Alignment checks: addresses with Device attributes, as (first, end) pairs.
DEVICE_COUNT: Final = 41
ALIGN_ALL: Final = 42  # CCR.UNALIGN_TRP
MISALIGNED_CALLBACK: Final = 43  # void(address, width, write): a suspicious access
DEVICE_TABLE: Final = 128
DEVICE_LIMIT: Final = 64

# Memory regions for TLB fills: first address, end, executable.
REGION_COUNT: Final = 40
REGION_TABLE: Final = 48
REGION_SLOTS: Final = 3
REGION_LIMIT: Final = 24

# Basic blocks: open-addressed table, one 64-byte row per (address, size).
BLOCK_TABLE: Final = 256
BLOCK_SLOTS: Final = 8
BLOCKS: Final = 1 << 15
BLOCK_KEY: Final = 0  # address << 16 | size; 0 is an empty row
BLOCK_COUNT: Final = 1
BLOCK_INSTRUCTIONS: Final = 2
BLOCK_CYCLES: Final = 3
BLOCK_FLAGS: Final = 4
BLOCK_NEXT: Final = 5  # predicted start of the block that follows
BLOCK_CONFIDENCE: Final = 6

SCRATCH_ROW: Final = BLOCK_TABLE + BLOCKS * BLOCK_SLOTS  # LAST_BLOCK when no block came before
STATE_SLOTS: Final = SCRATCH_ROW + BLOCK_SLOTS

FLAG_FP: Final = 1  # the block holds a floating-point instruction
FLAG_ALIGNED: Final = 2  # the block holds an access that must be aligned in any memory

FINGERPRINT: Final = zlib.crc32(
    repr(sorted((k, v) for k, v in vars().items() if k.isupper())).encode()
)
"""Changes with any slot; `native` makes numba's cache depend on it."""
