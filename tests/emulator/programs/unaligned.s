@ Field failure 43. Reads a letter and accesses memory unaligned; r6 counts what completed.
@ 'N' makes the SDRAM Normal memory with the MPU, 'T' sets CCR.UNALIGN_TRP.
        .thumb_func
main:   ldr     r0, =0xE000ED88
        mov     r1, #0xF00000
        str     r1, [r0]
        dsb
        isb
        movs    r6, #0
        ldr     r4, =0x40011000
        movs    r0, #0xd
        str     r0, [r4]
again:  ldr     r0, [r4, #0x1c]
        lsls    r0, r0, #26
        bpl     again
        ldr     r0, [r4, #0x24]
        cmp     r0, #'N'
        beq     normal
        cmp     r0, #'T'
        beq     trap
        subs    r0, #'a'
        adr     r1, table
        ldr     r1, [r1, r0, lsl #2]
        ldr     r2, =0x24000002
        ldr     r3, =0xD0000001
        bx      r1
        .align  2
table:  .word   word_in_sram, word_in_sdram, half_in_sdram, store_in_sdram
        .word   load_multiple, load_pair, store_pair, load_double, push_low
normal: ldr     r0, =0xE000ED90
        ldr     r1, =0xD0000000
        str     r1, [r0, #0xc]
        ldr     r1, =0x030B002B         @ full access, TEX 1, C, B: Normal; 4 MB; on
        str     r1, [r0, #0x10]
        movs    r1, #5                  @ PRIVDEFENA, ENABLE
        str     r1, [r0, #0x4]
        dsb
        isb
        b       again
trap:   ldr     r0, =0xE000ED14
        ldr     r1, [r0]
        orr     r1, #8
        str     r1, [r0]
        b       again
        .thumb_func
word_in_sram:
        nop
at_word_in_sram:
        ldr     r0, [r2]
        b       counted
        .thumb_func
word_in_sdram:
        nop
at_word_in_sdram:
        ldr     r0, [r3]
        b       counted
        .thumb_func
half_in_sdram:
        nop
at_half_in_sdram:
        ldrh    r0, [r3, #2]
        b       counted
        .thumb_func
store_in_sdram:
        nop
at_store_in_sdram:
        str     r0, [r3, #4]
        b       counted
        .thumb_func
load_multiple:
        ldr     r0, [r2]
at_load_multiple:
        ldm     r2, {r0, r1}
        b       counted
        .thumb_func
load_pair:
        nop
at_load_pair:
        ldrd    r0, r1, [r2]
        b       counted
        .thumb_func
store_pair:
        nop
at_store_pair:
        strd    r0, r1, [r2, #8]
        b       counted
        .thumb_func
load_double:
        nop
at_load_double:
        vldr    d0, [r2]
        b       counted
        .thumb_func
push_low:
        mov     r7, sp
at_push_low:
        push    {r0, r1}
        mov     sp, r7
        b       counted
counted:
        adds    r6, #1
        b       again
        .ltorg
