// What is still under way of calls: nothing of it may be left when a run is over.
import type { CallWorld } from './world.ts'

/** What must be gone when all calls are over, by its table. */
export const leftovers = {
  calls: 'ended_at is null',
  call_jobs: 'true',
  call_leases: 'true',
  call_commands: 'true',
  sip_calls: 'true',
  recordings: "state in ('recording', 'paused', 'processing')",
  recording_jobs: 'true',
} as const

export async function count({ sql }: CallWorld, table: string, where = 'true'): Promise<number> {
  const [row] = await sql<{ n: number }>(`select count(*)::integer as n from ${table} where ${where}`)
  return row?.n ?? 0
}

export async function callsUnderWay(world: CallWorld): Promise<string[]> {
  const counts = await Promise.all(
    Object.entries(leftovers).map(async ([table, where]) => [table, await count(world, table, where)] as const),
  )
  const open = world.farCalls().filter(call => call.acknowledgedMs !== undefined && call.bye === undefined).length
  return [...counts, ['calls of carriers', open] as const].filter(([, n]) => n > 0).map(([what, n]) => `${n} ${what}`)
}
