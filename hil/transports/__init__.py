"""Byte pipes to a device: a serial port of any kind, or an emulated machine in this process."""
