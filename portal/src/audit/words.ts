// Events of the audit log in words.
import type { AuditEvent } from '@tandem/sdk'

/** `user.role_changed`: User role changed. */
export function actionText(action: string): string {
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
