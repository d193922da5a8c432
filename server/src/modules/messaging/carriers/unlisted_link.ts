// Whether the operator's list of hosts keeps a carrier from being reached.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { Settings } from '../../../kernel/links/settings.ts'
import { unlistedHost } from '../../../kernel/outbound/egress.ts'

/** Why no link is opened, in a sentence fit to be shown; undefined where one may be, as of kinds that have no host. */
export function unlistedLink(settings: Settings, { egress }: Pick<Services, 'egress'>): string | undefined {
  const { host } = settings as { host?: unknown }
  return typeof host === 'string' ? unlistedHost(host, egress.hosts) : undefined
}

/** Settings, or why no link is opened by them; what says so already stays as it is. */
export const reachable = (settings: Settings | string, services: Pick<Services, 'egress'>): Settings | string =>
  typeof settings === 'string' ? settings : (unlistedLink(settings, services) ?? settings)
