/* Core registers of a Cortex-M7, by Arm's names (DDI 0403E chapter B3, DDI 0489 for the DWT lock). */
#ifndef HIL_CORTEX_M7_REGISTERS_H
#define HIL_CORTEX_M7_REGISTERS_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define DWT_CTRL REGISTER(0xE0001000u)
#define DWT_CYCCNT REGISTER(0xE0001004u)
#define DWT_LAR REGISTER(0xE0001FB0u)
#define DWT_LAR_KEY 0xC5ACCE55u
#define DWT_CTRL_CYCCNTENA (1u << 0)

#define SCB_CPUID REGISTER(0xE000ED00u)
#define SCB_VTOR REGISTER(0xE000ED08u)
#define SCB_AIRCR REGISTER(0xE000ED0Cu)
#define SCB_CCR REGISTER(0xE000ED14u)
#define SCB_SHCSR REGISTER(0xE000ED24u)
#define SCB_CFSR REGISTER(0xE000ED28u)
#define SCB_HFSR REGISTER(0xE000ED2Cu)
#define SCB_MMFAR REGISTER(0xE000ED34u)
#define SCB_BFAR REGISTER(0xE000ED38u)
#define SCB_CCSIDR REGISTER(0xE000ED80u)
#define SCB_CSSELR REGISTER(0xE000ED84u)
#define SCB_CPACR REGISTER(0xE000ED88u)
#define SCB_ICIALLU REGISTER(0xE000EF50u)
#define SCB_DCISW REGISTER(0xE000EF60u)

#define AIRCR_SYSRESETREQ (0x05FA0000u | 1u << 2)
#define CCR_DIV_0_TRP (1u << 4)
#define CCR_DC (1u << 16)
#define CCR_IC (1u << 17)
#define SHCSR_FAULTS (7u << 16) /* MEMFAULTENA, BUSFAULTENA, USGFAULTENA */
#define CFSR_MSTKERR (1u << 4)
#define CFSR_MLSPERR (1u << 5)
#define CFSR_STKERR (1u << 12)
#define CFSR_LSPERR (1u << 13)
#define CPACR_CP10_CP11_FULL (0xFu << 20)

#define MPU_CTRL REGISTER(0xE000ED94u)
#define MPU_RNR REGISTER(0xE000ED98u)
#define MPU_RBAR REGISTER(0xE000ED9Cu)
#define MPU_RASR REGISTER(0xE000EDA0u)
#define MPU_CTRL_ENABLE (1u << 0)
#define MPU_CTRL_PRIVDEFENA (1u << 2)
#define RASR_ENABLE (1u << 0)
#define RASR_SIZE(log2_bytes) ((uint32_t)((log2_bytes)-1u) << 1)
#define RASR_SRD(subregions_off) ((uint32_t)(subregions_off) << 8)
#define RASR_NORMAL_WRITE_BACK_ALLOCATE (1u << 19 | 1u << 17 | 1u << 16) /* TEX 1, C, B */
#define RASR_SHAREABLE (1u << 18)
#define RASR_NO_ACCESS (0u << 24)
#define RASR_FULL_ACCESS (3u << 24)
#define RASR_XN (1u << 28)

#define DEMCR REGISTER(0xE000EDFCu)
#define DEMCR_TRCENA (1u << 24)

#define barrier() __asm volatile("dsb\n\tisb" ::: "memory")

#endif
