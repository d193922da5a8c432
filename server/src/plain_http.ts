// Whether what people and programs send can be read on the way: the server itself speaks plain HTTP, and TLS is the work of a proxy.
import type { Config } from './config/config.ts'
import { isLoopback } from './kernel/values/loopback.ts'

export const plainHttpWarning =
  'passwords and keys cross the network unencrypted: put a proxy with TLS before this server and set TANDEM_PUBLIC_URL, or set HOST=127.0.0.1 (docs/deployment.md)'

/** Whether others than this machine reach the API, and nothing says that a proxy with TLS stands before it. */
export function isReadOnTheWay({
  host,
  publicUrl,
  trustedProxies,
  roles,
}: Pick<Config, 'host' | 'publicUrl' | 'trustedProxies' | 'roles'>): boolean {
  const isOpen = host !== 'localhost' && !isLoopback(host) && roles.includes('api')
  return isOpen && publicUrl?.startsWith('https:') !== true && trustedProxies.length === 0
}
