@ Counts its starts in a word that keeps its value over a reset; asks for a reset twice.
        .thumb_func
main:   ldr     r0, =0x20000000
        ldr     r1, [r0]
        adds    r1, #1
        str     r1, [r0]
        cmp     r1, #3
        beq     done
        ldr     r0, =0xE000ED0C
        ldr     r1, =0x05FA0004
        str     r1, [r0]
        dsb
        b       .
done:   wfi
        b       done
        .ltorg
