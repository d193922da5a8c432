// How long what piles up is kept, by class: what the product says, what the installation makes of it, and what organizations may choose.

declare module '../../../kernel/endpoint/endpoint.ts' {
  interface Services {
    /** For how long what piles up is kept, where an organization says nothing else, and what it may choose. */
    retention: RetentionSettings
  }
}

export const retentionClasses = [
  'events',
  'messages',
  'calls',
  'recordings',
  'call_traces',
  'mails',
  'request_log',
  'webhook_deliveries',
  'audit',
] as const
export type RetentionClass = (typeof retentionClasses)[number]

/** Days: kept where an organization says nothing, and the fewest and most that one may choose. */
export type RetentionDays = { readonly days: number; readonly min: number; readonly max: number }
export type RetentionSettings = Readonly<Record<RetentionClass, RetentionDays>>

/** What the product says of each class, and what is in it, as people read it. */
export const retentionDefaults: Readonly<Record<RetentionClass, RetentionDays & { holds: string }>> = {
  events: { days: 400, min: 30, max: 3_650, holds: 'Events: the history that webhooks and streams are made of.' },
  messages: {
    days: 1_095,
    min: 30,
    max: 3_650,
    holds: 'Text messages, and conversations that are closed; those of an open conversation stay.',
  },
  calls: { days: 1_095, min: 30, max: 3_650, holds: 'Calls with all that is known of them, and conferences.' },
  recordings: {
    days: 1_095,
    min: 1,
    max: 3_650,
    holds: 'Recordings and voicemail; a call stays as long as its recording.',
  },
  call_traces: {
    days: 30,
    min: 1,
    max: 365,
    holds: 'SIP messages of calls: what was said to carriers and telephones, with the numbers.',
  },
  mails: {
    days: 1_095,
    min: 30,
    max: 3_650,
    holds: 'Mails about records, and mails that came in. Mails to members are kept for 90 days.',
  },
  request_log: { days: 7, min: 1, max: 90, holds: 'The request log, with bodies and answers as far as it has them.' },
  webhook_deliveries: { days: 30, min: 7, max: 90, holds: 'Deliveries of webhooks, with what receivers replied.' },
  audit: { days: 400, min: 90, max: 3_650, holds: 'The audit log.' },
}

const entryPattern = /^([a-z_]+)=(\d{1,5})(?::(\d{1,5})-(\d{1,5}))?$/

/**
 * One entry of the setting: `messages=730`, or with what organizations may choose, `messages=730:30-1095`.
 * @returns undefined where it is none: not a class, more than ten years, or days outside of their bounds. The audit log and SIP messages have
 * settings of their own.
 */
export function parseRetention(text: string): { name: RetentionClass; kept: RetentionDays } | undefined {
  const [, name, days, min, max] = entryPattern.exec(text) ?? []
  const standing = retentionDefaults[name as RetentionClass]
  if (standing === undefined || name === 'audit' || name === 'call_traces') return undefined
  const kept = {
    days: Number(days),
    min: min === undefined ? Math.min(standing.min, Number(days)) : Number(min),
    max: max === undefined ? Math.max(standing.max, Number(days)) : Number(max),
  }
  const isSound = kept.min >= 1 && kept.min <= kept.days && kept.days <= kept.max && kept.max <= 36_500
  return isSound ? { name: name as RetentionClass, kept } : undefined
}

/** Puts together what the settings of the process say. `recordingDays` 0: recordings are kept as long as their calls. */
export function retentionOf({
  retention,
  recordingDays,
  callTraceDays,
  auditDays,
}: {
  retention: readonly string[]
  recordingDays: number
  callTraceDays: number
  auditDays: number
}): RetentionSettings {
  const said = Object.fromEntries(
    retention.flatMap(text => {
      const entry = parseRetention(text)
      return entry === undefined ? [] : [[entry.name, entry.kept]]
    }),
  ) as Partial<RetentionSettings>
  const of = (name: RetentionClass): RetentionDays => {
    const { days, min, max } = said[name] ?? retentionDefaults[name]
    return { days, min, max }
  }
  const withDays = (name: RetentionClass, days: number): RetentionDays => {
    const { min, max } = of(name)
    return { days, min: Math.min(min, days), max: Math.max(max, days) }
  }
  const settings = Object.fromEntries(retentionClasses.map(name => [name, of(name)])) as Record<
    RetentionClass,
    RetentionDays
  >
  const ofRecordings = recordingDays > 0 ? recordingDays : (said.recordings?.days ?? settings.calls.days)
  return {
    ...settings,
    recordings: withDays('recordings', ofRecordings),
    call_traces: withDays('call_traces', callTraceDays),
    audit: withDays('audit', auditDays),
  }
}
