// The policy as the form has it: texts as they are typed, and what of them is a change.
import type { SecurityGetReply } from '@tandem/sdk'
import { wholeOrNull } from '../forms/number_text.ts'
import { t } from './texts.ts'

export type Policy = Omit<SecurityGetReply, 'version' | 'members' | 'membersWithoutSecondFactor'>
export type Typed = {
  requireSecondFactor: boolean
  trustDeviceDays: string
  sessionIdleMinutes: string
  sessionMaxHours: string
  allowedAddresses: string
  magicLink: boolean
  passwordMin: string
  apiKeysMaxDays: string
}

export const shown = [
  'requireSecondFactor',
  'trustDeviceDays',
  'sessionIdleMinutes',
  'sessionMaxHours',
  'allowedAddresses',
  'magicLink',
  'passwordMin',
  'apiKeysMaxDays',
] as const

export function typedOf(policy: Policy): Typed {
  return {
    requireSecondFactor: policy.requireSecondFactor,
    magicLink: policy.magicLink,
    trustDeviceDays: String(policy.trustDeviceDays),
    sessionIdleMinutes: String(policy.sessionIdleMinutes),
    sessionMaxHours: String(policy.sessionMaxHours),
    allowedAddresses: policy.allowedAddresses.join('\n'),
    passwordMin: policy.passwordMin === null ? '' : String(policy.passwordMin),
    apiKeysMaxDays: policy.apiKeysMaxDays === null ? '' : String(policy.apiKeysMaxDays),
  }
}

/** What was typed and differs from what is stored. */
export function changeOf(stored: Policy, typed: Typed): Partial<Policy> {
  const wanted: Record<string, unknown> = {
    ...typed,
    trustDeviceDays: wholeOrNull(typed.trustDeviceDays),
    sessionIdleMinutes: wholeOrNull(typed.sessionIdleMinutes),
    sessionMaxHours: wholeOrNull(typed.sessionMaxHours),
    passwordMin: wholeOrNull(typed.passwordMin),
    apiKeysMaxDays: wholeOrNull(typed.apiKeysMaxDays),
    allowedAddresses: typed.allowedAddresses.split(/[\s,]+/).filter(Boolean),
  }
  const differs = shown.filter(name => JSON.stringify(wanted[name]) !== JSON.stringify(stored[name]))
  return Object.fromEntries(differs.map(name => [name, wanted[name]])) as Partial<Policy>
}

export type Concerned = {
  members: number
  needSecondFactor: number
  sessionsEnding: number
  membersElsewhere: number
  keysOutliving: number
}

/** Sentences that say whom a change concerns. */
export function consequences(change: Partial<Policy>, concerned: Concerned): string[] {
  const { members, needSecondFactor, sessionsEnding, membersElsewhere, keysOutliving } = concerned
  const said: string[] = []
  if (change.requireSecondFactor === true) {
    said.push(needSecondFactor === 0 ? t('said.factorAll') : t('said.factor', { count: needSecondFactor, members }))
  }
  if (sessionsEnding > 0) said.push(t('said.sessions', { count: sessionsEnding }))
  if (change.allowedAddresses !== undefined && change.allowedAddresses.length > 0) {
    said.push(membersElsewhere === 0 ? t('said.elsewhereNobody') : t('said.elsewhere', { count: membersElsewhere }))
  }
  if (keysOutliving > 0) said.push(t('said.keys', { count: keysOutliving }))
  if (change.passwordMin != null) said.push(t('said.passwords'))
  return said
}
