// Which id the inspector knows the resource of an event by.

/** v1 ids are numbers and need their noun: `lead:12`. A payment is shown on its invoice. */
export function inspectedId(event: { type: string; resourceId: string }): string {
  return /^\d+$/.test(event.resourceId) ? `${event.type.split('.')[0]}:${event.resourceId}` : event.resourceId
}

/** Filters in which a resource is written as the inspector names it: `lead:12` is number 12 among the events of leads. */
export function withoutNoun(filters: Record<string, string>, typeName: 'type' | 'eventType'): Record<string, string> {
  const [, noun, number = ''] = /^([a-z_]+):(\d+)$/.exec(filters['resourceId'] ?? '') ?? []
  return noun === undefined ? filters : { [typeName]: `${noun}.*`, ...filters, resourceId: number }
}
