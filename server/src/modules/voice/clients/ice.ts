// STUN and TURN servers as a browser takes them; where they share a secret with us, with a password for a day.
import { createHmac } from 'node:crypto'
import type { WebrtcSettings } from '../engine/index.ts'

export type IceServer = { urls: string; username?: string; credential?: string }

const passwordSeconds = 86_400

/** Passwords as coturn checks them with `use-auth-secret`: an expiry as name, its HMAC as password. */
export function iceServersFor(
  { iceServers, turnSecret }: Pick<WebrtcSettings, 'iceServers' | 'turnSecret'>,
  identity: string,
  nowMs: number,
): IceServer[] {
  const username = `${Math.floor(nowMs / 1_000) + passwordSeconds}:${identity}`
  return iceServers.map(urls => {
    if (turnSecret === null || !/^turns?:/i.test(urls)) return { urls }
    return { urls, username, credential: createHmac('sha1', turnSecret).update(username).digest('base64') }
  })
}
