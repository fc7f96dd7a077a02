@ SVC from thread mode on PSP with live floating point: everything comes back as it was.
        .thumb_func
main:   ldr     r0, =0xE000ED88
        mov     r1, #0xF00000
        str     r1, [r0]
        dsb
        isb
        ldr     r0, =0x20008000
        msr     psp, r0
        movs    r0, #2                  @ SPSEL
        msr     control, r0
        isb
        movs    r0, #10
        movs    r1, #11
        movs    r2, #12
        movs    r3, #13
        mov     r12, r3
        vmov.f32 s0, #1.5
        vmov.f32 s15, #2.5
        adds    r4, r0, #0
        cmp     r0, #11                 @ negative
        svc     #3
after:  mrs     r5, control
        mrs     r6, ipsr
        mrs     r7, apsr
done:   wfi
        b       done
        .thumb_func
SVC_Handler:
        mrs     r8, ipsr
        mov     r9, lr
        mrs     r10, psp
        ldr     r10, [r10, #24]         @ stacked PC
        movs    r0, #0
        movs    r1, #0
        movs    r2, #0
        movs    r3, #0
        mov     r12, r0
        vmov    s0, r0
        vmov    s15, r0
        cmp     r0, r0
        bx      lr
        .ltorg
