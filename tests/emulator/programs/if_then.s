@ Field failure 45: a block with IT and NOPs, however it is sliced: r1 = 2, r2 = 5, r3 = 7.
        .thumb_func
main:   movs    r0, #1
        movs    r2, #5
        b       first
first:  cmp     r0, #1
        ite     ne
        movne   r1, #1
        moveq   r1, #2
        nop
        nop
        b       second
second: nop.w
        it      eq
        moveq   r3, #7
done:   wfi
        b       done
