/* Vector table and reset: what has to happen before C can run. */
#include <stdint.h>

#include "agent.h"
#include "registers.h"

extern uint32_t __stack_top, __data_load, __data_start, __data_end, __bss_start, __bss_end;

__attribute__((noreturn)) void Reset_Handler(void);
void fault_entry(void);

#define VECTOR(function) ((uintptr_t)(function))

/* DDI 0403E, B1.5.2. No interrupt is ever enabled, so the table ends with the system exceptions. */
__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))(uintptr_t)&__stack_top,
    Reset_Handler,
    fault_entry, /* NMI */
    fault_entry, /* HardFault */
    fault_entry, /* MemManage */
    fault_entry, /* BusFault */
    fault_entry, /* UsageFault */
    fault_entry, fault_entry, fault_entry, fault_entry, /* reserved */
    fault_entry, /* SVCall */
    fault_entry, /* DebugMonitor */
    fault_entry, /* reserved */
    fault_entry, /* PendSV */
    fault_entry, /* SysTick */
};

void Reset_Handler(void) {
  uint32_t *to;
  const uint32_t *from = &__data_load;
  SCB_CPACR |= CPACR_CP10_CP11_FULL;
  SCB_VTOR = (uint32_t)(uintptr_t)vectors;
  SCB_SHCSR |= SHCSR_FAULTS;
  SCB_CCR |= CCR_DIV_0_TRP;
  barrier();
  for (to = &__data_start; to < &__data_end; to++) {
    *to = *from++;
  }
  for (to = &__bss_start; to < &__bss_end; to++) {
    *to = 0;
  }
  agent_init();
  for (;;) {
    uint8_t byte = 0;
    const board_received received = board_receive(&byte);
    agent_receive(received, byte);
  }
}
