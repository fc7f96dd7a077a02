@ SysTick every 1000 cycles: three while turning, two more asleep. r4 turns, r5 ticks, r6 IPSR in
@ the handler, r7 times woken.
        .thumb_func
main:   movs    r4, #0
        movs    r5, #0
        movs    r7, #0
        ldr     r0, =0xE000E010
        ldr     r1, =999
        str     r1, [r0, #4]
        str     r1, [r0, #8]
        movs    r1, #7
        str     r1, [r0]
turn:   adds    r4, #1
        cmp     r5, #3
        blt     turn
sleep:  wfi
        nop
        adds    r7, #1
        cmp     r5, #5
        blt     sleep
        movs    r1, #0
        str     r1, [r0]
done:   wfi
        b       done
        .thumb_func
SysTick_Handler:
        adds    r5, #1
        mrs     r6, ipsr
        bx      lr
        .ltorg
