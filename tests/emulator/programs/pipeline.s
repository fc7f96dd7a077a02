@ Basic blocks whose modelled cycles test_emulator_timing.py states; never run.
        .thumb_func
main:
alu_independent:
        adds    r0, #1
        adds    r1, #1
        adds    r2, #1
        adds    r3, #1
        adds    r4, #1
        adds    r5, #1
        adds    r6, #1
        adds    r7, #1
end_alu_independent:
load_sequential:
        ldr     r1, [r0, #0]
        ldr     r2, [r0, #4]
        ldr     r3, [r0, #8]
        ldr     r4, [r0, #12]
        ldr     r5, [r0, #16]
        ldr     r6, [r0, #20]
        ldr     r7, [r0, #24]
        ldr     r1, [r0, #28]
end_load_sequential:
smlad_one_accumulator:
        smlad   r4, r0, r1, r4
        smlad   r4, r0, r1, r4
        smlad   r4, r0, r1, r4
        smlad   r4, r0, r1, r4
end_smlad_one_accumulator:
sxtb16_independent:
        sxtb16  r1, r0
        sxtb16  r2, r0
        sxtb16  r3, r0
        sxtb16  r4, r0
end_sxtb16_independent:
load_post_index:
        ldr     r1, [r0], #4
        ldr     r2, [r0], #4
        ldr     r3, [r0], #4
        ldr     r4, [r0], #4
end_load_post_index:
load_byte_post_index:
        ldrsb   r1, [r0], #1
        ldrsb   r2, [r0], #1
        ldrsb   r3, [r0], #1
        ldrsb   r4, [r0], #1
end_load_byte_post_index:
store_byte_post_index:
        strb    r1, [r0], #1
        strb    r2, [r0], #1
        strb    r3, [r0], #1
        strb    r4, [r0], #1
end_store_byte_post_index:
push_four:
        push    {r4-r7}
end_push_four:
load_multiple_four:
        ldm     r0, {r1-r4}
end_load_multiple_four:
pointer_chase:
        ldr     r0, [r0]
        ldr     r0, [r0]
        ldr     r0, [r0]
        ldr     r0, [r0]
end_pointer_chase:
pointer_chase_loop:
        ldr     r0, [r0]
        b       pointer_chase_loop
end_pointer_chase_loop:
count_loop:
        subs    r0, #1
        bne     count_loop
end_count_loop:
divide_chain:
        sdiv    r0, r0, r1
        sdiv    r0, r0, r1
end_divide_chain:
fused_multiply_add_chain:
        vfma.f32s0, s1, s2
        vfma.f32s0, s1, s2
        vfma.f32s0, s1, s2
        vfma.f32s0, s1, s2
end_fused_multiply_add_chain:
divide_float:
        vdiv.f32s0, s0, s1
        vadd.f32s0, s0, s0
end_divide_float:
multiply_double_chain:
        vmul.f64d0, d0, d1
        vmul.f64d0, d0, d1
end_multiply_double_chain:
nops:
        nop
        nop
        nop
        nop
end_nops:
wait_for_loaded_multiplicand:
        ldr     r1, [r0]
        mla     r4, r1, r2, r4
end_wait_for_loaded_multiplicand:
loaded_but_not_multiplied:
        ldr     r3, [r0]
        mla     r4, r1, r2, r4
end_loaded_but_not_multiplied:
push_doubles:
        vpush   {d8, d9}
end_push_doubles:
dot_product_of_bytes:
        ldr     r4, [r0], #4
        ldr     r5, [r1], #4
        sxtb16  r6, r4
        sxtb16  r7, r5
        sxtb16  r4, r4, ror #8
        sxtb16  r5, r5, ror #8
        smlad   r2, r6, r7, r2
        smlad   r2, r4, r5, r2
end_dot_product_of_bytes:
