@ Transmits and polls with the USART off: nothing is sent, and it is not waiting for input.
        .thumb_func
main:   ldr     r4, =0x40011000
        movs    r0, #0x41
        str     r0, [r4, #0x28]
wait:   ldr     r0, [r4, #0x1c]
        lsls    r0, r0, #26
        bpl     wait
        .ltorg
