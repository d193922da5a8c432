// Commands for those who run the installation: organizations, accounts, and whose a number is. They work beside a server that runs.
import { loadConfig } from '../config/config.ts'
import { type Call, type Command, orAsJson, usageFault } from './command.ts'

const usages = () => import('../modules/identity/operator/commands.ts')

async function people(noun: 'organizations' | 'accounts', args: readonly string[], { env, print, complain }: Call) {
  const { peopleCommand } = await import('../operator.ts')
  return peopleCommand(loadConfig(env), noun, args, { print, complain })
}

export const organization: Command = {
  name: 'organization',
  aliases: ['organizations'],
  parameters: 'create|list|invite|suspend|resume|close|reopen',
  summary: 'make organizations, stop them, end them; more with --help',
  help: async () => (await usages()).organizationsUsage,
  run: call => people('organizations', call.args, call),
}

export const accounts: Command = {
  name: 'accounts',
  aliases: ['account'],
  parameters: 'list|reset-password|reset-factors|make-operator',
  summary: 'who may log in; lost second factors; operators; more with --help',
  help: async () => (await usages()).accountsUsage,
  run: call => people('accounts', call.args, call),
}

export const resetPassword: Command = {
  name: 'reset-password',
  parameters: '<e-mail> [--json]',
  summary: 'print a link that sets another password',
  help: () =>
    `Prints a link with which the person of that address sets another password, good for an hour. It works beside a
server that runs, and without one. A lost second factor: tandem accounts reset-factors <e-mail>.

  --json  print {"link": "…"}

Exit codes: 0 done, 1 refused (no such account), 2 wrong usage.`,
  run(call) {
    const addresses = call.args.filter(arg => arg !== '--json')
    if (addresses.length !== 1 || !addresses[0]!.includes('@') || addresses[0]!.startsWith('-'))
      throw usageFault('reset-password takes one e-mail address, as in ada@example.com.')
    return people('accounts', ['reset-password', ...call.args], call)
  },
}

export const assignNumber: Command = {
  name: 'assign-number',
  parameters: '<number> <organization> [--json]',
  summary: 'say to which organization (by its id) a telephone number belongs',
  help: () =>
    'Says that a telephone number, as in +493012345678, belongs to an organization, which is named by its id, as in 2.\nIt needs a server that runs, or DATABASE_URL.',
  run: call =>
    orAsJson(call, async ({ args, env, print, complain }) => {
      const [number, id, ...more] = args
      const organizationId = Number(id)
      if (number === undefined || more.length > 0 || !Number.isSafeInteger(organizationId) || organizationId < 1)
        throw usageFault('assign-number takes a telephone number and the id of an organization, as in +493012345678 2.')
      const { assignNumberCommand } = await import('../operator.ts')
      const { isDone, text } = await assignNumberCommand(loadConfig(env), number, organizationId)
      if (isDone) print(text)
      else complain(text)
      return isDone ? 0 : 1
    }),
}
