@ Copies a function to ITCM, runs it, changes it, invalidates the instruction cache, runs it.
        .thumb_func
main:   movs    r4, #0
        ldr     r5, =0x100
        ldr     r0, =one
        bic     r0, r0, #1
        ldr     r0, [r0]
        str     r0, [r4, r5]
        adds    r5, #1
        blx     r5
        mov     r6, r0
        ldr     r0, =two
        bic     r0, r0, #1
        ldr     r0, [r0]
        subs    r5, #1
        str     r0, [r4, r5]
        ldr     r1, =0xE000EF50
        movs    r0, #0
        str     r0, [r1]                @ ICIALLU
        dsb
        isb
        adds    r5, #1
        blx     r5
        mov     r7, r0
done:   wfi
        b       done
        .align  2
        .thumb_func
one:    movs    r0, #1
        bx      lr
        .align  2
        .thumb_func
two:    movs    r0, #2
        bx      lr
        .ltorg
