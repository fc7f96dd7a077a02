@ Reads a letter and faults accordingly; the handler sends IPSR, CFSR, HFSR, BFAR and the stacked
@ PC as raw words, and returns to the loop. 'B' enables the BusFault, MemManage and UsageFault.
        .thumb_func
main:   ldr     r4, =0x40011000
        movs    r0, #0xd
        str     r0, [r4]
again:  ldr     r0, [r4, #0x1c]
        lsls    r0, r0, #26
        bpl     again
        ldr     r0, [r4, #0x24]
        cmp     r0, #'B'
        beq     enable
        subs    r0, #'a'
        adr     r1, table
        ldr     r1, [r1, r0, lsl #2]
        ldr     r2, =0x60000000
        ldr     r3, =0x08001000
        bx      r1
        .align  2
table:  .word   read_word, read_half, read_byte, write_byte, write_pair
        .word   flash_word, flash_half, fetch_unmapped, fetch_never, fetch_register
        .word   undefined, even, coprocessor, breakpoint, narrow_read
        .word   narrow_write, if_then, across, usart_narrow
enable: ldr     r0, =0xE000ED24
        mov     r1, #0x70000
        str     r1, [r0]
        b       again

        .thumb_func
read_word:
        nop
at_read_word:
        ldr     r0, [r2]
        b       again
        .thumb_func
read_half:
        nop
at_read_half:
        ldrsh   r0, [r2, #6]
        b       again
        .thumb_func
read_byte:
        nop
at_read_byte:
        ldrb    r0, [r2, #3]
        b       again
        .thumb_func
write_byte:
        movs    r0, #1
at_write_byte:
        strb    r0, [r2], #1
        b       again
        .thumb_func
write_pair:
        nop
at_write_pair:
        strd    r0, r1, [r2, #8]
        b       again
        .thumb_func
flash_word:
        movs    r0, #1
at_flash_word:
        str     r0, [r3]
        b       again
        .thumb_func
flash_half:
        nop
at_flash_half:
        strh    r0, [r3, #2]
        b       again
        .thumb_func
fetch_unmapped:
        adds    r2, #1
        bx      r2
        .thumb_func
fetch_never:
        ldr     r2, =0xD0000101
        bx      r2
        .thumb_func
fetch_register:
        adds    r2, r4, #1
        bx      r2
        .thumb_func
undefined:
        nop
at_undefined:
        udf     #7
        b       again
        .thumb_func
even:
        bic     r1, r1, #1
        bx      r1
        .thumb_func
coprocessor:
        nop
at_coprocessor:
        cdp     p0, #0, c0, c0, c0
        b       again
        .thumb_func
breakpoint:
        nop
at_breakpoint:
        bkpt    #1
        b       again
        .thumb_func
narrow_read:
        ldr     r2, =0x52002000         @ FLASH_ACR: words only
        nop
at_narrow_read:
        ldrb    r0, [r2]
        b       again
        .thumb_func
narrow_write:
        ldr     r2, =0x52002000
        movs    r0, #0
at_narrow_write:
        strh    r0, [r2, #4]
        b       again
        .thumb_func
if_then:
        cmp     r0, r0
        itt     eq
        moveq   r0, #1
at_if_then:
        ldreq   r0, [r2]
        b       again
        .thumb_func
across:
        ldr     r2, =0x2407fffe         @ the last two bytes of AXI SRAM and two beyond
at_across:
        ldr     r0, [r2]
        b       again
        .thumb_func
usart_narrow:
        nop
at_usart_narrow:
        ldrb    r0, [r4, #0x1c]
        b       again
        .ltorg

        .thumb_func
HardFault_Handler:
        .thumb_func
MemManage_Handler:
        .thumb_func
BusFault_Handler:
        .thumb_func
UsageFault_Handler:
        push    {r4, lr}
        ldr     r4, =0x40011000
        mrs     r0, ipsr
        bl      word
        ldr     r2, =0xE000ED28
        ldr     r0, [r2]
        str     r0, [r2]                @ clears
        bl      word
        ldr     r0, [r2, #4]
        str     r0, [r2, #4]
        bl      word
        ldr     r0, [r2, #16]
        bl      word
        ldr     r0, [sp, #32]           @ stacked PC
        bl      word
        ldr     r0, =again
        bic     r0, r0, #1
        str     r0, [sp, #32]
        mov     r0, #0x1000000          @ xPSR: T only
        str     r0, [sp, #36]
        pop     {r4, pc}
        .thumb_func
word:   movs    r1, #4
1:      str     r0, [r4, #0x28]
        lsrs    r0, r0, #8
        subs    r1, #1
        bne     1b
        bx      lr
        .ltorg
