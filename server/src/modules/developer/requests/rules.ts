// Rules of the request log: what a filter on the status means, and whose requests one sees.
import type { Role } from '../../../kernel/permission.ts'

/** `404` is that status, `4xx` the whole class. */
export function statusRange(status: string): { from: number; to: number } {
  if (!status.endsWith('xx')) return { from: Number(status), to: Number(status) }
  const from = Number(status[0]) * 100
  return { from, to: from + 99 }
}

/** An Admin sees the requests of everybody in the tenant, others their own and those of their keys. */
export function visibleUser({ role, userId }: { role: Role; userId: number }): number | null {
  return role === 'Admin' ? null : userId
}
