// Where people reach this server: what links in mails, addresses of single sign-on and issuers of tokens begin with.
import type { Config } from './config/config.ts'
import { isLoopback } from './kernel/values/loopback.ts'

/**
 * The address that was set, or that of this machine while nobody else reaches it; undefined where a server that is open to the network does
 * not know. It never ends with a slash: a path is put behind it.
 * @param bound where the process listens; undefined while it does not
 */
export function ownAddressOf(
  { publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>,
  bound?: { port: number },
): string | undefined {
  if (publicUrl !== undefined) return publicUrl
  if (host !== 'localhost' && !isLoopback(host)) return undefined
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound?.port ?? port}`
}
