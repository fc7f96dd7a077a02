@ Uses floating point before CPACR allows it; the handler allows it and returns. r5 = 3.0f + 1,
@ r6 counts handler entries, r7 = CFSR then.
        .thumb_func
main:   movs    r6, #0
        movs    r5, #1
        movs    r0, #4
        nop
at_vmov: vmov.f32 s0, #1.5
        vadd.f32 s1, s0, s0
        vcvt.s32.f32 s1, s1
        vmov    r0, s1
        adds    r5, r0
done:   wfi
        b       done
        .thumb_func
HardFault_Handler:
        adds    r6, #1
        ldr     r0, =0xE000ED28
        ldr     r7, [r0]
        ldr     r0, =0xE000ED88
        mov     r1, #0xF00000
        str     r1, [r0]
        dsb
        isb
        bx      lr
        .ltorg
