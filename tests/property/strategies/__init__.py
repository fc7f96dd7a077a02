"""One file per family of operators: functions from a `Draw` to an `Instance`."""
