@ Runs its stack out of DTCM: the push faults, and the handler's frame cannot be written either.
        .thumb_func
main:   ldr     r0, =0x20000004
        mov     sp, r0
at_push: push   {r0-r3}
        b       .
        .thumb_func
HardFault_Handler:
        mrs     r1, msp
done:   wfi
        b       done
        .ltorg
