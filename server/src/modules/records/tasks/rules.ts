// What becomes of a task: its states, when it is due, and who did it. Pure.
import { isoMs } from '../../../kernel/values/clock.ts'
import { invalid } from '../../../kernel/values/problem.ts'
import type { Table } from '../../../kernel/values/states.ts'

export const taskStatuses = ['open', 'done', 'canceled'] as const
export type TaskStatus = (typeof taskStatuses)[number]
export type TaskEvent = 'completed' | 'reopened' | 'canceled'

export const taskTable: Table<TaskStatus, TaskEvent> = {
  completed: { from: ['open'], to: 'done' },
  reopened: { from: ['done', 'canceled'], to: 'open' },
  canceled: { from: ['open'], to: 'canceled' },
}

type Task = { status: TaskStatus; version: number; created_by: number }
type Sent = { status?: TaskStatus; due_on?: string | null; due_at?: string | null }
type Actor = { userId: number; nowMs: number; settings: { timeZone: string } }

/** Of a new task `sent` is the draft itself. @throws Problem `validation_failed` */
export function decideTask<Given extends Sent>(
  task: Task,
  sent: Given,
  { userId, nowMs, settings: { timeZone } }: Actor,
  endOfDay: (day: string, timeZone: string) => string,
) {
  const isNew = (task as unknown) === sent
  const first = isNew ? firstEvent(task.status) : undefined
  return {
    set: {
      ...sent,
      ...dueOf(sent, day => endOfDay(day, timeZone)),
      ...(isNew && { created_by: userId }),
      ...(sent.status === 'done' && { completed_at: isoMs(nowMs), completed_by: userId }),
      ...(sent.status === 'open' && !isNew && { completed_at: null, completed_by: null }),
    },
    ...(first && { also: [first] }),
  }
}

/** A task may be written down when it is done already. */
function firstEvent(status: TaskStatus): TaskEvent | undefined {
  return (['completed', 'canceled'] as const).find(event => taskTable[event].to === status)
}

/** A day stands for its end; a moment for itself, and then for no day. */
function dueOf({ due_on, due_at }: Sent, endOf: (day: string) => string): Sent {
  if (due_on && due_at)
    throw invalid({ field: 'due_at', code: 'not_allowed', message: 'must not be sent beside due_on: one of the two' })
  if (due_on) return { due_on, due_at: endOf(due_on) }
  if (due_at) return { due_on: null, due_at }
  if (due_on === null || due_at === null) return { due_on: null, due_at: null }
  return {}
}
