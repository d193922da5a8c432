// Events of the audit log in words.
import type { AuditEvent } from '@tandem/sdk'
import { t } from './texts.ts'

/** `user.role_changed`: User role changed. What is newer than this page is said by its code. */
export function actionText(action: string): string {
  const [subject = '', past = ''] = action.split('.')
  const thing = t.of('subject', subject)
  const done = t.of('past', past)
  if (thing !== undefined && done !== undefined) return t('actionNamed', { subject: thing, past: done })
  const words = action.replaceAll(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The names of the fields that differ. */
export function changedNames({ before, after }: Pick<AuditEvent, 'before' | 'after'>): string[] {
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
}

/** A value of a field; nothing is a dash. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}
