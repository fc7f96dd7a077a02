@ Looks for input once per 500-instruction piece of work: busy, not idle. r6 counts pieces.
        .thumb_func
main:   ldr     r4, =0x40011000
        movs    r0, #0x5                @ UE, RE
        str     r0, [r4]
        movs    r6, #0
piece:  movs    r2, #250
work:   subs    r2, #1
        bne     work
        adds    r6, #1
        ldr     r0, [r4, #0x1c]
        lsls    r0, r0, #26
        bpl     piece
done:   wfi
        b       done
        .ltorg
