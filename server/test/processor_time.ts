// What work costs, by the processor time of this thread: that does not grow when other programs run beside the tests.

/** @returns milliseconds of the processor, from the begin of `work` to its end; it must wait for nothing */
export function processorMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
