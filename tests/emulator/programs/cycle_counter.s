@ r5: CYCCNT read with the lock closed; r6: LSR then; r7: a difference over 1000 loops with the
@ lock open; r8: LSR then; r9: a difference with TRCENA off again.
        .thumb_func
main:   ldr     r4, =0xE0001000
        ldr     r3, =0xE000EDFC
        mov     r0, #0x1000000
        str     r0, [r3]                @ DEMCR.TRCENA
        movs    r0, #1
        str     r0, [r4]                @ ignored: locked
        bl      work
        ldr     r5, [r4, #4]
        ldr     r6, =0xE0001FB4
        ldr     r6, [r6]
        ldr     r0, =0xC5ACCE55
        ldr     r1, =0xE0001FB0
        str     r0, [r1]
        ldr     r8, [r1, #4]
        movs    r0, #1
        str     r0, [r4]
        ldr     r10, [r4, #4]
        bl      work
        ldr     r7, [r4, #4]
        sub     r7, r7, r10
        movs    r0, #0
        str     r0, [r3]
        ldr     r10, [r4, #4]
        bl      work
        ldr     r9, [r4, #4]
        sub     r9, r9, r10
done:   wfi
        b       done
        .thumb_func
work:   mov     r2, #1000
1:      subs    r2, #1
        bne     1b
        bx      lr
        .ltorg
