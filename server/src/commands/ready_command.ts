// `tandem ready`: whether the server of these settings can serve, for health checks and for anyone who starts one node after the other.
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../config/config.ts'
import { type Command, orAsJson, usageFault } from './command.ts'

const longestMs = 5_000
const pauseMs = 250

export const ready: Command = {
  name: 'ready',
  parameters: '[--wait <seconds>] [--json]',
  summary: 'say whether the server here can serve; for health checks',
  help: () =>
    `Asks /readyz of the server on PORT of this machine and prints what it says.

  --wait  how long to try; 0 when not said

Exit codes: 0 it serves, 1 it does not, 2 wrong usage.`,
  run: call =>
    orAsJson(call, async ({ args, env, print, complain }) => {
      const [option, seconds = '', ...more] = args
      const isWhole = more.length === 0 && (option === undefined || (option === '--wait' && /^\d{1,5}$/.test(seconds)))
      if (!isWhole) throw usageFault('ready takes nothing, or --wait and a number of seconds, as in --wait 60.')
      const { host, port } = loadConfig(env)
      if (port === 0) throw usageFault('PORT is 0, so nobody knows where the server listens: set PORT to its port.')
      const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
      const untilMs = performance.now() + Number(seconds) * 1_000
      for (;;) {
        const { isReady, words } = await ask(`http://${name}:${port}/readyz`)
        if (isReady) print(words)
        else if (performance.now() >= untilMs) complain(`tandem: ${words}`)
        if (isReady) return 0
        if (performance.now() >= untilMs) return 1
        await sleep(pauseMs)
      }
    }),
}

async function ask(address: string): Promise<{ isReady: boolean; words: string }> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(longestMs) })
    const text = (await answer.text()).slice(0, 500)
    return { isReady: answer.ok, words: answer.ok ? text : `${address} answers ${answer.status}: ${text}` }
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string }
    return { isReady: false, words: `nothing answers at ${address} (${cause?.code ?? message})` }
  }
}
