@ Faults, and faults again in the HardFault handler.
        .thumb_func
main:   ldr     r2, =0x60000000
first:  ldr     r0, [r2]
        .thumb_func
HardFault_Handler:
        ldr     r2, =0x70000000
second: str     r0, [r2]
        b       second
        .ltorg
