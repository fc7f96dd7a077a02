/* Fault report: every exception lands here, is told to the host, and nothing runs after it. */
#include <string.h>

#include "agent.h"
#include "bytes.h"
#include "registers.h"

#define FAULT_STACK_BYTES 2048 /* also in fault_entry's code */

/* Frame on the stack at exception entry (DDI 0403E, B1.5.7). */
typedef struct {
  uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
} stacked_frame;

/* Its own stack: the one in use may be what overflowed. */
__attribute__((used)) static uint64_t fault_stack[FAULT_STACK_BYTES / sizeof(uint64_t)];
static frame_decoder fault_decoder;
static uint8_t fault_payload[PROTOCOL_FAULT_SIZE];

__attribute__((noreturn, used)) static void fault_report(const stacked_frame *frame,
                                                           uint32_t exception);

__attribute__((naked)) void fault_entry(void) {
  __asm volatile(
      "tst lr, #4\n\t"
      "ite eq\n\t"
      "mrseq r0, msp\n\t"
      "mrsne r0, psp\n\t"
      "mrs r1, ipsr\n\t"
      "ldr r2, =fault_stack\n\t"
      "add r2, r2, #2048\n\t"
      "msr msp, r2\n\t"
      "b fault_report\n\t"
      ".ltorg");
}

static void gather(const stacked_frame *frame, uint8_t *p) {
  const uint32_t cfsr = SCB_CFSR;
  put_u32(p + PROTOCOL_FAULT_AT_CFSR, cfsr);
  put_u32(p + PROTOCOL_FAULT_AT_HFSR, SCB_HFSR);
  put_u32(p + PROTOCOL_FAULT_AT_MMFAR, SCB_MMFAR);
  put_u32(p + PROTOCOL_FAULT_AT_BFAR, SCB_BFAR);
  put_u32(p + PROTOCOL_FAULT_AT_SP, (uint32_t)(uintptr_t)frame);
  put_u32(p + PROTOCOL_FAULT_AT_SUBGRAPH, 0);
  put_u32(p + PROTOCOL_FAULT_AT_OPERATOR, agent.running);
  if ((cfsr & (CFSR_MSTKERR | CFSR_STKERR | CFSR_MLSPERR | CFSR_LSPERR)) != 0) {
    return; /* the frame could not be written; zeros say so */
  }
  put_u32(p + PROTOCOL_FAULT_AT_R0, frame->r0);
  put_u32(p + PROTOCOL_FAULT_AT_R1, frame->r1);
  put_u32(p + PROTOCOL_FAULT_AT_R2, frame->r2);
  put_u32(p + PROTOCOL_FAULT_AT_R3, frame->r3);
  put_u32(p + PROTOCOL_FAULT_AT_R12, frame->r12);
  put_u32(p + PROTOCOL_FAULT_AT_LR, frame->lr);
  put_u32(p + PROTOCOL_FAULT_AT_PC, frame->pc);
  put_u32(p + PROTOCOL_FAULT_AT_XPSR, frame->xpsr);
}

static void send_fault(uint16_t sequence) {
  frame_send(PROTOCOL_CODE_FAULT, sequence, fault_payload, sizeof fault_payload);
}

/* Tells the host now, and again whenever it asks anything, until it asks for a reset. */
static void fault_report(const stacked_frame *frame, uint32_t exception) {
  put_u32(fault_payload + PROTOCOL_FAULT_AT_EXCEPTION, exception & 0x1FFu);
  gather(frame, fault_payload);
  send_fault(PROTOCOL_UNSOLICITED_SEQUENCE);
  for (;;) {
    uint8_t byte;
    if (board_receive(&byte) != BOARD_BYTE || frame_push(&fault_decoder, byte) != FRAME_READY) {
      continue;
    }
    if (frame_code(&fault_decoder) == PROTOCOL_CODE_RESET) {
      frame_send(PROTOCOL_CODE_RESET_REPLY, frame_sequence(&fault_decoder), fault_payload, 0);
      board_reset();
    }
    send_fault(frame_sequence(&fault_decoder));
  }
}
