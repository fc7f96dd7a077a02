@ Double precision, which Cortex-M7 of STM32H747 has (field failure 44). r0..r3 hold results.
        .thumb_func
main:   ldr     r0, =0xE000ED88
        mov     r1, #0xF00000
        str     r1, [r0]
        dsb
        isb
        vmov.f64 d0, #1.5
        vmov.f64 d1, #2.0
        vadd.f64 d2, d0, d1             @ 3.5
        vmul.f64 d2, d2, d1             @ 7
        vdiv.f64 d3, d2, d1             @ 3.5
        vfma.f64 d3, d0, d1             @ 6.5
        vsqrt.f64 d4, d1
        vcvt.s32.f64 s0, d2
        vmov    r0, s0                  @ 7
        vadd.f64 d3, d3, d3             @ 13
        vcvtr.s32.f64 s0, d3
        vmov    r1, s0                  @ 13
        vmov    r2, r3, d4              @ sqrt(2)
        vpush   {d8, d9}
        vpop    {d8, d9}
done:   wfi
        b       done
        .ltorg
