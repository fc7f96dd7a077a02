@ Sends "ready", then every byte back plus one.
        .thumb_func
main:   ldr     r4, =0x40011000
        movs    r0, #0xd                @ UE, RE, TE
        str     r0, [r4]
        adr     r5, banner
next:   ldrb    r0, [r5], #1
        cbz     r0, echo
        bl      put
        b       next
echo:   ldr     r0, [r4, #0x1c]
        lsls    r0, r0, #26             @ RXNE
        bpl     echo
        ldr     r0, [r4, #0x24]
        adds    r0, #1
        bl      put
        b       echo
        .thumb_func
put:    ldr     r1, [r4, #0x1c]
        lsls    r1, r1, #24             @ TXE
        bpl     put
        str     r0, [r4, #0x28]
        bx      lr
        .align  2
banner: .asciz  "ready"
        .ltorg
