// What tests of Asterisk trunks share: the settings of such a trunk, and remote parties behind a real one.
import type { TestApp } from '../harness.ts'
import { sipEnv } from './sip_carrier.ts'

export const asteriskEnv = sipEnv

export const number = (last: string): string => `+1555010${last}`

/** What remote parties refuse with, by the number that is called. */
export const refusals: Readonly<Record<string, number>> = {
  [number('0003')]: 486,
  [number('0005')]: 603,
  [number('0006')]: 404,
  [number('0008')]: 503,
}

export const suiteNumbers = {
  answers: number('0002'),
  busy: number('0003'),
  silent: number('0004'),
  declines: number('0005'),
  unallocated: number('0006'),
  stays: number('0007'),
}

/** Adds an Asterisk as a trunk, and waits until it is up; answers its id. */
export async function addAsterisk(
  t: TestApp,
  httpPort: number,
  { settings = {}, ...more }: { settings?: Record<string, unknown>; name?: string; routes?: object[] } = {},
): Promise<string> {
  const { status, json, text } = await t.call('POST', '/v2/voice/trunks', {
    as: t.main.tokens.Admin,
    body: {
      kind: 'asterisk',
      name: 'Asterisk',
      settings: {
        url: `http://127.0.0.1:${httpPort}`,
        username: 'tandem',
        password: 'secret',
        endpoint: 'PJSIP/{number}@carrier',
        callsPerSecond: 1_000,
        foreignCallerIds: true,
        pingSeconds: 2,
        ...settings,
      },
      ...more,
    },
  })
  if (status !== 201) throw new Error(`the trunk was refused: ${text}`)
  return json.data.trunkId
}

export async function trunkState(t: TestApp, id: string): Promise<{ state: string; error: string | null }> {
  const { json } = await t.call('GET', `/v2/voice/trunks/${id}`, { as: t.main.tokens.Admin })
  return json.data
}
