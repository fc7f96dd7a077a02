@ Every memory of the board: a word in its first and last place, read back. r0 = number right.
        .thumb_func
main:   movs    r0, #0
        adr     r4, table
next:   ldr     r1, [r4], #4
        cmn     r1, #1
        beq     done
        mvns    r2, r1
        str     r2, [r1]
        ldr     r3, [r1]
        cmp     r3, r2
        it      eq
        addeq   r0, #1
        b       next
done:   wfi
        b       done
        .align  2
table:  .word   0x00000000, 0x0000FFFC, 0x20000000, 0x2001FFFC, 0x24000000, 0x2407FFFC
        .word   0x30000000, 0x3001FFFC, 0x30020000, 0x3003FFFC, 0x30040000, 0x30047FFC
        .word   0x38000000, 0x3800FFFC, 0x38800000, 0x38800FFC, 0xD0000000, 0xD03FFFFC
        .word   0xFFFFFFFF
