// Arguments and environment as the commands need them.
import { createTandem, type Tandem } from '@tandem/sdk'
import { CliError, exitCodes } from './errors.ts'

export type Values = { [option: string]: string | boolean | undefined }

export type Connection = { tandem: Tandem; key: string; server: string }

export type ListenOptions = {
  forwardTo: URL
  eventTypes: string[] | null
  webhookId: string | undefined
  /** Whether a certificate must be valid. */
  verifies: boolean
}

const text = (value: string | boolean | undefined) => (typeof value === 'string' && value !== '' ? value : undefined)

/** @throws CliError where there is no key, or the address of the server is none */
export function connectionOf(values: Values, env: NodeJS.ProcessEnv = process.env): Connection {
  const key = text(values['key']) ?? text(env['TANDEM_KEY'])
  if (key === undefined)
    throw new CliError(
      'There is no key. Create one on the page API keys of the portal, and give it with --key or TANDEM_KEY.',
      exitCodes.refused,
    )
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new CliError('The key holds characters that no key has. Copy it again.', exitCodes.refused)
  const server = text(values['server']) ?? text(env['TANDEM_URL']) ?? 'http://127.0.0.1:3000'
  const url = URL.parse(/^https?:\/\//.test(server) ? server : `http://${server}`)
  if (url === null)
    throw new CliError(`--server: "${server}" is no address. Write it as http://127.0.0.1:3000.`, exitCodes.usage)
  const address = url.href.replace(/\/$/, '')
  return { tandem: createTandem({ baseUrl: address, token: key }), key, server: address }
}

/** @throws CliError where something is missing or wrong */
export function listenOptionsOf(values: Values): ListenOptions {
  const forwardTo = text(values['forward-to'])
  if (forwardTo === undefined)
    throw new CliError(
      'Say where events are to go: tandem listen --forward-to http://localhost:4242/hooks',
      exitCodes.usage,
    )
  const eventTypes = text(values['events'])
    ?.split(',')
    .map(type => type.trim())
    .filter(type => type !== '')
  return {
    forwardTo: addressOf(forwardTo),
    // As people write "all".
    eventTypes: eventTypes === undefined || eventTypes.length === 0 || eventTypes.includes('*') ? null : eventTypes,
    webhookId: text(values['webhook']),
    verifies: values['skip-verify'] !== true,
  }
}

/** `4242/hooks`, `localhost:4242` and whole addresses. */
function addressOf(given: string): URL {
  const url = URL.parse(
    /^https?:\/\//.test(given)
      ? given
      : /^:?\d+(?:\/|$)/.test(given)
        ? `http://localhost:${given.replace(/^:/, '')}`
        : `http://${given}`,
  )
  if (url === null || url.hostname === '')
    throw new CliError(
      `--forward-to: "${given}" is no address. Write it as http://localhost:4242/hooks.`,
      exitCodes.usage,
    )
  return url
}
