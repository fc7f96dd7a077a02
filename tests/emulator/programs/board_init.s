@ The ready-waits of a board's start-up: supply, oscillator, PLL, clock switch, SDRAM, GPIO.
        .thumb_func
main:   ldr     r4, =0x58024800         @ PWR
        ldr     r0, [r4, #0x0c]
        str     r0, [r4, #0x0c]
1:      ldr     r0, [r4, #0x04]         @ CSR1.ACTVOSRDY
        lsls    r0, r0, #18
        bpl     1b
        mov     r0, #0xC000             @ D3CR.VOS = 3
        str     r0, [r4, #0x18]
1:      ldr     r0, [r4, #0x18]         @ VOSRDY
        lsls    r0, r0, #18
        bpl     1b
        ldr     r5, [r4, #0x04]         @ ACTVOS follows
        ldr     r4, =0x58024400         @ RCC
        ldr     r0, [r4]
        orr     r0, #0x10000            @ HSEON
        str     r0, [r4]
1:      ldr     r0, [r4]
        lsls    r0, r0, #14             @ HSERDY
        bpl     1b
        ldr     r0, [r4]
        orr     r0, #0x1000000          @ PLL1ON
        str     r0, [r4]
1:      ldr     r0, [r4]
        lsls    r0, r0, #6              @ PLL1RDY
        bpl     1b
        movs    r0, #3                  @ SW = PLL1
        str     r0, [r4, #0x10]
1:      ldr     r0, [r4, #0x10]
        and     r0, #0x38
        cmp     r0, #0x18
        bne     1b
        ldr     r4, =0x52004000         @ FMC
        movs    r0, #0x11
        str     r0, [r4, #0x150]
1:      ldr     r0, [r4, #0x158]        @ SDSR.BUSY
        lsls    r0, r0, #26
        bmi     1b
        ldr     r4, =0x58022000         @ GPIOI
        mov     r0, #0x1000000          @ pin 12 output
        str     r0, [r4]
        mov     r0, #0x1000
        str     r0, [r4, #0x18]
        ldr     r6, [r4, #0x10]
        ldr     r4, =0x5C001000         @ DBGMCU
        ldr     r7, [r4]
done:   wfi
        b       done
        .ltorg
