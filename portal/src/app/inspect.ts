// The inspector: any id, on any screen, in a drawer named by ?inspect= in the address.
import { useNavigate, useSearch } from '@tanstack/react-router'

/** The id being inspected, and how to inspect another or none. */
export function useInspect(): { inspected: string | undefined; inspect(id: string | undefined): void } {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>
  const navigate = useNavigate()
  return {
    inspected: search['inspect'],
    inspect: id => {
      void navigate({ to: '.', search: (old: Record<string, unknown>) => ({ ...old, inspect: id }), hash: true })
    },
  }
}

/** What an id names, told by its form; undefined when it is none of ours. */
export function kindOfId(
  id: string,
):
  | 'carrier'
  | 'trunk'
  | 'number'
  | 'service'
  | 'opt_out'
  | 'message'
  | 'call'
  | 'request'
  | 'key'
  | 'event'
  | 'lead'
  | 'invoice'
  | 'webhook'
  | 'delivery'
  | undefined {
  const match =
    /^(msg|call|req|key|evt|whk|dlv|car|trk|num|msv|opt)_[0-9a-hjkmnp-tv-z]{26}$/.exec(id) ??
    /^(lead|invoice):[1-9]\d{0,8}$/.exec(id)
  const kinds = {
    msg: 'message',
    car: 'carrier',
    trk: 'trunk',
    num: 'number',
    msv: 'service',
    opt: 'opt_out',
    call: 'call',
    req: 'request',
    key: 'key',
    evt: 'event',
    whk: 'webhook',
    dlv: 'delivery',
    lead: 'lead',
    invoice: 'invoice',
  } as const
  return match === null ? undefined : kinds[match[1] as keyof typeof kinds]
}
