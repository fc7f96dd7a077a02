@ Pends PendSV while PRIMASK masks it. r5: handler entries before CPSIE; r6: soon after.
        .thumb_func
main:   movs    r4, #0
        ldr     r0, =0xE000ED04
        cpsid   i
        mov     r1, #0x10000000
        str     r1, [r0]
        b       1f
1:      mov     r2, #500
1:      subs    r2, #1
        bne     1b
        mov     r5, r4
        ldr     r8, [r0]
        cpsie   i
        mov     r2, #500
1:      subs    r2, #1
        bne     1b
        mov     r6, r4
done:   wfi
        b       done
        .thumb_func
PendSV_Handler:
        adds    r4, #1
        mrs     r7, ipsr
        bx      lr
        .ltorg
