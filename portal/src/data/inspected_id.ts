// Which id the inspector knows the resource of an event by.

/** v1 ids are numbers and need their noun: `lead:12`. A payment is shown on its invoice. */
export function inspectedId(event: { type: string; resourceId: string }): string {
  return /^\d+$/.test(event.resourceId) ? `${event.type.split('.')[0]}:${event.resourceId}` : event.resourceId
}
