@ A counted loop, then idle. r0 = 1000 when done.
        .thumb_func
main:   movs    r0, #0
        mov     r1, #1000
loop:   adds    r0, #1
        cmp     r0, r1
        bne     loop
done:   wfi
        b       done
