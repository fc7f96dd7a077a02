"""What Unicorn calls as machine code: block counter, TLB fill and the console USART.

A Python callback costs a microsecond; these cost nanoseconds. All state lives in one int64 array
per machine (`layout`) whose address is Unicorn's `user_data`, so that no address is compiled in
and numba's on-disk cache works. Importing this package imports no numba; its modules do.

numba's cache looks at a function's own file and at what it closes over, not at the constants it
imports. So each function here closes over `layout.FINGERPRINT`.
"""
